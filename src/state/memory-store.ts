import type { Collection, Item, Store, StoreSnapshot } from './store.ts'

const CHUNK_ITEMS = 512

interface Chunk {
  /** Its place among the chunks. */
  at: number
  readonly items: Map<string, Item>
}

/** A store in this process's memory. Nothing is kept of a collection that was only looked at. */
export function createMemoryStore(): Store {
  const collections = new Map<string, MemoryCollection>()
  const collection = (path: string): MemoryCollection => {
    const known = collections.get(path)
    if (known !== undefined) return known
    const created: MemoryCollection = createCollection(() => collections.set(path, created))
    return created
  }
  return {
    collection,
    get size() {
      return [...collections.values()].reduce((sum, { size }) => sum + size, 0)
    },
    clear(path) {
      if (path === undefined) collections.clear()
      else collections.delete(path)
    },
    snapshot: () => ({
      version: 1,
      collections: Object.fromEntries(
        [...collections].map(([path, { assigned, entries }]) => [path, { assigned, items: [...entries()] }]),
      ),
    }),
    restore(snapshot: StoreSnapshot) {
      collections.clear()
      for (const [path, { assigned, items }] of Object.entries(snapshot.collections)) {
        const restored = collection(path)
        for (const [id, item] of items) restored.set(id, item)
        restored.assigned = assigned
      }
    },
  }
}

interface MemoryCollection extends Collection {
  readonly entries: () => IterableIterator<readonly [string, Item]>
}

/**
 * Items lie in chunks of a few hundred, each a Map in insertion order: an item is found and removed through its
 * chunk, and a page is found by counting chunks. How many each holds is kept in one list besides: to ask a thousand
 * chunks, each somewhere else in memory, takes longer than all the rest of a page.
 */
function createCollection(whenFirstUsed: () => void): MemoryCollection {
  const chunks: Chunk[] = []
  const sizes: number[] = []
  const chunkOf = new Map<string, Chunk>()

  const lastChunk = (): Chunk => {
    const last = chunks.at(-1)
    if (last !== undefined && last.items.size < CHUNK_ITEMS) return last
    const chunk: Chunk = { at: chunks.length, items: new Map() }
    chunks.push(chunk)
    return chunk
  }
  const removeAt = (at: number): void => {
    chunks.splice(at, 1)
    sizes.splice(at, 1)
    for (let index = at; index < chunks.length; index++) (chunks[index] as Chunk).at = index
  }
  function* entries(): IterableIterator<readonly [string, Item]> {
    for (const { items: held } of chunks) yield* held
  }
  function* items(): IterableIterator<Item> {
    for (const { items: held } of chunks) yield* held.values()
  }
  return {
    assigned: 0,
    get size() {
      return chunkOf.size
    },
    get: (id) => chunkOf.get(id)?.items.get(id),
    set(id, item) {
      whenFirstUsed()
      const chunk = chunkOf.get(id) ?? lastChunk()
      chunk.items.set(id, item)
      chunkOf.set(id, chunk)
      sizes[chunk.at] = chunk.items.size
    },
    delete(id) {
      const chunk = chunkOf.get(id)
      if (chunk === undefined) return false
      chunk.items.delete(id)
      chunkOf.delete(id)
      sizes[chunk.at] = chunk.items.size
      if (chunk.items.size === 0) removeAt(chunk.at)
      return true
    },
    page(offset, limit) {
      const found: Item[] = []
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
    },
    items,
    entries,
  }
}
