import type { ItemRequest, StoredOperation } from '../../../collections/item-operations.ts'
import type { Outcome } from '../../../collections/outcome.ts'
import type { Observer } from '../../../engine/observer.ts'
import { ItemNotFound, ModelNotGenerable } from '../../../errors.ts'
import type { Found, Item, Need, StoredItem } from '../../../state/store.ts'
import type { VirtualCollection } from './virtual-collection.ts'

/**
 * What a request reads of items that nothing changes, where whatever id an item could have is that of one. An id that
 * none could have, and an item that nothing fits, are left to the operation's own body.
 */
export function readVirtual(
  collection: VirtualCollection,
  operation: StoredOperation,
  request: ItemRequest,
): Outcome | undefined {
  try {
    const need = operation.need(request)
    const item = need.kind === 'item' ? collection.any(need.id) : undefined
    // An error that is only caught again would cost more than all the rest.
    if (need.kind === 'item' && item === undefined) return undefined
    return operation.decide(request, new FoundVirtual(collection, need, item))
  } catch (error) {
    if (error instanceof ItemNotFound || error instanceof ModelNotGenerable) return undefined
    throw error
  }
}

class FoundVirtual implements Found {
  readonly assigned: number
  readonly size: number
  readonly item: StoredItem | undefined
  readonly isTaken: Found['isTaken']
  readonly #collection: VirtualCollection
  readonly #need: Need

  constructor(collection: VirtualCollection, need: Need, item: StoredItem | undefined) {
    this.assigned = collection.assigned
    this.size = collection.size
    this.item = item
    this.isTaken = (id) => collection.get(id) !== undefined
    this.#collection = collection
    this.#need = need
  }

  get items(): readonly StoredItem[] {
    const need = this.#need
    return need.kind === 'page' ? this.page(need.offset, need.limit) : this.page(0, this.size)
  }

  page(offset: number, limit: number): readonly StoredItem[] {
    return this.#collection.page(offset, limit)
  }

  some(_key: string, test: (item: Item) => boolean): boolean {
    return this.page(0, this.size).some(({ value }) => test(value))
  }
}

/** A collection whose items an observer sees when they are read: they are made once for all who look at them. */
export function seen(collection: VirtualCollection, path: string, observer: Observer): VirtualCollection {
  const note = <Some extends StoredItem | undefined>(item: Some, id?: string): Some => {
    const by = 'the seed, as one that the collection begins with'
    if (item !== undefined)
      observer.take(item.value, {
        origin: 'store',
        collection: path,
        by,
        ...(id !== undefined && { item: id }),
      })
    return item
  }
  return {
    ...{ size: collection.size, assigned: collection.assigned, ids: collection.ids },
    any: (id) => note(collection.any(id), id),
    get: (id) => note(collection.get(id), id),
    page: (offset, limit) => collection.page(offset, limit).map((item) => note(item)),
    entries: () => collection.entries(),
  }
}
