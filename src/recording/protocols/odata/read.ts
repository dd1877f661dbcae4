import type { CallOutcome } from '../../../engine/call-model.ts'
import type { Item } from '../../calls/objects.ts'
import type { Entities } from './entities.ts'
import { Refusal } from './refusal.ts'
import { NO_OPTIONS, type QueryOptions, readOptions } from './query-options.ts'
import { answer, isBare, isUnchanged, type ODataRequest, preferences } from './request.ts'
import { type EntityTarget, type ListTarget, missing, type Target } from './resource-path.ts'
import { keyOf, predicateOf } from './service.ts'
import { choose, contextOf, resourceOf, show } from './show.ts'

/** @throws Refusal where what a request says cannot be read */
export function optionsOf({ query }: Pick<ODataRequest, 'query'>): QueryOptions {
  const options = readOptions(query)
  if ('option' in options) throw new Refusal('option', { option: options.option, text: options.text })
  return options
}

/** Answers what is read; `undefined` where the service would have to know more. */
export function read(entities: Entities, request: ODataRequest, target: Target): CallOutcome | undefined {
  const { service } = entities
  const options = optionsOf(request)
  switch (target.kind) {
    case 'service':
      return service.document === undefined
        ? undefined
        : answer(entities, request, { status: 200, value: service.document })
    case 'metadata':
      return metadata(entities, request)
    case 'count': {
      checkNames(entities, target.set, options)
      const { total } = choose(entities, target.set, target.items, options)
      return answer(entities, request, { status: 200, value: String(total), kind: 'text' })
    }
    case 'list':
    case 'references':
      checkNames(entities, target.set, options)
      return list(entities, request, target, options)
    case 'entity':
    case 'reference':
      return entity(entities, request, target, options)
    case 'property':
      return property(entities, request, target)
    default:
      return undefined
  }
}

// In the format that is wanted, where it is known in that.
function metadata(entities: Entities, request: ODataRequest): CallOutcome | undefined {
  const { query, headers } = request
  const all = [entities.service.metadata ?? []].flat()
  const wanted = String(query['$format'] ?? headers['accept'])
  const isWanted = (each: unknown): boolean => /\bjson\b/.test(wanted) === (typeof each !== 'string')
  const value = all.find(isWanted) ?? all[0]
  const kind = typeof value === 'string' ? 'xml' : 'json'
  return value === undefined ? undefined : answer(entities, request, { status: 200, value, kind })
}

// Names that no property has, where all of them are known.
function checkNames(entities: Entities, set: string, { names }: QueryOptions): void {
  const { types, links, isOpen = false } = entities.setOf(set)
  const isKnown = (name: string): boolean =>
    types === undefined || isOpen || name in types || name in links || !/^[A-Za-z_]\w*$/.test(name)
  const property = names.find((name) => !isKnown(name))
  if (property !== undefined) throw new Refusal('name', { set, property })
}

function list(
  entities: Entities,
  request: ODataRequest,
  { set, items, kind }: ListTarget,
  options: QueryOptions,
): CallOutcome {
  const { style } = entities.service
  const found = choose(entities, set, items, options)
  const page = pageOf(entities, request, set, found, options)
  const bare = isBare(request)
  const shown = page.items.map((item) =>
    kind === 'references'
      ? { [`${style.prefix}id`]: resourceOf(entities, set, item) }
      : show(entities, set, item, options, bare),
  )
  const { segments } = request
  const context =
    kind === 'references'
      ? `${style.base ?? '../'.repeat(segments.length - 1)}$metadata#Collection($ref)`
      : contextOf(entities.service, { set, path: segments, options, isEntity: false })
  const value = {
    ...(style.hasContext && !bare && { [`${style.prefix}context`]: context }),
    ...(options.hasCount && { [`${style.prefix}count`]: found.total }),
    value: shown,
    ...(page.next !== undefined && { [`${style.prefix}nextLink`]: page.next }),
  }
  return answer(entities, request, { status: 200, value })
}

// What a request gets of what it chose, and where the rest is.
function pageOf(
  entities: Entities,
  request: ODataRequest,
  set: string,
  { items, chosen }: { readonly items: readonly Item[]; readonly chosen: readonly Item[] },
  { token, skip, top }: QueryOptions,
): { readonly items: readonly Item[]; readonly next?: string } {
  const { next } = entities.service.style
  const own = entities.setOf(set)
  const wanted = Number(preferences(request).get('maxpagesize'))
  const size = Math.min(wanted > 0 ? wanted : Infinity, own.pageSize ?? Infinity)
  let rest = items
  if (token !== undefined && next?.by === '$skiptoken') {
    const after = next.isKey
      ? chosen.findIndex((item) => keyOf(own, item) === token.replaceAll("'", '')) + 1
      : Number(token)
    rest = chosen.slice(after, top === undefined ? undefined : after + top)
  }
  const page = rest.slice(0, size)
  if (next === undefined || page.length === rest.length) return { items: page }
  const last = page.at(-1)
  const served = last === undefined ? 0 : chosen.indexOf(last) + 1
  const position = next.isKey && last !== undefined ? (keyOf(own, last) ?? '') : String(served)
  const given = Object.entries(request.query).filter(([name]) => name !== next.by && name !== '$skiptoken')
  const others = given.map(([name, value]) => {
    const left = name === '$top' && top !== undefined ? top - page.length : value
    return `${name}=${encodeURIComponent(String(left)).replaceAll('%2C', ',').replaceAll('%24', '$')}`
  })
  const start = next.by === '$skip' ? `${skip + page.length}` : position
  const path = request.segments.join('/')
  return { items: page, next: `${next.base}${path}?${[...others, `${next.by}=${start}`].join('&')}` }
}

function entity(
  entities: Entities,
  request: ODataRequest,
  target: EntityTarget,
  options: QueryOptions,
): CallOutcome {
  const { set, item, owner, key, kind } = target
  if (item === undefined) {
    if (owner !== undefined && Object.keys(key).length === 0)
      return answer(entities, request, { status: 204 })
    throw missing(entities, target)
  }
  const about = { set, item }
  if (isUnchanged(entities, set, item, request)) return answer(entities, request, { status: 304, about })
  const { style } = entities.service
  if (kind === 'reference')
    return answer(entities, request, {
      status: 200,
      value: {
        [`${style.prefix}context`]: `${style.base ?? '../'}$metadata#$ref`,
        [`${style.prefix}id`]: resourceOf(entities, set, item),
      },
    })
  return answer(entities, request, {
    status: 200,
    value: entityBody(entities, request, about, options),
    about,
  })
}

/** The body of an answer with one entity. */
export function entityBody(
  entities: Entities,
  request: ODataRequest,
  { set, item }: { readonly set: string; readonly item: Item },
  options: QueryOptions,
): Item {
  const { style } = entities.service
  const bare = isBare(request)
  const context = contextOf(entities.service, { set, path: request.segments, options, isEntity: true })
  return {
    ...(style.hasContext && !bare && { [`${style.prefix}context`]: context }),
    ...show(entities, set, item, options, bare),
  }
}

function property(
  entities: Entities,
  request: ODataRequest,
  { entity: { set, item }, names, isRaw, value }: Extract<Target, { kind: 'property' }>,
): CallOutcome | undefined {
  const { style } = entities.service
  if (value === null || value === undefined) return answer(entities, request, { status: 204 })
  if (isRaw) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return answer(entities, request, { status: 200, value: text, kind: 'text' })
  }
  const of = predicateOf(entities.setOf(set), item)
  const options = NO_OPTIONS
  const context = contextOf(entities.service, {
    ...{ set, path: request.segments, options, isEntity: false },
    property: { of, names },
  })
  const isObject = typeof value === 'object' && !Array.isArray(value)
  return answer(entities, request, {
    status: 200,
    value: {
      ...(style.hasContext && !isBare(request) && { [`${style.prefix}context`]: context }),
      ...(isObject ? value : { value }),
    },
  })
}
