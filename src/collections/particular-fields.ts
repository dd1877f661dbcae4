import { isDeepStrictEqual } from 'node:util'
import type { ItemOption } from '../engine/route-options.ts'
import { memberAt, withMember } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject, type Entries } from '../engine/schema/schema.ts'
import { ItemExists } from '../errors.ts'
import type { Found, Item, StoredItem } from '../state/store.ts'

/** @throws ItemExists where another item has the value that only one may have */
export function refuseTaken(
  collection: string,
  item: StoredItem,
  found: Pick<Found, 'items'>,
  { unique = [] }: Pick<ItemOption, 'unique'>,
): void {
  for (const name of unique) {
    const own = item.value[name]
    const isName = (typeof own === 'string' && own !== '') || typeof own === 'number'
    if (isName && found.items.some((other) => other.value[name] === own))
      throw new ItemExists(collection, String(own))
  }
}

/**
 * @throws ItemExists where an item has the values already that are set but once, or not those that it is changed from, or
 * a number that the change brings below what it is at least
 */
export function refuseChange(
  { path, id }: { readonly path: string; readonly id: string },
  item: Item,
  changed: Item,
  { once, from, least = {} }: { readonly once?: ItemOption['sets'] } & Pick<ItemOption, 'from' | 'least'>,
): void {
  const names = Object.keys(once ?? {})
  if (names.length > 0 && names.every((name) => isDeepStrictEqual(item[name], once?.[name])))
    throw new ItemExists(path, id, undefined, { item })
  const isLess = ([name, bound]: readonly [string, number]): boolean => (changed[name] as number) < bound
  if (!isFrom(item, { from }) || Object.entries(least).some(isLess))
    throw new ItemExists(path, id, undefined, { item })
}

/** Whether an item has the values with which it may be changed or removed. */
export function isFrom(
  item: Readonly<Record<string, unknown>>,
  { from = {} }: Pick<ItemOption, 'from'>,
): boolean {
  return Object.entries(from).every(([name, values]) => values.includes(item[name]))
}

/** The numbers of an item with what a change adds to them. @param sent the body */
export function addedTo(item: Item, sent: unknown, adds: NonNullable<ItemOption['adds']>): Item {
  return Object.fromEntries(
    Object.entries(adds).flatMap(([name, by]) => {
      const [before, amount] = [item[name] ?? 0, amountIn(sent, by)]
      return typeof before === 'number' && amount !== undefined ? [[name, before + amount]] : []
    }),
  )
}

/** The number that a change adds: always the same, or that of a member of the body. @param by as in `adds` */
export function amountIn(sent: unknown, by: number | string): number | undefined {
  if (typeof by === 'number') return by
  const isTaken = by.startsWith('-')
  const amount = memberAt(sent, [isTaken ? by.slice(1) : by])
  return typeof amount !== 'number' ? undefined : isTaken ? -amount : amount
}

/** What items have of their ids and of their other members. */
export interface Following extends Pick<ItemOption, 'repeats'> {
  /** An item with the numbers that follow from others. */
  readonly compute?: ((item: Item) => Entries) | undefined
}

/** An item with its id wherever it repeats that, and with what follows from its members. */
export function withRepeats(item: Entries, id: unknown, { repeats = {}, compute }: Following): Entries {
  const whole = Object.entries(repeats).reduce(
    (value, [pointer, text]) => repeated(value, readPointer(pointer), text.replaceAll('{id}', String(id))),
    item,
  )
  return compute === undefined ? whole : compute(whole)
}

/** The same for what the entries of its lists repeat, which have changed. */
export function withRepeatsInLists(
  item: Entries,
  id: unknown,
  { repeats = {}, compute }: Following,
): Entries {
  const ofLists = Object.entries(repeats).filter(([pointer]) => pointer.includes('/-/'))
  return withRepeats(item, id, { repeats: Object.fromEntries(ofLists), compute })
}

// A list that is not there stays away.
function repeated(item: Entries, path: readonly string[], text: string): Entries {
  const at = path.findIndex(
    (name, depth) => name === '-' || isPlace(name, memberAt(item, path.slice(0, depth))),
  )
  if (at < 0) return withMember(item, path, text)
  const [above, below] = [path.slice(0, at), path.slice(at + 1)]
  const list = memberAt(item, above)
  if (!Array.isArray(list)) return item
  const entries = list.map((entry: unknown, index) =>
    isObject(entry) && (path[at] === '-' || path[at] === String(index))
      ? withMember(entry, below, text.replaceAll('{index}', String(index)))
      : entry,
  )
  return withMember(item, above, entries)
}

function isPlace(name: string, list: unknown): boolean {
  return Array.isArray(list) && /^\d+$/.test(name)
}
