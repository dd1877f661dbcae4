import { addTo } from '../../grouping.ts'
import type { Item } from './item-place.ts'

/** How many items come before the one at an index, for some indexes. */
export type Unseen = readonly (readonly [before: number, count: number])[]

/** More than these are rather left out than made up. */
const MAX_UNSEEN = 1000

/** How many items are missing from a list, and before which of its items. */
export function gapsIn(items: readonly (Item | undefined)[]): Unseen {
  const counts = new Map<number, number>()
  let at = 0
  for (const item of items) {
    if (item === undefined) addTo(counts, at)
    else at++
  }
  return items.length - at > MAX_UNSEEN ? [] : [...counts]
}
