import type { CallOutcome } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { type Item, put } from '../../calls/objects.ts'
import { violationsOf } from './checks.ts'
import { type Entities, linked } from './entities.ts'
import { NO_OPTIONS, type QueryOptions } from './query-options.ts'
import { entityBody } from './read.ts'
import { Refusal } from './refusal.ts'
import { answer, etagOf, isUnchanged, type ODataRequest, preferences } from './request.ts'
import { type EntityTarget, type ListTarget, missing, type Target } from './resource-path.ts'
import { keyOf } from './service.ts'
import { boundMembers, madeMembers, nextEtag, plainMembers, store } from './store.ts'

/** Does what a request writes; `undefined` where the service would have to know more. */
export function write(entities: Entities, request: ODataRequest, target: Target): CallOutcome | undefined {
  const { method } = request
  if (target.kind === 'list' && method === 'POST') return create(entities, request, target)
  if (target.kind === 'property') return writeProperty(entities, request, target)
  if (target.kind === 'entity') {
    if (method === 'PATCH' || method === 'PUT' || method === 'MERGE') return change(entities, request, target)
    if (method === 'DELETE') return remove(entities, request, target)
  }
  if (target.kind === 'references' || target.kind === 'reference' || target.kind === 'operation')
    return undefined
  throw new Refusal('method', { method, path: request.segments.join('/') })
}

function create(
  entities: Entities,
  request: ODataRequest,
  { set, owner }: Pick<ListTarget, 'set' | 'owner'>,
  key: Item = {},
): CallOutcome {
  const { body } = request
  if (!isObject(body)) throw new Refusal('body')
  refuse(entities, set, request, undefined)
  const { item, expand } = store(entities, set, { ...body, ...key }, request.fresh, owner)
  const { statuses } = entities.service.style
  const status =
    (request.method === 'POST' ? undefined : statuses['create']) ?? statuses[request.method] ?? 201
  return written(entities, request, { set, item }, status, expand)
}

// The refusal that comes first of what a service checks.
function refuse(entities: Entities, set: string, request: ODataRequest, item: Item | undefined): void {
  const { checks } = entities.service
  const [found] = violationsOf(entities, set, request, item).filter(({ check }) => checks.includes(check))
  if (found !== undefined) throw new Refusal(found.reason, found.values)
}

function written(
  entities: Entities,
  request: ODataRequest,
  about: { readonly set: string; readonly item: Item },
  status: number,
  expand: QueryOptions['expand'] = [],
): CallOutcome {
  const { return: wanted, text } = wantedReturn(request)
  const applied = wanted === undefined ? {} : { 'preference-applied': text }
  if (wanted === 'minimal' || (status === 204 && wanted !== 'representation'))
    return answer(entities, request, { status: 204, about, headers: wanted === 'minimal' ? applied : {} })
  const options = { ...NO_OPTIONS, expand }
  return answer(entities, request, {
    status: status === 204 ? (request.method === 'POST' ? 201 : 200) : status,
    value: entityBody(entities, request, about, options),
    about,
    headers: applied,
  })
}

// By its name in version 4, and as the request says it.
function wantedReturn(request: ODataRequest): { readonly return?: string; readonly text: string } {
  const preferred = preferences(request)
  const wanted = preferred.get('return')
  if (wanted !== undefined) return { return: wanted, text: `return=${wanted}` }
  if (preferred.has('return-no-content')) return { return: 'minimal', text: 'return-no-content' }
  return preferred.has('return-content') ? { return: 'representation', text: 'return-content' } : { text: '' }
}

function change(entities: Entities, request: ODataRequest, target: EntityTarget): CallOutcome {
  const { set, item: before, key } = target
  const { method, body, fresh } = request
  const own = entities.setOf(set)
  if (!isObject(body)) throw new Refusal('body')
  refuseMissing(entities, request, target)
  isUnchanged(entities, set, before, request)
  if (before === undefined) {
    if (!entities.service.checks.includes('upsert')) throw missing(entities, target)
    return create(entities, request, target, key)
  }
  refuse(entities, set, request, before)
  const kept = Object.fromEntries(
    Object.entries(before).filter(([name]) => own.keys.includes(name) || name.startsWith('@')),
  )
  const start: Item = method === 'PUT' ? { ...own.properties, ...kept } : before
  const sent = plainMembers(own, body)
  const laid = Object.entries(sent).map(([name, value]) => [name, laidOver(start[name], value)] as const)
  const changed: Item = {
    ...start,
    ...madeMembers(own.touched, fresh),
    ...Object.fromEntries(laid),
    ...boundMembers(entities, set, body),
    ...kept,
  }
  const etag = etagOf(before) === undefined ? undefined : nextEtag(own.etag ?? '', changed, fresh)
  const item: Item = { ...changed, ...(etag !== undefined && { '@odata.etag': etag }) }
  put(entities.objects(set), item)
  return written(entities, request, { set, item }, entities.service.style.statuses[method] ?? 204)
}

// Some say of what is not there that it is not there, though a request wants it to be as it is.
function refuseMissing(entities: Entities, { headers }: ODataRequest, target: EntityTarget): void {
  const isWanted = headers['if-match'] === '*' && entities.service.checks.includes('missing')
  if (target.item === undefined && isWanted) throw missing(entities, target)
}

// What a complex value does not say stays.
function laidOver(before: unknown, value: unknown): unknown {
  return isObject(before) && isObject(value) ? { ...before, ...value } : value
}

function remove(entities: Entities, request: ODataRequest, target: EntityTarget): CallOutcome {
  const { set, item } = target
  refuseMissing(entities, request, target)
  isUnchanged(entities, set, item, request)
  if (item === undefined) throw missing(entities, target)
  refuse(entities, set, request, item)
  removeWith(entities, set, item)
  return answer(entities, request, { status: 204 })
}

function removeWith(entities: Entities, set: string, item: Item): void {
  const { links } = entities.setOf(set)
  for (const [name, { to, isOwned }] of Object.entries(links))
    if (isOwned === true)
      for (const other of linked(entities, set, item, name)) removeWith(entities, to, other)
  entities.objects(set).items.delete(keyOf(entities.setOf(set), item) ?? '')
}

function writeProperty(
  entities: Entities,
  request: ODataRequest,
  { entity: { set, item }, names, isRaw }: Extract<Target, { kind: 'property' }>,
): CallOutcome | undefined {
  const [name = '', ...deeper] = names
  const { method, body } = request
  if (deeper.length > 0) return undefined
  if (!['PUT', 'PATCH', 'DELETE'].includes(method)) throw new Refusal('method', { method })
  isUnchanged(entities, set, item, request)
  const sent = isRaw || !isObject(body) ? body : 'value' in body ? body['value'] : laidOver(item[name], body)
  put(entities.objects(set), { ...item, [name]: method === 'DELETE' ? null : sent })
  return answer(entities, request, { status: 204 })
}
