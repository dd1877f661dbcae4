import { LRUCache } from 'lru-cache'
import type { AssignId } from '../../../collections/ids.ts'
import { idText } from '../../../collections/item-operations.ts'
import { remembered } from '../../../engine/lazy.ts'
import { ItemNotFound } from '../../../errors.ts'
import { StoredItem, type Collection, type Item, type Store } from '../../../state/store.ts'
import { createLookedUp } from './look-up.ts'
import type { Above } from './resource-map.ts'
import { pathOf, type VirtualCollection } from './virtual-collection.ts'
import type { VirtualItems } from './virtual-items.ts'

/** Says whether one of the items above a request's path was made by a request. @throws ItemNotFound where one was removed */
export type LookAbove = (params: Readonly<Record<string, string>>, store: Store) => boolean

/**
 * Looks at the items that a path lies below. Below one that nobody has seen things may lie, but not below one that was
 * removed.
 * @param within the parameters that say below which items a collection lies: what was made has nothing below it yet
 */
export function createLookAbove(
  above: readonly Above[],
  within: readonly string[],
  virtual: VirtualItems,
  verboseErrors: boolean,
): LookAbove {
  return (params, store) => {
    let isMade = false
    for (const { resource, parameter } of above) {
      const id = params[parameter] ?? ''
      const lookup = virtual.map.lookupOf(resource)
      const owner = lookup?.home ?? resource
      const values = Object.values(params).slice(0, owner.parents.length)
      const path = pathOf(owner, values)
      const first = virtual.collection(owner, values)
      const isNamed = lookup && createLookedUp(lookup, params, id)
      const has = (items: Collection | VirtualCollection): boolean =>
        isNamed === undefined
          ? items.get(id) !== undefined
          : items.page(0, items.size).some((item) => isNamed(valueOf(item)))
      const now = store.collection(path, first)
      const [isFirst, isThere] = [has(first), has(now)]
      if (!isFirst && isThere && within.includes(parameter)) isMade = true
      const { assignId } = virtual.makerOf(owner)
      if (isThere || !(isFirst || (lookup === undefined && isAssigned(assignId, path, [first, now], id))))
        continue
      const where = { collection: path, id_field: parameter, id_value: id }
      throw new ItemNotFound(verboseErrors ? where : undefined)
    }
    return isMade
  }
}

// Of the ids that were given to what requests made, most are of items that are still there.
function isAssigned(
  assignId: AssignId,
  path: string,
  [first, now]: readonly [VirtualCollection, Collection],
  id: string,
): boolean {
  const from = Math.max(first.assigned, now.assigned - MAX_LOOKED_AT)
  if (from >= now.assigned) return false
  const ordinal = assignedIds(assignId)(path, from, now.assigned).get(id)
  return ordinal !== undefined && ordinal < now.assigned
}

const MAX_LOOKED_AT = 10_000

/**
 * The ids that a collection gives at some ordinals, and maybe at some before and after them. They are the same whenever
 * they are made, so those of the last collections are kept.
 */
export const assignedIds = remembered((assignId: AssignId) => {
  const known = new LRUCache<
    string,
    { readonly ids: Map<string, number>; readonly from: number; to: number }
  >({ max: MAX_KEPT })
  return (path: string, from: number, to: number): ReadonlyMap<string, number> => {
    const before = known.get(path)
    const isKept = before !== undefined && before.from <= from && from - before.from <= MAX_LOOKED_AT
    const kept = isKept ? before : { ids: new Map<string, number>(), from, to: from }
    for (; kept.to < to; kept.to++) kept.ids.set(idText(assignId(path, kept.to, () => false).value), kept.to)
    known.set(path, kept)
    return kept.ids
  }
}, new WeakMap())

const MAX_KEPT = 20

/** An item of a store, or of what it begins with. */
export function valueOf(item: StoredItem | Item): Item {
  return item instanceof StoredItem ? item.value : item
}

/** A collection below an item that a request made. */
export const NOTHING_YET: VirtualCollection = {
  ...{ ids: [], size: 0, assigned: 0 },
  any: () => undefined,
  get: () => undefined,
  page: () => [],
  entries: () => [],
}
