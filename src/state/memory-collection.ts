import { ItemExists, StoreFull } from '../errors.ts'
import { FoundIn, type Searched, singleChanges } from './found.ts'
import { OrderedItems } from './ordered-items.ts'
import type { StoreHistory } from './store-history.ts'
import {
  StoredItem,
  type Beginning,
  type Collection,
  type Decision,
  type Item,
  type ItemOperation,
  type SingleChange,
} from './store.ts'

/** How many tests are remembered that no item passes. */
const MAX_FAILED = 100

/** The items of one collection in this process's memory. */
export class MemoryCollection implements Collection, Searched {
  #assigned = 0
  readonly #path: string
  readonly #whenFirstUsed: () => boolean
  readonly #history: StoreHistory
  /** What it holds as long as nothing is stored. */
  #beginning: Beginning | undefined
  readonly #items = new OrderedItems()
  /** Tests that no item passes, by their keys. */
  readonly #failed = new Map<string, (item: Item) => boolean>()

  /** @param whenFirstUsed keeps it, and says whether it was not kept before */
  constructor(path: string, whenFirstUsed: () => boolean, history: StoreHistory, beginning?: Beginning) {
    this.#path = path
    this.#whenFirstUsed = whenFirstUsed
    this.#history = history
    this.#beginning = beginning
  }

  get size(): number {
    return this.#held.size
  }

  get assigned(): number {
    return this.#beginning?.assigned ?? this.#assigned
  }

  set assigned(count: number) {
    const began = this.#begin()
    this.#history.note({ path: this.#path, assigned: this.#assigned, began })
    this.#assigned = count
  }

  get(id: string): Item | undefined {
    return this.find(id)?.value
  }

  /** An item as it is kept. */
  find(id: string): StoredItem | undefined {
    return this.#held.get(id)
  }

  set(id: string, item: Item): void {
    const before = this.find(id)
    this.#store(id, new StoredItem(item), before, this.assigned)
  }

  /** Adds an item, without a word in the history. */
  fill(id: string, item: StoredItem): void {
    this.#begin()
    if (!this.#items.replace(id, item)) this.#items.add(id, item)
    this.#reconsider(item)
  }

  /** The items that are stored, as they are kept. */
  stored(): IterableIterator<readonly [string, StoredItem]> {
    return this.#items.entries()
  }

  delete(id: string): boolean {
    if (this.#beginning?.get(id) === undefined && this.#beginning !== undefined) return false
    const began = this.#begin()
    const removed = this.#items.remove(id)
    const { item: before, next } = removed ?? {}
    const facts = { path: this.#path, assigned: this.#assigned, began }
    if (removed !== undefined) this.#history.note({ ...facts, id, before, next })
    else if (began) this.#history.note(facts)
    return removed !== undefined
  }

  page(offset: number, limit: number): Item[] {
    return this.pageOf(offset, limit).map(({ value }) => value)
  }

  /** A page of items as they are kept. */
  pageOf(offset: number, limit: number): readonly StoredItem[] {
    return this.#held.page(offset, limit)
  }

  all(): readonly StoredItem[] {
    return this.pageOf(0, this.size)
  }

  *items(): IterableIterator<Item> {
    for (const [, { value }] of this.#held.entries()) yield value
  }

  *entries(): IterableIterator<readonly [string, Item]> {
    for (const [id, { value }] of this.#held.entries()) yield [id, value]
  }

  run<Request, Made extends Decision>(operation: ItemOperation<Request, Made>, request: Request): Made {
    const need = operation.need(request)
    const decision = operation.decide(request, new FoundIn(this, need))
    if (decision.change !== undefined)
      for (const each of singleChanges(decision.change, this)) this.#apply(each, operation.maxItems)
    return decision
  }

  isTaken(id: string): boolean {
    return this.find(id) !== undefined
  }

  /** Whether some item passes a test, as `Found` has it. */
  some(key: string, test: (item: Item) => boolean): boolean {
    if (this.#failed.has(key)) return false
    for (const item of this.items()) if (test(item)) return true
    if (this.#failed.size >= MAX_FAILED) this.#failed.clear()
    this.#failed.set(key, test)
    return false
  }

  get #held(): Pick<Beginning, 'size' | 'get' | 'page' | 'entries'> {
    return this.#beginning ?? this.#items
  }

  // From now on it holds what is stored in it.
  #begin(): boolean {
    const began = this.#whenFirstUsed()
    const beginning = this.#beginning
    if (beginning === undefined) return began
    this.#beginning = undefined
    this.#assigned = beginning.assigned
    for (const [id, item] of beginning.entries()) this.#items.add(id, item)
    return began
  }

  #apply(change: SingleChange, maxItems: number): void {
    const { kind, id } = change
    if (kind === 'remove') return void this.delete(id)
    const before = this.find(id)
    if (kind === 'add' && before !== undefined) throw new ItemExists(this.#path, id)
    if (before === undefined && this.size >= maxItems) throw new StoreFull(this.#path, maxItems)
    this.#store(id, change.item, before, kind === 'add' ? change.ordinal + 1 : this.assigned)
  }

  #store(id: string, item: StoredItem, before: StoredItem | undefined, assigned: number): void {
    const began = this.#begin()
    this.#history.note({ path: this.#path, id, before, assigned: this.#assigned, began })
    if (before === undefined) this.#items.add(id, item)
    else this.#items.replace(id, item)
    this.#assigned = assigned
    this.#reconsider(item)
  }

  // What is stored may pass tests that no other item has passed.
  #reconsider(item: StoredItem): void {
    if (this.#failed.size > 0)
      for (const [key, test] of this.#failed) if (test(item.value)) this.#failed.delete(key)
  }
}
