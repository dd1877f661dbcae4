import type { EmbeddedMember } from '../engine/embeds-option.ts'
import { lazy } from '../engine/lazy.ts'
import { parseQuery } from '../engine/query.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { memberAt, withMember } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject } from '../engine/schema/schema.ts'
import { groupBy } from '../grouping.ts'
import type { HttpRequest, Query } from '../message.ts'
import type { Item, Store } from '../state/store.ts'
import { addressOf, isOfCollection } from './address.ts'
import type { ItemContext, StoredOperation } from './item-operations.ts'
import { withJsonParts } from './json-filter.ts'
import { onlyFields } from './select-items.ts'

type Params = Readonly<Record<string, string>>
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
  const { embeds, part, answer = '' } = options.item ?? {}
  if (embeds === undefined) return undefined
  const {
    parameter,
    always = parameter === undefined,
    from = part === undefined ? answer : '',
    members,
  } = embeds
  const path = readPointer(from)
  const readAll: StoredOperation = {
    maxItems,
    need: () => ({ kind: 'all' }),
    decide: (_request, { items }) => ({ body: items.map(({ value }) => value) }),
  }
  const readOne: StoredOperation = {
    maxItems,
    need: ({ id }) => ({ kind: 'item', id }),
    decide: (_request, { item }) => ({ body: item === undefined ? [] : [item.value] }),
  }
  const joins = Object.entries(members).map(([name, member]) => {
    const about = { ...route, options: { host: options.host, item: { at: member.at } } }
    // What names its items is said by the routes that make or read them.
    const { id } =
      routes.find((each) => hasOwnId(each) && isOfCollection(about, each, routes))?.options.item ?? {}
    const holder = { ...about, options: { ...about.options, item: { at: member.at, id } } }
    const { idField, collection: pathOf } = addressOf(holder, routes)
    const join = (items: readonly Item[], request: HttpRequest, store: Store): Join => {
      const read = (operation: StoredOperation, id = '', params: Params = {}): readonly Item[] => {
        const path = pathOf(params)
        const about = { request, params: {}, input: {}, path, id }
        return store.collection(path).run(operation, about).body as readonly Item[]
      }
      const named = fieldsNamed(parseQuery(request.search), member.parameter ?? parameter ?? '', name)
      const shown = [...named, 'id', idField ?? 'id']
      const own = named.length === 0 ? member : { ...member, fields: shown }
      const keys = [...new Set(items.flatMap((item) => keysOf(item, member)))]
      if (member.at.includes(`{${member.by}}`)) {
        const within = new Map(keys.map((key) => [key, read(readAll, '', { [member.by]: key })]))
        return [name, joinOf(name, own, within)]
      }
      const things = member.by === idField ? keys.flatMap((id) => read(readOne, id)) : read(readAll)
      return [name, joinOf(name, own, byEachKey(things, member.by))]
    }
    return [name, join] as const
  })
  const hidden = Object.keys(members).filter((name) => members[name]?.hidden === true)
  return (body, request, store) => {
    const query = lazy(() => parseQuery(request.search))
    const isNamed = (name: string): boolean => {
      if (members[name]?.count === true) return true
      const by = members[name]?.parameter ?? parameter
      return namesIn(by === undefined ? undefined : valuesOf(query(), by), always)(name)
    }
    const unasked = hidden.filter((name) => !isNamed(name))
    const items = memberAt(body, path)
    const shown = [items].flat().filter(isObject)
    const own = joins.filter(([name]) => isNamed(name)).map(([, join]) => join(shown, request, store))
    if (own.length === 0 && unasked.length === 0) return body
    const put = (item: unknown): unknown =>
      isObject(item)
        ? withoutMembers(
            own.reduce((whole, [, putInto]) => putInto(whole), item),
            unasked,
          )
        : item
    const whole = Array.isArray(items) ? items.map(put) : put(items)
    return path.length === 0 ? whole : isObject(body) ? withMember(body, path, whole) : body
  }
}

// What has several keys has a list of them.
function byEachKey(things: readonly Item[], by: string): ReadonlyMap<string, readonly Item[]> {
  const all = things.flatMap((thing) => [thing[by]].flat().map((key) => ({ key: String(key), thing })))
  return new Map(
    [...groupBy(all, ({ key }) => key)].map(([key, own]) => [key, own.map(({ thing }) => thing)]),
  )
}

function hasOwnId({ options: { item } }: RouteDefinition): boolean {
  return item?.id !== undefined && item.part === undefined && item.entry === undefined
}

/**
 * The values of a query parameter, which may be numbered: `populate[0]=author&populate[1]=tags`, or in brackets:
 * `populate[author][fields][0]=name`.
 */
export function valuesOf(query: Query, parameter: string): string | readonly string[] | undefined {
  const own = withJsonParts(query)[parameter]
  if (own !== undefined) return own
  const values = Object.entries(query).flatMap(([name, value]) => {
    const [word = '', ...more] = bracketsOf(name, parameter)
    if (word === '') return []
    if (more.length === 0 && /^\d+$/.test(word)) return [value].flat()
    return IS_OFF.has(String(value)) && more.length === 0 ? [] : [word]
  })
  return values.length === 0 ? undefined : values
}

// `[]` is a place in a list without its number.
function bracketsOf(name: string, parameter: string): readonly string[] {
  if (!name.startsWith(`${parameter}[`) || !name.endsWith(']')) return []
  return name
    .slice(parameter.length + 1, -1)
    .split('][')
    .map((word) => (word === '' ? '0' : word))
}

const IS_OFF: ReadonlySet<string> = new Set(['false', '0'])

/** The fields that a query names of a member: `populate[author][fields][0]=name`. */
function fieldsNamed(query: Query, parameter: string, member: string): readonly string[] {
  return Object.entries(query).flatMap(([name, value]) => {
    const [word, what, ...more] = bracketsOf(name, parameter)
    return word === member && what === 'fields' && more.length === 1 ? [value].flat() : []
  })
}

function withoutMembers(item: Item, names: readonly string[]): Item {
  if (names.length === 0) return item
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)))
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

// The item has one of them, or a list.
function keysOf(item: Item, { from = 'id' }: EmbeddedMember): readonly string[] {
  return [item[from]].flat().map(String)
}

function joinOf(
  name: string,
  member: EmbeddedMember,
  byKey: ReadonlyMap<string, readonly Item[]>,
): (item: Item) => Item {
  const { list = false, count = false, fields, hidden = false, orNull = hidden } = member
  const shown = (thing: Item): Item => (fields === undefined ? thing : onlyFields(thing, fields))
  return (item) => {
    const all = keysOf(item, member).flatMap((key) => byKey.get(key) ?? [])
    if (count) return { ...item, [name]: all.length }
    const found = all.map(shown)
    if (list) return { ...item, [name]: found }
    const [one] = found
    if (one === undefined) return orNull ? { ...item, [name]: null } : item
    return { ...item, [name]: one }
  }
}
