import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../engine/schema/schema.ts'
import { entryOf } from '../../grouping.ts'
import type { Item } from './item-place.ts'
import { holdsMade } from './made-part.ts'

/** What a request sends of an item, and what the item is then. */
interface Written {
  readonly body: Item
  readonly item: Item
}

/** What the entries of lists have besides what is sent of them, by the names of the lists. */
export type Completes = Readonly<Record<string, Item>>

/**
 * Finds the lists of objects of which items keep each entry as it is sent, in whatever order, with further members that
 * always have the same values.
 */
export function completedLists(writes: readonly Written[]): Completes {
  const further = new Map<string, Item | undefined>()
  for (const { body, item } of writes)
    for (const [name, sent] of Object.entries(body)) {
      if (!isList(sent)) continue
      const known = entryOf(further, name, () => ({}))
      further.set(name, known && furtherIn(sent, item[name], known))
    }
  return Object.fromEntries(
    [...further].flatMap(([name, more]) =>
      more === undefined || Object.keys(more).length === 0 ? [] : [[name, more] as const],
    ),
  )
}

// Each entry that is kept is that of one which was sent, the one with most of its members.
function furtherIn(sent: readonly Item[], kept: unknown, known: Item): Item | undefined {
  if (!isList(kept) || kept.length !== sent.length) return undefined
  const left = [...kept]
  const more: Record<string, unknown> = { ...known }
  for (const entry of sent.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length)) {
    const at = left.findIndex((other) =>
      Object.entries(entry).every(([name, value]) => isDeepStrictEqual(other[name], value)),
    )
    const [found] = at < 0 ? [] : left.splice(at, 1)
    if (found === undefined) return undefined
    for (const [name, value] of Object.entries(found)) {
      if (Object.hasOwn(entry, name)) continue
      const isOther = Object.hasOwn(more, name) && !isDeepStrictEqual(more[name], value)
      if (isOther || holdsMade(value)) return undefined
      more[name] = value
    }
  }
  return more
}

function isList(value: unknown): value is readonly Item[] {
  return Array.isArray(value) && value.every(isObject)
}
