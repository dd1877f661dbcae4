/** A stored item: an instance of some route's output model. */
export type Item = Readonly<Record<string, unknown>>

/** The items of one collection, in the order they were added. Every operation but `items` costs the same at any size. */
export interface Collection {
  readonly size: number
  get(id: string): Item | undefined
  /** Adds an item, or replaces the one with its id in place. */
  set(id: string, item: Item): void
  delete(id: string): boolean
  /** Up to `limit` items from the one at `offset`. */
  page(offset: number, limit: number): Item[]
  items(): IterableIterator<Item>
  /** How many ids were assigned here so far. */
  assigned: number
}

/** All collections, by concrete path: `/orgs/7/users` is not `/orgs/8/users`. */
export interface Store {
  /** The collection at a path; an empty one where nothing was stored yet. */
  collection(path: string): Collection
  /** How many items there are in all collections. */
  readonly size: number
  /** Empties one collection, or all. */
  clear(path?: string): void
  /** Every collection's items as JSON data. */
  snapshot(): StoreSnapshot
  /** Replaces everything by a snapshot. */
  restore(snapshot: StoreSnapshot): void
}

/** The whole store as JSON data: by collection, the ids and items in order, and how many ids were assigned. */
export interface StoreSnapshot {
  readonly version: 1
  readonly collections: Readonly<
    Record<
      string,
      { readonly assigned: number; readonly items: readonly (readonly [id: string, item: Item])[] }
    >
  >
}
