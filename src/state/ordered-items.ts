import type { StoredItem } from './store.ts'

const CHUNK_ITEMS = 512

interface Chunk {
  /** Its place among the chunks. */
  at: number
  readonly entries: Entry[]
}

interface Entry {
  readonly id: string
  item: StoredItem
  readonly chunk: Chunk
}

/** An item that was removed. */
interface Removed {
  readonly item: StoredItem
  /** The id of the one that came after it. */
  readonly next: string | undefined
}

/**
 * Items by their ids, in the order they were added. They lie in chunks of a few hundred: an item is removed from its
 * chunk, and a page is found by counting chunks. How many each holds is kept in one list besides: to look into a
 * thousand chunks, each somewhere else in memory, takes longer than all the rest of a page.
 */
export class OrderedItems {
  readonly #chunks: Chunk[] = []
  readonly #sizes: number[] = []
  readonly #entries = new Map<string, Entry>()

  get size(): number {
    return this.#entries.size
  }

  get(id: string): StoredItem | undefined {
    return this.#entries.get(id)?.item
  }

  /** Up to `limit` items from the one at `offset`. */
  page(offset: number, limit: number): readonly StoredItem[] {
    const [chunks, sizes] = [this.#chunks, this.#sizes]
    const found: StoredItem[] = []
    let skip = Math.max(0, Math.ceil(offset))
    let at = 0
    for (; at < sizes.length && skip >= (sizes[at] as number); at++) skip -= sizes[at] as number
    for (; at < chunks.length && found.length < limit; at++) {
      const { entries } = chunks[at] as Chunk
      const end = Math.min(entries.length, skip + limit - found.length)
      for (; skip < end; skip++) found.push((entries[skip] as Entry).item)
      skip = 0
    }
    return found
  }

  *entries(): IterableIterator<readonly [id: string, item: StoredItem]> {
    for (const { entries } of this.#chunks) for (const { id, item } of entries) yield [id, item]
  }

  /** Puts an item in the place of the one with its id, where there is one. */
  replace(id: string, item: StoredItem): boolean {
    const entry = this.#entries.get(id)
    if (entry !== undefined) entry.item = item
    return entry !== undefined
  }

  /** Adds an item after all others, whose id none of them has. */
  add(id: string, item: StoredItem): void {
    const chunk = this.#lastChunk()
    const entry: Entry = { id, item, chunk }
    chunk.entries.push(entry)
    this.#entries.set(id, entry)
    this.#sizes[chunk.at] = chunk.entries.length
  }

  /** @returns nothing where there was no such item */
  remove(id: string): Removed | undefined {
    const entry = this.#entries.get(id)
    if (entry === undefined) return undefined
    const { item, chunk } = entry
    const { at, entries } = chunk
    const place = entries.indexOf(entry)
    const next = entries[place + 1] ?? this.#chunks[at + 1]?.entries[0]
    entries.splice(place, 1)
    this.#entries.delete(id)
    this.#sizes[at] = entries.length
    if (entries.length === 0) this.#removeChunk(at)
    return { item, next: next?.id }
  }

  #lastChunk(): Chunk {
    const last = this.#chunks.at(-1)
    if (last !== undefined && last.entries.length < CHUNK_ITEMS) return last
    const chunk: Chunk = { at: this.#chunks.length, entries: [] }
    this.#chunks.push(chunk)
    return chunk
  }

  #removeChunk(at: number): void {
    this.#chunks.splice(at, 1)
    this.#sizes.splice(at, 1)
    for (let index = at; index < this.#chunks.length; index++) (this.#chunks[index] as Chunk).at = index
  }
}
