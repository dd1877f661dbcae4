import { isDeepStrictEqual } from 'node:util'
import type { ItemOption } from '../engine/route-options.ts'
import { memberAt, withMember } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject, type Entries } from '../engine/schema/schema.ts'
import { ItemExists } from '../errors.ts'
import type { Found, StoredItem } from '../state/store.ts'

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

/** @throws ItemExists where the item has the values already that are set but once, or not those that it is changed from */
export function refuseAgain(
  { path, id }: { readonly path: string; readonly id: string },
  item: Readonly<Record<string, unknown>>,
  { once, from }: { readonly once?: ItemOption['sets'] } & Pick<ItemOption, 'from'>,
): void {
  const names = Object.keys(once ?? {})
  if (names.length > 0 && names.every((name) => isDeepStrictEqual(item[name], once?.[name])))
    throw new ItemExists(path, id)
  if (!isFrom(item, { from })) throw new ItemExists(path, id)
}

/** Whether an item has the values with which it may be changed or removed. */
export function isFrom(
  item: Readonly<Record<string, unknown>>,
  { from = {} }: Pick<ItemOption, 'from'>,
): boolean {
  return Object.entries(from).every(([name, values]) => values.includes(item[name]))
}

/** An item with its id wherever it repeats that. */
export function withRepeats(
  item: Entries,
  id: unknown,
  { repeats = {} }: Pick<ItemOption, 'repeats'>,
): Entries {
  return Object.entries(repeats).reduce(
    (value, [pointer, text]) => repeated(value, readPointer(pointer), text.replaceAll('{id}', String(id))),
    item,
  )
}

/** The same for what the entries of its lists repeat, which have changed. */
export function withRepeatsInLists(
  item: Entries,
  id: unknown,
  { repeats = {} }: Pick<ItemOption, 'repeats'>,
): Entries {
  const ofLists = Object.entries(repeats).filter(([pointer]) => pointer.includes('/-/'))
  return ofLists.length === 0 ? item : withRepeats(item, id, { repeats: Object.fromEntries(ofLists) })
}

// A list that is not there stays away.
function repeated(item: Entries, path: readonly string[], text: string): Entries {
  const at = path.indexOf('-')
  if (at < 0) return withMember(item, path, text)
  const [above, below] = [path.slice(0, at), path.slice(at + 1)]
  const list = memberAt(item, above)
  if (!Array.isArray(list)) return item
  const entries = list.map((entry: unknown, index) =>
    isObject(entry) ? withMember(entry, below, text.replaceAll('{index}', String(index))) : entry,
  )
  return withMember(item, above, entries)
}
