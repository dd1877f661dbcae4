/** The value of a stored item: an instance of some route's output model. */
export type Item = Readonly<Record<string, unknown>>

/** An item as it is kept: its value and its JSON text, of which one is given and the other made when first needed. */
export class StoredItem {
  #value: Item | undefined
  #text: string | undefined

  constructor(value: Item | undefined, text?: string) {
    this.#value = value
    this.#text = text
  }

  get value(): Item {
    return (this.#value ??= JSON.parse(this.text) as Item)
  }

  get text(): string {
    return (this.#text ??= JSON.stringify(this.#value))
  }

  /** What it can be made of again and takes the least: its text, where that is known. */
  get kept(): StoredItem | string {
    return this.#text ?? this
  }

  /** About how much memory it holds, as far as that is known without making its text. */
  get bytes(): number {
    return this.#text?.length ?? UNKNOWN_BYTES
  }
}

const UNKNOWN_BYTES = 512

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
  /**
   * Gives an operation what it needs to know, and stores what it decides; both at once for whoever else uses the store.
   * @throws ItemExists, StoreFull when the change cannot be made, and whatever the operation throws
   */
  run<Request, Made extends Decision>(operation: ItemOperation<Request, Made>, request: Request): Made
}

/** What one kind of request does with a collection: a pure decision from what it needs to know of it. */
export interface ItemOperation<Request, Made extends Decision = Decision> {
  /** The most items the collection may hold. */
  readonly maxItems: number
  need(request: Request): Need
  /** Makes the answer, and says what is to be stored. Throws what refuses the request. */
  decide(request: Request, found: Found): Made
}

/** What an operation has to know of a collection, besides how large it is. */
export type Need =
  /** `ordinal`: how many ids were assigned, of which the next is for what is added. */
  | { readonly kind: 'nothing' | 'ordinal' | 'all' }
  | { readonly kind: 'item'; readonly id: string }
  | { readonly kind: 'page'; readonly offset: number; readonly limit: number }

/** What an operation is given to decide by. */
export interface Found {
  /** How many ids were assigned so far. */
  readonly assigned: number
  readonly size: number
  /** The item that is needed, if it is there. */
  readonly item: StoredItem | undefined
  /** The items that are needed: one page, or all. They are gathered when this is first read. */
  readonly items: readonly StoredItem[]
  /** A page of items, where all are needed only for some requests. */
  page(offset: number, limit: number): readonly StoredItem[]
  /**
   * Whether some item passes a test. It is remembered that none does, until one is stored that passes.
   * @param key equal for tests that are the same
   */
  some(key: string, test: (item: Item) => boolean): boolean
  /** Whether an id is known to be in use, so that it is not assigned. */
  isTaken(id: string): boolean
}

/** What an operation comes to. */
export interface Decision {
  readonly change?: Change | undefined
}

/** What is to be stored, as data. */
export type Change =
  | SingleChange
  /** Several changes at once; `empties`: of a collection from which all is taken away before. */
  | { readonly kind: 'several'; readonly changes: readonly SingleChange[]; readonly empties: boolean }

/** What is to become of one item. */
export type SingleChange =
  /** Adds an item that is not there yet. `ordinal` is how many ids had been assigned or passed over before its own. */
  | { readonly kind: 'add'; readonly id: string; readonly item: StoredItem; readonly ordinal: number }
  /** Stores an item, be there one with its id or not. */
  | { readonly kind: 'put'; readonly id: string; readonly item: StoredItem }
  /** Replaces the item that was found. */
  | { readonly kind: 'replace'; readonly id: string; readonly item: StoredItem }
  | { readonly kind: 'remove'; readonly id: string }

/** What a collection holds until it is first written to: items that are made when they are needed. */
export interface Beginning {
  readonly size: number
  /** How many ids its items took. */
  readonly assigned: number
  get(id: string): StoredItem | undefined
  page(offset: number, limit: number): readonly StoredItem[]
  entries(): Iterable<readonly [id: string, item: StoredItem]>
}

/** All collections, by concrete path: `/orgs/7/users` is not `/orgs/8/users`. */
export interface Store {
  /** The collection at a path; where nothing was stored yet, one that holds its beginning, or nothing. */
  collection(path: string, beginning?: Beginning): Collection
  /** Whether anything was stored in the collection at a path. */
  has(path: string): boolean
  /** The paths of the collections that anything was stored in. */
  paths(): Iterable<string>
  /** How many items there are in all collections. */
  readonly size: number
  /** Empties one collection, or all. */
  clear(path?: string): void
  /** Every collection's items as JSON data. */
  snapshot(): StoreSnapshot
  /** Replaces everything by a snapshot. */
  restore(snapshot: StoreSnapshot): void
  /** How many changes there were so far. */
  readonly version: number
  /** A copy as it was when there had been so many changes; `undefined` where that is no longer known. */
  before(version: number): Store | undefined
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
