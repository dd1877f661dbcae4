import { ItemExists, StoreFull } from '../../errors.ts'
import { FoundIn, type Searched, singleChanges } from '../found.ts'
import {
  StoredItem,
  type Beginning,
  type Collection,
  type Decision,
  type Item,
  type ItemOperation,
  type Need,
  type SingleChange,
} from '../store.ts'
import {
  NOT_LOADED,
  type Facts,
  type HeldItem,
  type Loaded,
  type LoadedCollection,
  type Missing,
} from './loaded.ts'

/** A change of one item that a piece of work has made. */
export interface ItemChange {
  readonly kind: 'add' | 'put' | 'remove'
  readonly id: string
  readonly item: StoredItem | undefined
  /** The most items there may be afterwards. */
  readonly most: number | undefined
}

/** One collection of a shared store, as far as it is loaded, with what a piece of work has changed in it. */
export class CollectionView implements Collection, Searched {
  readonly loaded: LoadedCollection
  readonly changes: ItemChange[] = []
  /** Whether the order or the number of its items was looked at. */
  readsWhole = false
  /** What is to be the count of its ids, where that was set. */
  setAssigned: number | undefined
  isCleared = false
  readonly #all: Loaded
  readonly #missing: Missing[]
  /** What became of the items that were changed. */
  #changed: Map<string, StoredItem | undefined> | undefined

  /** @param missing gets what is looked at and not loaded */
  constructor(loaded: LoadedCollection, all: Loaded, missing: Missing[]) {
    this.loaded = loaded
    this.#all = all
    this.#missing = missing
  }

  get isChanged(): boolean {
    return this.changes.length > 0 || this.setAssigned !== undefined || this.isCleared
  }

  get size(): number {
    if (this.isChanged) return this.#everything().length
    this.readsWhole = true
    return this.#facts().known === 'yes' ? this.#facts().size : (this.#start?.size ?? 0)
  }

  get assigned(): number {
    if (this.setAssigned !== undefined) return this.setAssigned
    const reserved = this.#all.reserved?.get(this.loaded.path)
    if (reserved !== undefined) return reserved.ordinal
    const { known, assigned } = this.#facts()
    const started = known === 'yes' || this.isCleared ? 0 : (this.#start?.assigned ?? 0)
    return this.isCleared || assigned === '' ? started : Number(assigned)
  }

  set assigned(count: number) {
    this.#facts()
    this.setAssigned = count
  }

  get(id: string): Item | undefined {
    return this.find(id)?.value
  }

  set(id: string, item: Item): void {
    this.#change({ kind: 'put', id, item: new StoredItem(item), most: undefined })
  }

  delete(id: string): boolean {
    if (this.find(id) === undefined) return false
    this.#change({ kind: 'remove', id, item: undefined, most: undefined })
    return true
  }

  page(offset: number, limit: number): Item[] {
    return this.pageOf(offset, limit).map(({ value }) => value)
  }

  *items(): IterableIterator<Item> {
    for (const [, { value }] of this.#everything()) yield value
  }

  *entries(): IterableIterator<readonly [string, Item]> {
    for (const [id, { value }] of this.#everything()) yield [id, value]
  }

  /** Takes away all that is in it. */
  clear(): void {
    this.isCleared = true
    this.changes.length = 0
    this.#changed = undefined
    this.setAssigned = undefined
  }

  run<Request, Made extends Decision>(operation: ItemOperation<Request, Made>, request: Request): Made {
    const need = operation.need(request)
    this.#require(need)
    const decision = operation.decide(request, new FoundIn(this, need))
    if (decision.change !== undefined)
      for (const each of singleChanges(decision.change, this)) this.#apply(each, operation.maxItems)
    return decision
  }

  get #start(): Beginning | undefined {
    return this.isCleared ? undefined : this.loaded.start
  }

  // Nothing was stored in it, as far as that is known.
  get #isBeginning(): boolean {
    const { known } = this.loaded
    return known !== undefined && known !== 'yes'
  }

  #miss(missing: Missing): never {
    this.#missing.push(missing)
    throw NOT_LOADED
  }

  #facts(): Facts {
    return this.loaded.facts ?? this.#miss({ kind: 'facts', path: this.loaded.path })
  }

  // The same where all items are looked at too, which come along with it.
  #factsWithAll(): Facts {
    return this.loaded.facts ?? this.#miss({ kind: 'all', path: this.loaded.path })
  }

  // What an operation needs is loaded in one go.
  #require(need: Need): void {
    const { path } = this.loaded
    if (need.kind === 'ordinal') {
      if (this.setAssigned === undefined && this.#all.reserved?.has(path) !== true)
        this.#miss({ kind: 'ordinal', path })
    } else if (need.kind === 'item') this.find(need.id)
    else if (need.kind === 'page') this.pageOf(need.offset, need.limit)
    else if (need.kind === 'all' && !this.isCleared) this.#factsWithAll()
  }

  find(id: string): StoredItem | undefined {
    const { path } = this.loaded
    if (this.#changed?.has(id) === true) return this.#changed.get(id)
    if (this.isCleared) return undefined
    // It may be one that the collection begins with.
    if (this.#isBeginning) return this.#start?.get(id)
    if (!this.loaded.items.has(id)) this.#miss({ kind: 'item', path, id })
    return this.loaded.items.get(id)?.item
  }

  pageOf(offset: number, limit: number): readonly StoredItem[] {
    if (this.isChanged)
      return this.#everything()
        .slice(offset, offset + limit)
        .map(([, item]) => item)
    this.readsWhole = true
    const { path, facts, order, pages } = this.loaded
    if (facts !== undefined && facts.known !== 'yes') return this.#start?.page(offset, limit) ?? []
    if (!(limit > 0)) return []
    const most = Math.min(limit, Number.MAX_SAFE_INTEGER - offset)
    const ids =
      order?.slice(offset, offset + limit) ??
      pages?.get(`${offset}:${most}`) ??
      this.#miss({ kind: 'page', path, offset, limit: most })
    return ids.map((id) => (this.loaded.items.get(id) as HeldItem).item)
  }

  all(): readonly StoredItem[] {
    return this.#everything().map(([, item]) => item)
  }

  /** As far as that is known: what is not, the server says when it is stored. */
  isTaken(id: string): boolean {
    if (this.#changed?.has(id) === true) return this.#changed.get(id) !== undefined
    if (this.isCleared) return false
    if (this.#isBeginning) return this.#start?.get(id) !== undefined
    return this.loaded.items.get(id) !== undefined
  }

  some(_: string, test: (item: Item) => boolean): boolean {
    return this.#everything().some(([, { value }]) => test(value))
  }

  // All items, with what was changed.
  #everything(): readonly (readonly [string, StoredItem])[] {
    const there = new Map<string, StoredItem>(this.isCleared ? [] : this.#stored())
    for (const { id, item } of this.changes) {
      if (item === undefined) there.delete(id)
      else there.set(id, item)
    }
    return [...there]
  }

  #stored(): Iterable<readonly [string, StoredItem]> {
    this.readsWhole = true
    const { path, order } = this.loaded
    if (this.#factsWithAll().known !== 'yes') return this.#start?.entries() ?? []
    const ids = order ?? this.#miss({ kind: 'all', path })
    return ids.map((id) => [id, (this.loaded.items.get(id) as HeldItem).item])
  }

  #apply(change: SingleChange, maxItems: number): void {
    const { kind, id } = change
    const { path, facts } = this.loaded
    if (kind === 'remove') return void this.delete(id)
    const isSeen = this.isTaken(id)
    if (kind === 'add' && isSeen) throw new ItemExists(path, id)
    const size = facts?.known === 'yes' ? facts.size : this.#start?.size
    if (!isSeen && kind !== 'replace' && !this.isChanged && facts !== undefined && (size ?? 0) >= maxItems) {
      // It may be one that is there, so that none is added.
      if (this.find(id) === undefined) throw new StoreFull(path, maxItems)
    }
    if (kind === 'add') this.#assign(change.ordinal)
    this.#change({ kind: kind === 'add' ? 'add' : 'put', id, item: change.item, most: maxItems })
  }

  // Ordinals whose ids are in use are passed over; the next one is then this request's own.
  #assign(ordinal: number): void {
    const { path } = this.loaded
    const reserved = this.#all.reserved?.get(path)
    if (reserved === undefined || this.setAssigned !== undefined) this.assigned = ordinal + 1
    else if (ordinal !== reserved.ordinal) {
      reserved.passed.push(reserved.ordinal)
      this.#miss({ kind: 'ordinal', path })
    }
  }

  #change(change: ItemChange): void {
    this.changes.push(change)
    this.#changed ??= new Map()
    this.#changed.set(change.id, change.item)
  }
}
