import type { OperationContext } from './definition.ts'

/** What can be kept in order: its place in the sequence of creation, which never changes. */
export interface Sequenced {
  readonly sequence: number
}

/** Items in the order of their sequence numbers: adding at the end and finding a place cost next to nothing. */
export class Ordered<Item extends Sequenced> implements Iterable<Item> {
  readonly #items: Item[]

  /** @param items in order already; they are kept, not copied */
  constructor(items: readonly Item[] = []) {
    this.#items = items as Item[]
  }

  get size(): number {
    return this.#items.length
  }

  add(item: Item): void {
    const last = this.#items.at(-1)
    if (last === undefined || last.sequence < item.sequence) this.#items.push(item)
    else this.#items.splice(this.#indexOf(item.sequence), 0, item)
  }

  delete(item: Item): void {
    const index = this.#indexOf(item.sequence)
    if (this.#items[index] === item) this.#items.splice(index, 1)
  }

  first(): Item | undefined {
    return this.#items[0]
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.upwards()
  }

  /** Oldest first, from the item after `sequence`. */
  *upwards(sequence: number = Number.NEGATIVE_INFINITY): Generator<Item> {
    for (let index = this.#indexOf(sequence + 1); index < this.#items.length; index += 1)
      yield this.#items[index] as Item
  }

  /** Newest first, from the item before `sequence`. */
  *downwards(sequence: number = Number.POSITIVE_INFINITY): Generator<Item> {
    for (let index = this.#indexOf(sequence) - 1; index >= 0; index -= 1) yield this.#items[index] as Item
  }

  /** The first index whose item is not before `sequence`. */
  #indexOf(sequence: number): number {
    let [low, high] = [0, this.#items.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#items[middle] as Item).sequence < sequence) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Where an item stands in a listing: JSON that stays true while other items come and go. */
export type Place = number | readonly (string | number)[]

/** Items in the order in which they are listed, to be walked either way from a place. */
export interface Listing<Item> {
  after(place: Place | undefined): Iterable<Item>
  before(place: Place): Iterable<Item>
  positionOf(item: Item): Place
}

/** Lists the newest first. */
export function newestFirst<Item extends Sequenced>(items: Ordered<Item>): Listing<Item> {
  return {
    after: (place) => items.downwards(place as number | undefined),
    before: (place) => items.upwards(place as number),
    positionOf: (item) => item.sequence,
  }
}

/** Lists the oldest first. */
export function oldestFirst<Item extends Sequenced>(items: Ordered<Item>): Listing<Item> {
  return {
    after: (place) => items.upwards(place as number | undefined),
    before: (place) => items.downwards(place as number),
    positionOf: (item) => item.sequence,
  }
}

type Key = readonly (string | number)[]

/** Lists by keys of which no two are the same, such as `[name, id]`. */
export function sortedBy<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
  options: { readonly descending?: boolean } = {},
): Listing<Item> {
  const sign = options.descending === true ? -1 : 1
  const compare = (a: Place, b: Place): number => sign * compareKeys(a as Key, b as Key)
  const sorted = [...items].toSorted((a, b) => compare(keyOf(a), keyOf(b)))
  return {
    after: (place) =>
      place === undefined ? sorted : sorted.filter((item) => compare(keyOf(item), place) > 0),
    before: (place) => sorted.filter((item) => compare(keyOf(item), place) < 0).toReversed(),
    positionOf: keyOf,
  }
}

function compareKeys(a: Key, b: Key): number {
  for (const [index, one] of a.entries()) {
    const other = b[index] ?? ''
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}

/** The items of a page, and whether more follow. */
export interface Slice<Item> {
  readonly items: readonly Item[]
  readonly hasMore: boolean
}

/** What of a walk counts: items that match, without the first `skip` of them. */
export interface Selection<Item> {
  readonly matches?: (item: Item) => boolean
  readonly skip?: number
}

/** The first `size` items of a walk. */
export function takePage<Item>(
  walk: Iterable<Item>,
  size: number,
  { matches = () => true, skip = 0 }: Selection<Item> = {},
): Slice<Item> {
  const items: Item[] = []
  let skipped = 0
  for (const item of walk) {
    if (!matches(item)) continue
    if (skipped < skip) skipped += 1
    else if (items.push(item) > size) break
  }
  return { items: items.slice(0, size), hasMore: items.length > size }
}

/** The page of a listing that follows a place, or the first one. */
export function pageAfter<Item>(
  listing: Listing<Item>,
  place: Place | undefined,
  size: number,
  selection?: Selection<Item>,
): Slice<Item> {
  return takePage(listing.after(place), size, selection)
}

/** What one page is of. */
export interface PageRequest<Item> {
  readonly listing: Listing<Item>
  readonly limit: number
  readonly token: string | null | undefined
  /** What must be the same on every page, such as the filters. */
  readonly parameters: unknown
  readonly matches?: (item: Item) => boolean
  /** How many to leave out before the first page. */
  readonly offset?: number
}

/** One page; tokens are there only where another page is. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next_page_token?: string
  readonly prev_page_token?: string
}

// A place stays true whatever comes and goes, so that no token is ever stale.
const REVISION = 0

interface Position {
  readonly place: Place
  readonly isBackward: boolean
}

/** The page that a token names, or the first. Items that come and go between pages neither repeat nor hide others. */
export function pageOf<Item>(
  { pages }: Pick<OperationContext<unknown>, 'pages'>,
  request: PageRequest<Item>,
): Page<Item> {
  const { listing, limit, token, parameters, matches = () => true, offset = 0 } = request
  const from = token ? (pages.decode(token, { parameters }).position as Position) : undefined
  const isBackward = from?.isBackward === true
  const { items: found, hasMore } = isBackward
    ? takePage(listing.before(from.place), limit, { matches })
    : pageAfter(listing, from?.place, limit, { matches, skip: from ? 0 : offset })
  const items = isBackward ? found.toReversed() : found
  const [first, last] = [items[0], items.at(-1)]
  if (first === undefined || last === undefined) return { items }

  const tokenOf = (item: Item, backward: boolean): string =>
    pages.encode({
      position: { place: listing.positionOf(item), isBackward: backward },
      parameters,
      revision: REVISION,
    })
  const hasItemsBefore = (): boolean =>
    (from !== undefined || offset > 0) &&
    takePage(listing.before(listing.positionOf(first)), 0, { matches }).hasMore
  return {
    items,
    ...((isBackward || hasMore) && { next_page_token: tokenOf(last, false) }),
    ...((isBackward ? hasMore : hasItemsBefore()) && { prev_page_token: tokenOf(first, true) }),
  }
}
