import { isDeepStrictEqual } from 'node:util'
import type { Item } from './item-place.ts'

/**
 * Whether two answers may show the same item: lists often show less of it than its own path does, and some field may
 * follow from other items, as a count of them.
 */
export function isSameItem(a: Item, b: Item): boolean {
  const shared = Object.keys(a).filter((name) => Object.hasOwn(b, name))
  const others = shared.filter((name) => !isDeepStrictEqual(a[name], b[name]))
  return others.length * 5 <= shared.length || (others.length === 1 && shared.length >= MIN_SHARED)
}

/** Items that share fewer fields are not the same where one of them differs. */
const MIN_SHARED = 4
