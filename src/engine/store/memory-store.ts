import type { Collection, Item, Store, StoreSnapshot } from './store.ts'

const CHUNK_ITEMS = 512

type Chunk = Map<string, Item>

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
 * chunk, and a page is found by counting chunks.
 */
function createCollection(whenFirstUsed: () => void): MemoryCollection {
  const chunks: Chunk[] = []
  const chunkOf = new Map<string, Chunk>()

  const lastChunk = (): Chunk => {
    const last = chunks.at(-1)
    if (last !== undefined && last.size < CHUNK_ITEMS) return last
    const chunk: Chunk = new Map()
    chunks.push(chunk)
    return chunk
  }
  function* entries(): IterableIterator<readonly [string, Item]> {
    for (const chunk of chunks) yield* chunk
  }
  function* items(): IterableIterator<Item> {
    for (const chunk of chunks) yield* chunk.values()
  }
  return {
    assigned: 0,
    get size() {
      return chunkOf.size
    },
    get: (id) => chunkOf.get(id)?.get(id),
    set(id, item) {
      whenFirstUsed()
      const chunk = chunkOf.get(id) ?? lastChunk()
      chunk.set(id, item)
      chunkOf.set(id, chunk)
    },
    delete(id) {
      const chunk = chunkOf.get(id)
      if (chunk === undefined) return false
      chunk.delete(id)
      chunkOf.delete(id)
      if (chunk.size === 0) chunks.splice(chunks.indexOf(chunk), 1)
      return true
    },
    page(offset, limit) {
      const found: Item[] = []
      let skip = offset
      for (const chunk of chunks) {
        if (found.length >= limit) break
        if (skip >= chunk.size) {
          skip -= chunk.size
          continue
        }
        for (const item of chunk.values()) {
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
