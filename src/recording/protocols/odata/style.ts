import { isObject } from '../../../engine/schema/schema.ts'
import { countEach, entryOf, groupBy } from '../../../grouping.ts'
import { essenceOf } from '../../../media-type.ts'
import { isOwnHeader } from '../../inference/answer-headers.ts'
import { orderValues } from '../../../collections/order-values.ts'
import type { Item } from '../../calls/objects.ts'
import { type QueryOptions, readOptions } from './query-options.ts'
import { etagOf } from './request.ts'
import { contextIn, entitiesIn, type Seen } from './seen.ts'
import { contextOf, type Shown } from './show.ts'
import { setPlaceOf } from './named-sets.ts'
import { type EntitySet, membersIn, readLiteral, shownKeys, type Style } from './service.ts'
import { headOf } from './segments.ts'

type Sets = Readonly<Record<string, EntitySet>>

/** What the answers of a service show of what services do in one way or another. */
export function styleOf(seen: readonly Seen[], sets: Sets, isVersion3: boolean): Style {
  const fine = seen.filter(({ status }) => status < 300)
  const contexts = fine.flatMap((each) => {
    const context = contextIn(each.value)
    return context === undefined ? [] : [{ each, context }]
  })
  const base = contexts
    .map(({ context }) => /^(\w+:\/\/[^#]*?|\/[^#]*?)\$metadata/.exec(context)?.[1])
    .find((text) => text !== undefined)
  const names = fine.flatMap(({ value }) => Object.keys(membersIn(value)))
  const prefix = names.includes('@context') ? '@' : '@odata.'
  const lists = fine.filter(
    ({ segments, method, query, value }) =>
      method === 'GET' &&
      setPlaceOf(segments) !== undefined &&
      isUsual(query) &&
      Array.isArray(membersIn(value)['value']),
  )
  return {
    base,
    context: bestContext(contexts, sets, base),
    prefix,
    hasContext: contexts.length > 0 || fine.length === 0,
    ...(isVersion3 && { isVersion3 }),
    ...partsKept(fine, sets),
    hasLengths: fine.some(
      ({ call, answered }) => call.args['batch'] !== undefined && 'content-length' in answered,
    ),
    sorts: lists.every(({ segments, value }) => isSorted(entitiesIn(value), setAt(segments, sets))),
    statuses: statusesOf(fine),
    headers: headersOf(fine),
    contentTypes: contentTypesOf(fine),
    next: nextOf(fine, sets, `${prefix}nextLink`),
  }
}

function setAt(segments: readonly string[], sets: Sets): EntitySet | undefined {
  return sets[setPlaceOf(segments)?.set ?? '']
}

function isUsual(query: Seen['query']): boolean {
  const options = readOptions(query)
  return !('option' in options) && options.order.length === 0
}

function isSorted(items: readonly Seen['query'][], set: EntitySet | undefined): boolean {
  const [key] = set === undefined ? [] : shownKeys(set)
  return (
    key !== undefined &&
    items.every((item, at) => at === 0 || orderValues(items[at - 1]?.[key], item[key], 'first') <= 0)
  )
}

/** Sets with what all their lists say of themselves where the service says it otherwise than it should. */
export function withListContexts(sets: Sets, style: Style, fine: readonly Seen[]): Sets {
  const said = new Map<string, { readonly context: string | undefined; readonly usual: string }[]>()
  for (const each of fine) {
    const shown = each.method === 'GET' ? shownOf(each, sets) : undefined
    if (shown === undefined || shown.isEntity) continue
    entryOf(said, shown.set, () => []).push({
      context: contextIn(each.value),
      usual: contextOf({ sets, style }, shown),
    })
  }
  return Object.fromEntries(
    Object.entries(sets).map(([name, set]) => {
      const lists = said.get(name) ?? []
      const [first] = lists
      const isOther =
        lists.length > 1 &&
        lists.every(({ context, usual }) => context === first?.context && context !== usual)
      return [name, isOther && first?.context !== undefined ? { ...set, listContext: first.context } : set]
    }),
  )
}

function bestContext(
  contexts: readonly { readonly each: Seen; readonly context: string }[],
  sets: Sets,
  base: string | undefined,
): Style['context'] {
  const flags = [false, true]
  const all = flags.flatMap((selects) =>
    flags.flatMap((expands) => flags.map((paths) => ({ selects, expands, paths }))),
  )
  const scored = all.map((context) => {
    const style = { ...PLAIN, base, context }
    const right = contexts.filter(({ each, context: wanted }) => {
      const shown = shownOf(each, sets)
      return shown !== undefined && contextOf({ sets, style }, shown) === wanted
    })
    return { context, count: right.length }
  })
  const [best] = scored.toSorted((a, b) => b.count - a.count)
  return best?.context ?? PLAIN.context
}

const PLAIN: Style = {
  ...{ context: { selects: true, expands: true, paths: false }, prefix: '@odata.', hasContext: true },
  ...{
    keepsKeys: false,
    keepsEtags: true,
    hasLengths: false,
    sorts: false,
    statuses: {},
    headers: {},
    contentTypes: {},
  },
}

function shownOf({ path, segments, query, value }: Seen, sets: Sets): Shown | undefined {
  const options = readOptions(query)
  if ('option' in options) return undefined
  let set = headOf(segments[0])
  for (const segment of segments.slice(1)) set = sets[set]?.links[headOf(segment)]?.to ?? ''
  if (sets[set] === undefined) return undefined
  const isEntity = !Array.isArray(membersIn(value)['value'])
  return { set, path, options, isEntity }
}

// What parts of entities have that were not selected.
function partsKept(fine: readonly Seen[], sets: Sets): Pick<Style, 'keepsKeys' | 'keepsEtags'> {
  let [keepsKeys, keepsEtags] = [false, true]
  const look = (set: EntitySet, items: readonly Item[], options: QueryOptions, isWithin: boolean): void => {
    const { select, expand } = options
    const left = shownKeys(set).filter((key) => select?.includes(key) === false)
    if (left.length > 0 && items.some((item) => left.every((key) => item[key] !== undefined)))
      keepsKeys = true
    if (isWithin && set.etag !== undefined && items.some((item) => etagOf(item) === undefined))
      keepsEtags = false
    for (const { name, options: own } of expand) {
      const link = set.links[name]
      const other = link && sets[link.to]
      const parts = items.flatMap((item) => [item[name] ?? []].flat()).filter((part) => isObject(part))
      if (other !== undefined) look(other, parts, own, true)
    }
  }
  for (const { query, segments, value } of fine) {
    const options = readOptions(query)
    const set = setAt(segments, sets)
    if (set !== undefined && !('option' in options)) look(set, entitiesIn(value), options, false)
  }
  return { keepsKeys, keepsEtags }
}

function statusesOf(fine: readonly Seen[]): Style['statuses'] {
  const plain = fine.filter(
    ({ headers, segments }) => headers['prefer'] === undefined && setPlaceOf(segments) !== undefined,
  )
  const writes = plain.filter(({ method }) => /^(POST|PUT|PATCH|MERGE)$/.test(method))
  const groups = groupBy(writes, ({ method, status }) =>
    method !== 'POST' && status === 201 ? 'create' : method,
  )
  return Object.fromEntries(
    [...groups].map(([method, own]) => {
      const [usual] = [...countEach(own.map(({ status }) => status))].toSorted(([, a], [, b]) => b - a)
      return [method, usual?.[0] ?? 200]
    }),
  )
}

// Headers that are always there, with the entity that is written in place of its path; those of all others are under no name.
function headersOf(fine: readonly Seen[]): Style['headers'] {
  const common = fine.length === 0 ? {} : templatesOf(fine)
  const writes = fine.filter(({ method }) => method !== 'GET')
  const groups = groupBy(writes, ({ method, status }) => `${method} ${status}`)
  return Object.fromEntries([
    ['', common],
    ...[...groups].map(([name, own]) => [name, templatesOf(own)] as const),
  ])
}

const RESOURCE = /(?<!\w)[A-Za-z_]\w*\([^()/]*\)$/

function templatesOf(seen: readonly Seen[]): Readonly<Record<string, string>> {
  const open = (text: string): string => text.replace(RESOURCE, '{resource}')
  const [first] = seen
  const found = Object.entries(first?.answered ?? {}).filter(
    ([name, value]) =>
      (isOwnHeader(name) || name === 'cache-control') &&
      (name !== 'preference-applied' || seen.every(({ headers }) => headers['prefer'] === undefined)) &&
      seen.every(({ answered }) => answered[name] !== undefined && open(answered[name]) === open(value)),
  )
  return Object.fromEntries(found.map(([name, value]) => [name, open(value)]))
}

function contentTypesOf(fine: readonly Seen[]): Style['contentTypes'] {
  const kinds = fine.flatMap(({ answered, value, headers, query }): [string, string][] => {
    const type = answered['content-type']
    const isUsualForm = !/metadata=/.test(`${String(headers['accept'])}${String(query['$format'])}`)
    if (type === undefined || !isUsualForm) return []
    if (isObject(value)) return [['json', type]]
    return [[essenceOf(type).endsWith('xml') ? 'xml' : 'text', type]]
  })
  return Object.fromEntries(kinds.toReversed())
}

// How the next page is named: by how many were before it, or by the last key.
function nextOf(fine: readonly Seen[], sets: Sets, name: string): Style['next'] {
  for (const { segments, value } of fine) {
    const link = membersIn(value)[name]
    const [path, search] = typeof link === 'string' ? link.split('?') : []
    if (path === undefined || search === undefined) continue
    const query = new URLSearchParams(search)
    const by = ['$skiptoken', '$skip'].find((each) => query.has(each))
    if (by === undefined) continue
    const [key = ''] = sets[headOf(segments[0])]?.keys ?? []
    const last = entitiesIn(value).at(-1)?.[key]
    const token = query.get(by) ?? ''
    const isKey = by === '$skiptoken' && String(readLiteral(token)) === String(last) && !isCount(token, value)
    const own = segments.join('/')
    return { by, isKey, base: path.endsWith(own) ? path.slice(0, path.length - own.length) : path }
  }
  return undefined
}

function isCount(token: string, value: unknown): boolean {
  return Number(token) === entitiesIn(value).length
}
