import type { EmbeddedMember } from '../engine/embeds-option.ts'
import { parseQuery } from '../engine/query.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { memberAt, withMember } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject } from '../engine/schema/schema.ts'
import { groupBy } from '../grouping.ts'
import type { HttpRequest } from '../message.ts'
import type { Item, Store } from '../state/store.ts'
import { addressOf } from './address.ts'
import type { ItemContext, StoredOperation } from './item-operations.ts'
import { withJsonParts } from './json-filter.ts'

type Join = readonly [name: string, put: (item: Item) => Item]

/**
 * Makes what puts into answered items those of other collections which they refer to, or which refer to them, where the
 * query names the members that have them; `undefined` for a route without such.
 */
export function createEmbedded(
  { options, ...route }: RouteDefinition,
  routes: readonly RouteDefinition[],
  { maxItems }: ItemContext,
): ((body: unknown, request: HttpRequest, store: Store) => unknown) | undefined {
  const { embeds, answer = '' } = options.item ?? {}
  if (embeds === undefined) return undefined
  const { parameter, always = parameter === undefined, from = answer, members } = embeds
  const path = readPointer(from)
  const readAll: StoredOperation = {
    maxItems,
    need: () => ({ kind: 'all' }),
    decide: (_request, { items }) => ({ body: items.map(({ value }) => value) }),
  }
  const joins = Object.entries(members).map(([name, member]) => {
    const holder = { ...route, options: { host: options.host, item: { at: member.at } } }
    const collection = addressOf(holder, routes).collection({})
    const join = (request: HttpRequest, store: Store): Join => {
      const about = { request, params: {}, input: {}, path: collection, id: '' }
      const { body } = store.collection(collection).run(readAll, about)
      return [name, joinOf(name, member, body as readonly Item[])]
    }
    return [name, join] as const
  })
  return (body, request, store) => {
    const named = parameter === undefined ? undefined : withJsonParts(parseQuery(request.search))[parameter]
    const isNamed = namesIn(named, always)
    const own = joins.filter(([name]) => isNamed(name)).map(([, join]) => join(request, store))
    if (own.length === 0) return body
    const put = (item: unknown): unknown =>
      isObject(item) ? own.reduce((whole, [, putInto]) => putInto(whole), item) : item
    const items = memberAt(body, path)
    const whole = Array.isArray(items) ? items.map(put) : put(items)
    return path.length === 0 ? whole : isObject(body) ? withMember(body, path, whole) : body
  }
}

/**
 * Which members a query parameter names.
 * @param always whether a request without it gets all
 */
export function namesIn(
  value: string | readonly string[] | undefined,
  always: boolean,
): (name: string) => boolean {
  if (value === undefined) return () => always
  const names = new Set([value].flat().flatMap((each) => each.split(',')))
  const isAll = ALL.some((word) => names.has(word))
  return (name) => isAll || names.has(name)
}

const ALL = ['true', '*', 'all', '1']

function joinOf(
  name: string,
  { by, from = 'id', list = false }: EmbeddedMember,
  things: readonly Item[],
): (item: Item) => Item {
  const byKey = groupBy(things, (thing) => String(thing[by]))
  return (item) => {
    const key = item[from]
    const keys = Array.isArray(key) ? key : [key]
    const found = keys.flatMap((each: unknown) => byKey.get(String(each)) ?? [])
    if (list) return { ...item, [name]: found }
    const [one] = found
    return one === undefined ? item : { ...item, [name]: one }
  }
}
