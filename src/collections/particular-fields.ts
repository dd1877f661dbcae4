import { isDeepStrictEqual } from 'node:util'
import type { ItemOption } from '../engine/route-options.ts'
import { withMember } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import type { Entries } from '../engine/schema/schema.ts'
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

/** @throws ItemExists where the item has the values already that are set but once */
export function refuseAgain(
  { path, id }: { readonly path: string; readonly id: string },
  item: Readonly<Record<string, unknown>>,
  { once }: { readonly once?: ItemOption['sets'] },
): void {
  const names = Object.keys(once ?? {})
  if (names.length > 0 && names.every((name) => isDeepStrictEqual(item[name], once?.[name])))
    throw new ItemExists(path, id)
}

/** An item with its id wherever it repeats that. */
export function withRepeats(
  item: Entries,
  id: unknown,
  { repeats = {} }: Pick<ItemOption, 'repeats'>,
): Entries {
  return Object.entries(repeats).reduce(
    (value, [pointer, text]) => withMember(value, readPointer(pointer), text.replaceAll('{id}', String(id))),
    item,
  )
}
