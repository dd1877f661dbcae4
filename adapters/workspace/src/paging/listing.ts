import type { Ordered, Sequenced } from './ordered.ts'

/** Where an item stands in a listing: JSON that stays true while other items come and go. */
export type Place = number | readonly (string | number)[]

/** Items in the order in which they are listed, to be walked either way from a place. */
export interface Listing<Item> {
  after(place: Place | undefined): Iterable<Item>
  before(place: Place): Iterable<Item>
  placeOf(item: Item): Place
}

/** Lists the newest first. */
export function newestFirst<Item extends Sequenced>(items: Ordered<Item>): Listing<Item> {
  return {
    after: (place) => items.downwards(place as number | undefined),
    before: (place) => items.upwards(place as number),
    placeOf: (item) => item.sequence,
  }
}

/** Lists the oldest first. */
export function oldestFirst<Item extends Sequenced>(items: Ordered<Item>): Listing<Item> {
  return {
    after: (place) => items.upwards(place as number | undefined),
    before: (place) => items.downwards(place as number),
    placeOf: (item) => item.sequence,
  }
}

/** Lists by keys of which no two are the same, such as `[name, id]`. */
export function sortedBy<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => readonly (string | number)[],
  options: { readonly descending?: boolean } = {},
): Listing<Item> {
  const sign = options.descending === true ? -1 : 1
  const compare = (a: Place, b: Place): number => sign * compareKeys(a as Key, b as Key)
  const sorted = [...items].toSorted((a, b) => compare(keyOf(a), keyOf(b)))
  return {
    after: (place) =>
      place === undefined ? sorted : sorted.filter((item) => compare(keyOf(item), place) > 0),
    before: (place) => sorted.filter((item) => compare(keyOf(item), place) < 0).toReversed(),
    placeOf: keyOf,
  }
}

type Key = readonly (string | number)[]

function compareKeys(a: Key, b: Key): number {
  for (const [index, one] of a.entries()) {
    const other = b[index] ?? ''
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}
