import type { Selection } from '../engine/route-options.ts'
import { parseQuery } from '../engine/query.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject } from '../engine/schema/schema.ts'
import type { HttpRequest } from '../message.ts'
import type { Item } from '../state/store.ts'

/** Leaves out of an item what its answer does not show. */
export type Hide = (item: Item) => Item

/** What a route's `hides` leaves out of items for a request; `undefined` where that is nothing. */
export function createHide(select: Selection | undefined): (request: HttpRequest) => Hide | undefined {
  const { hides = [], reveals = {} } = select ?? {}
  if (hides.length === 0) return () => undefined
  const paths = hides.map(readPointer)
  const hide: Hide = (item) => paths.reduce<Item>((left, path) => withoutPart(left, path) as Item, item)
  const wanted = Object.entries(reveals)
  return ({ search }) => {
    const query = search === '' || wanted.length === 0 ? {} : parseQuery(search)
    return wanted.some(([name, value]) => query[name] === value) ? undefined : hide
  }
}

/** A value without what is at a path; `-` stands for all entries of a list. */
export function withoutPart(value: unknown, [name = '', ...deeper]: readonly string[]): unknown {
  if (Array.isArray(value) && name === '-') return value.map((each: unknown) => withoutPart(each, deeper))
  if (!isObject(value) || !Object.hasOwn(value, name)) return value
  if (deeper.length > 0) return { ...value, [name]: withoutPart(value[name], deeper) }
  const { [name]: _hidden, ...rest } = value
  return rest
}
