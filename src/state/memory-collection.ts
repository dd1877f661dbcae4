import { lazy } from '../engine/lazy.ts'
import { ItemExists, StoreFull } from '../errors.ts'
import type { StoreHistory } from './store-history.ts'
import {
  StoredItem,
  type Beginning,
  type Change,
  type Collection,
  type Decision,
  type Found,
  type Item,
  type ItemOperation,
  type Need,
} from './store.ts'

const CHUNK_ITEMS = 512
/** How many tests are remembered that no item passes. */
const MAX_FAILED = 100

interface Chunk {
  /** Its place among the chunks. */
  at: number
  readonly items: Map<string, StoredItem>
}

/**
 * Items lie in chunks of a few hundred, each a Map in insertion order: an item is found and removed through its
 * chunk, and a page is found by counting chunks. How many each holds is kept in one list besides: to look into a
 * thousand chunks, each somewhere else in memory, takes longer than all the rest of a page.
 */
export class MemoryCollection implements Collection {
  #assigned = 0
  readonly #path: string
  readonly #whenFirstUsed: () => boolean
  readonly #history: StoreHistory
  /** What it holds as long as nothing is stored. */
  #beginning: Beginning | undefined
  readonly #chunks: Chunk[] = []
  readonly #sizes: number[] = []
  readonly #chunkOf = new Map<string, Chunk>()
  readonly #isTaken = (id: string): boolean => this.#find(id) !== undefined
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
    return this.#beginning?.size ?? this.#chunkOf.size
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
    return this.#find(id)?.value
  }

  set(id: string, item: Item): void {
    this.#store(id, new StoredItem(item))
  }

  /** Adds an item, without a word in the history. */
  fill(id: string, item: StoredItem): void {
    this.#begin()
    this.#put(id, item)
  }

  /** The items that are stored, as they are kept. */
  *stored(): IterableIterator<readonly [string, StoredItem]> {
    for (const { items } of this.#chunks) yield* items
  }

  delete(id: string): boolean {
    if (this.#beginning?.get(id) === undefined && this.#beginning !== undefined) return false
    const began = this.#begin()
    const chunk = this.#chunkOf.get(id)
    const before = chunk?.items.get(id)
    if (chunk === undefined || before === undefined) {
      if (began) this.#history.note({ path: this.#path, assigned: this.#assigned, began })
      return false
    }
    this.#history.note({
      ...{ path: this.#path, id, before, assigned: this.#assigned, began },
      next: this.#after(id, chunk),
    })
    chunk.items.delete(id)
    this.#chunkOf.delete(id)
    this.#sizes[chunk.at] = chunk.items.size
    if (chunk.items.size === 0) this.#removeChunk(chunk.at)
    return true
  }

  page(offset: number, limit: number): Item[] {
    return this.#page(offset, limit).map(({ value }) => value)
  }

  *items(): IterableIterator<Item> {
    if (this.#beginning !== undefined) for (const [, { value }] of this.#beginning.entries()) yield value
    for (const { items } of this.#chunks) for (const { value } of items.values()) yield value
  }

  *entries(): IterableIterator<readonly [string, Item]> {
    if (this.#beginning !== undefined)
      for (const [id, { value }] of this.#beginning.entries()) yield [id, value]
    for (const { items } of this.#chunks) for (const [id, { value }] of items) yield [id, value]
  }

  run<Request, Made extends Decision>(operation: ItemOperation<Request, Made>, request: Request): Made {
    const decision = operation.decide(request, this.#lookUp(operation.need(request)))
    if (decision.change !== undefined) this.#apply(decision.change, operation.maxItems)
    return decision
  }

  #lookUp(need: Need): Found {
    const items = lazy(() => this.#itemsFor(need))
    return {
      assigned: this.assigned,
      size: this.size,
      item: need.kind === 'item' ? this.#find(need.id) : undefined,
      get items() {
        return items()
      },
      page: (offset, limit) => this.#page(offset, limit),
      some: (key, test) => this.#some(key, test),
      isTaken: this.#isTaken,
    }
  }

  #some(key: string, test: (item: Item) => boolean): boolean {
    if (this.#failed.has(key)) return false
    for (const item of this.items()) if (test(item)) return true
    if (this.#failed.size >= MAX_FAILED) this.#failed.clear()
    this.#failed.set(key, test)
    return false
  }

  #itemsFor(need: Need): readonly StoredItem[] {
    if (need.kind === 'page') return this.#page(need.offset, need.limit)
    if (need.kind !== 'all') return NONE
    if (this.#beginning !== undefined) return this.#beginning.page(0, this.#beginning.size)
    return this.#chunks.flatMap(({ items }) => [...items.values()])
  }

  // From now on it holds what is stored in it.
  #begin(): boolean {
    const began = this.#whenFirstUsed()
    const beginning = this.#beginning
    if (beginning === undefined) return began
    this.#beginning = undefined
    this.#assigned = beginning.assigned
    for (const [id, item] of beginning.entries()) this.#put(id, item)
    return began
  }

  #apply(change: Change, maxItems: number): void {
    const { kind, id } = change
    if (kind === 'remove') return void this.delete(id)
    const before = this.#find(id)
    if (kind === 'add' && before !== undefined) throw new ItemExists(this.#path, id)
    if (before === undefined && this.size >= maxItems) throw new StoreFull(this.#path, maxItems)
    const began = this.#begin()
    this.#history.note({ path: this.#path, id, before, assigned: this.#assigned, began })
    this.#put(id, change.item)
    if (kind === 'add') this.#assigned = change.ordinal + 1
  }

  #store(id: string, item: StoredItem): void {
    const began = this.#begin()
    this.#history.note({ path: this.#path, id, before: this.#find(id), assigned: this.#assigned, began })
    this.#put(id, item)
  }

  #after(id: string, { at, items }: Chunk): string | undefined {
    let isNext = false
    for (const each of items.keys()) {
      if (isNext) return each
      isNext = each === id
    }
    const [first] = this.#chunks[at + 1]?.items.keys() ?? []
    return first
  }

  #find(id: string): StoredItem | undefined {
    return this.#beginning === undefined ? this.#chunkOf.get(id)?.items.get(id) : this.#beginning.get(id)
  }

  #put(id: string, item: StoredItem): void {
    const chunk = this.#chunkOf.get(id) ?? this.#lastChunk()
    chunk.items.set(id, item)
    this.#chunkOf.set(id, chunk)
    this.#sizes[chunk.at] = chunk.items.size
    if (this.#failed.size > 0)
      for (const [key, test] of this.#failed) if (test(item.value)) this.#failed.delete(key)
  }

  #page(offset: number, limit: number): readonly StoredItem[] {
    if (this.#beginning !== undefined) return this.#beginning.page(offset, limit)
    const [chunks, sizes] = [this.#chunks, this.#sizes]
    const found: StoredItem[] = []
    let skip = offset
    let at = 0
    for (; at < sizes.length && skip >= (sizes[at] as number); at++) skip -= sizes[at] as number
    for (; at < chunks.length && found.length < limit; at++) {
      for (const item of (chunks[at] as Chunk).items.values()) {
        if (skip > 0) skip--
        else if (found.push(item) >= limit) break
      }
    }
    return found
  }

  #lastChunk(): Chunk {
    const last = this.#chunks.at(-1)
    if (last !== undefined && last.items.size < CHUNK_ITEMS) return last
    const chunk: Chunk = { at: this.#chunks.length, items: new Map() }
    this.#chunks.push(chunk)
    return chunk
  }

  #removeChunk(at: number): void {
    this.#chunks.splice(at, 1)
    this.#sizes.splice(at, 1)
    for (let index = at; index < this.#chunks.length; index++) (this.#chunks[index] as Chunk).at = index
  }
}

const NONE: readonly StoredItem[] = []
