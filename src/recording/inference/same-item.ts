import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../engine/schema/schema.ts'
import type { Folded } from './fold-paths.ts'
import { idIn, type Item, type ItemPlace, itemView } from './item-place.ts'
import type { Sample } from './sample.ts'

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

/**
 * Whether answers show the item that their path is below, so that they are about that: `PUT /tasks/7/labels/3` shows the
 * task.
 */
export function showsAbove(
  samples: readonly Sample[],
  [items, { place }]: readonly [Folded, { readonly place: ItemPlace }],
): boolean {
  const at = items.path.split('/').length - 2
  const namesIn = (sample: Sample): readonly string[] => {
    const { response } = itemView(sample, place)
    return sample.status < 300 && isObject(response) ? Object.keys(response) : []
  }
  // What only refers to that item has members of its own.
  const names = new Set(items.samples.flatMap(namesIn))
  if (names.size > 0 && !samples.flatMap(namesIn).every((name) => names.has(name))) return false
  const shown = samples.flatMap((sample) => {
    const id = sample.status < 300 ? idIn(itemView(sample, place).response, place) : undefined
    return id === undefined ? [] : [{ id, segments: sample.segments }]
  })
  return (
    shown.every(({ id, segments }) => id === segments[at]) &&
    shown.some(({ id, segments }) => id !== segments.at(-1))
  )
}
