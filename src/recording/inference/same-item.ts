import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../engine/schema/schema.ts'
import type { Item } from './item-place.ts'

/**
 * Whether two answers may show the same item: lists often show less of it than its own path does, and some field may
 * follow from other items, as a count of them.
 */
export function isSameItem(a: Item, b: Item): boolean {
  const shared = Object.keys(a).filter((name) => Object.hasOwn(b, name))
  const others = shared.filter((name) => !mayBeSame(a[name], b[name]))
  return others.length * 5 <= shared.length || (others.length === 1 && shared.length >= MIN_SHARED)
}

// Objects within may show less, too.
function mayBeSame(a: unknown, b: unknown): boolean {
  if (!isObject(a) || !isObject(b)) return isDeepStrictEqual(a, b)
  const shared = Object.keys(a).filter((name) => Object.hasOwn(b, name))
  const areEmpty = Object.keys(a).length === 0 || Object.keys(b).length === 0
  return (shared.length > 0 || areEmpty) && shared.every((name) => mayBeSame(a[name], b[name]))
}

/** Items that share fewer fields are not the same where one of them differs. */
const MIN_SHARED = 4
