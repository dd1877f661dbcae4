import type { Collection, Found, Item, Store, StoredItem } from '../../state/store.ts'

/** An item of the store that a request looked at, or that it stored. */
export interface SeenItem {
  readonly collection: string
  /** Absent where it was one of a list whose items do not say their ids. */
  readonly id: string | undefined
  readonly value: Item
  /** Whether the request stored it. */
  readonly isStored: boolean
}

/** A store that reports which of its items a request looks at and changes. */
export function watchStore(store: Store, see: (item: SeenItem) => void): Store {
  return {
    ...store,
    get size() {
      return store.size
    },
    get version() {
      return store.version
    },
    collection: (path, beginning) => watchCollection(store.collection(path, beginning), path, see),
  }
}

function watchCollection(own: Collection, collection: string, see: (item: SeenItem) => void): Collection {
  const seen = <Value extends Item | undefined>(value: Value, id?: string, isStored = false): Value => {
    if (value !== undefined) see({ collection, id: id ?? idIn(value), value, isStored })
    return value
  }
  const seenItem = <Some extends StoredItem | undefined>(item: Some, id?: string): Some => {
    seen(item?.value, id)
    return item
  }
  const watchFound = (found: Found, id: string | undefined): Found => ({
    ...{ assigned: found.assigned, size: found.size, isTaken: (taken) => found.isTaken(taken) },
    some: (key, test) => found.some(key, test),
    item: seenItem(found.item, id),
    get items() {
      return found.items.map((item) => seenItem(item))
    },
    page: (offset, limit) => found.page(offset, limit).map((item) => seenItem(item)),
  })
  return {
    get size() {
      return own.size
    },
    get assigned() {
      return own.assigned
    },
    set assigned(count) {
      own.assigned = count
    },
    get: (id) => seen(own.get(id), id),
    set(id, item) {
      seen(item, id, true)
      own.set(id, item)
    },
    delete: (id) => own.delete(id),
    page: (offset, limit) => own.page(offset, limit).map((item) => seen(item)),
    *items() {
      for (const item of own.items()) yield seen(item)
    },
    run(operation, request) {
      const need = operation.need(request)
      const id = need.kind === 'item' ? need.id : undefined
      const { maxItems } = operation
      const decision = own.run(
        {
          maxItems,
          need: () => need,
          decide: (given, found) => operation.decide(given, watchFound(found, id)),
        },
        request,
      )
      const { change } = decision
      const changes = change?.kind === 'several' ? change.changes : change === undefined ? [] : [change]
      for (const each of changes) if (each.kind !== 'remove') seen(each.item.value, each.id, true)
      return decision
    },
  }
}

function idIn({ id }: Item): string | undefined {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}
