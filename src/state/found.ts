import type { Change, Found, Item, Need, SingleChange, StoredItem } from './store.ts'

/** A collection that an operation is about. */
export interface Searched {
  /** How many ids were assigned so far. */
  readonly assigned: number
  readonly size: number
  /** An item as it is kept. */
  find(id: string): StoredItem | undefined
  /** A page of items as they are kept. */
  pageOf(offset: number, limit: number): readonly StoredItem[]
  /** All items as they are kept. */
  all(): readonly StoredItem[]
  /** As of `Found`. */
  some(key: string, test: (item: Item) => boolean): boolean
  /** As of `Found`. */
  isTaken(id: string): boolean
}

/** What an operation is given of a collection. Most look at little of it, so each part is found when it is first read. */
export class FoundIn implements Found {
  readonly #collection: Searched
  readonly #need: Need
  #items: readonly StoredItem[] | undefined

  constructor(collection: Searched, need: Need) {
    this.#collection = collection
    this.#need = need
  }

  get assigned(): number {
    return this.#collection.assigned
  }

  get size(): number {
    return this.#collection.size
  }

  get item(): StoredItem | undefined {
    return this.#need.kind === 'item' ? this.#collection.find(this.#need.id) : undefined
  }

  get items(): readonly StoredItem[] {
    return (this.#items ??= this.#gather())
  }

  page(offset: number, limit: number): readonly StoredItem[] {
    return this.#collection.pageOf(offset, limit)
  }

  some(key: string, test: (item: Item) => boolean): boolean {
    return this.#collection.some(key, test)
  }

  isTaken(id: string): boolean {
    return this.#collection.isTaken(id)
  }

  #gather(): readonly StoredItem[] {
    const need = this.#need
    if (need.kind === 'page') return this.page(need.offset, need.limit)
    return need.kind === 'all' ? this.#collection.all() : NONE
  }
}

const NONE: readonly StoredItem[] = []

/** The changes of single items that a change of a collection is made of, in their order. */
export function singleChanges(
  change: Change,
  collection: { entries(): Iterable<readonly [id: string, item: Item]> },
): readonly SingleChange[] {
  if (change.kind !== 'several') return [change]
  const ids = change.empties ? [...collection.entries()].map(([id]) => id) : []
  return [...ids.map((id) => ({ kind: 'remove' as const, id })), ...change.changes]
}

/** What is known of a collection, and which of its items is the one that is needed. */
export function withItem(found: Found, item: StoredItem | undefined): Found {
  return new FoundWithItem(found, item)
}

class FoundWithItem implements Found {
  readonly assigned: number
  readonly size: number
  readonly item: StoredItem | undefined
  readonly isTaken: Found['isTaken']
  readonly #found: Found

  constructor(found: Found, item: StoredItem | undefined) {
    this.assigned = found.assigned
    this.size = found.size
    this.item = item
    this.isTaken = (id) => found.isTaken(id)
    this.#found = found
  }

  get items(): readonly StoredItem[] {
    return this.#found.items
  }

  page(offset: number, limit: number): readonly StoredItem[] {
    return this.#found.page(offset, limit)
  }

  some(key: string, test: (item: Item) => boolean): boolean {
    return this.#found.some(key, test)
  }
}
