import { MemoryCollection } from './memory-collection.ts'
import { createStoreHistory, RewoundItems } from './store-history.ts'
import { StoredItem, type Beginning, type Store, type StoreSnapshot } from './store.ts'

/**
 * A store in this process's memory. Nothing is kept of a collection that was only looked at.
 * @param first what it holds to begin with
 */
export function createMemoryStore(first: ReadonlyMap<string, RewoundItems> = new Map()): Store {
  const collections = new Map<string, MemoryCollection>()
  const history = createStoreHistory()
  const collection = (path: string, beginning?: Beginning): MemoryCollection => {
    const known = collections.get(path)
    if (known !== undefined) return known
    const keep = (): boolean => {
      if (collections.get(path) === created) return false
      collections.set(path, created)
      return true
    }
    const created: MemoryCollection = new MemoryCollection(path, keep, history, beginning)
    return created
  }
  const fill = (path: string, assigned: number, items: Iterable<readonly [string, StoredItem]>): void => {
    const created = collection(path)
    for (const [id, item] of items) created.fill(id, item)
    created.assigned = assigned
  }
  for (const [path, items] of first) fill(path, items.assigned, items)
  if (first.size > 0) history.forget()

  return {
    collection,
    has: (path) => collections.has(path),
    paths: () => collections.keys(),
    get size() {
      return [...collections.values()].reduce((sum, { size }) => sum + size, 0)
    },
    clear(path) {
      if (path === undefined) collections.clear()
      else collections.delete(path)
      history.forget()
    },
    snapshot: () => ({
      version: 1,
      collections: Object.fromEntries(
        [...collections].map(([path, each]) => [
          path,
          { assigned: each.assigned, items: [...each.entries()] },
        ]),
      ),
    }),
    restore(snapshot: StoreSnapshot) {
      collections.clear()
      for (const [path, { assigned, items }] of Object.entries(snapshot.collections)) {
        fill(
          path,
          assigned,
          items.map(([id, item]) => [id, new StoredItem(item)]),
        )
      }
      history.forget()
    },
    get version() {
      return history.version
    },
    before(version) {
      const changes = history.since(version)
      if (changes === undefined) return undefined
      const all = new Map(
        [...collections].map(([path, each]) => [path, new RewoundItems(each.assigned, each.stored())]),
      )
      for (const change of changes) {
        if (change.began) all.delete(change.path)
        else all.get(change.path)?.undo(change)
      }
      return createMemoryStore(all)
    },
  }
}
