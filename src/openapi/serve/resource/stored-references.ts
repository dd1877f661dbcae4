import { idText } from '../../../collections/item-operations.ts'
import { copyValue } from '../../../engine/schema/copy-value.ts'
import type { Entries } from '../../../engine/schema/schema.ts'
import { StoredItem, type Item, type Store } from '../../../state/store.ts'
import { asHeld, createItemModel } from './item-model.ts'
import { idPathOf } from './item-shape.ts'
import { memberAt } from '../../../engine/schema/member.ts'
import type { Reference } from './references.ts'
import type { Resource } from './resource.ts'
import { setAt } from './change-at.ts'
import { pathOf } from './virtual-collection.ts'
import type { VirtualItems } from './virtual-items.ts'
import { remembered } from '../../../engine/lazy.ts'

/** How deep items within each other are looked at. */
const MAX_DEPTH = 2

/**
 * Makes what brings an item up to date with the items that it refers to: it holds them as they are now, and no longer
 * refers to those that were removed. It counts those that lie below it.
 */
export function createUpdate(
  resource: Resource,
  virtual: VirtualItems,
): (item: StoredItem, store: Store, values: readonly string[]) => StoredItem {
  // Those of a collection below others have it written in its path only.
  const referencesOf = remembered(
    (owner: Resource) =>
      virtual.makerOf(owner).references.filter(({ target }) => target.parents.length === 0),
    new WeakMap(),
  )
  const update = (owner: Resource, value: Item, store: Store, depth: number): Item => {
    const changed = referencesOf(owner).filter(({ target }) => store.has(pathOf(target, [])))
    if (changed.length === 0) return value
    const copy = copyValue(value) as Entries
    for (const reference of changed)
      setAt(copy, reference.path, (now) => current(reference, now, store, depth))
    return copy
  }
  const current = (reference: Reference, now: unknown, store: Store, depth: number): unknown => {
    const { target, shape, isOptional, isNullable, asId } = reference
    const inner = shape === undefined ? [] : (idPathOf(shape, target.evidence) ?? [])
    const id = memberAt(now, inner)
    if (typeof id !== 'string' && typeof id !== 'number') return now
    const beginning = virtual.collection(target, [])
    const stored = store.collection(pathOf(target, []), beginning)
    const text = idText(id)
    const item = stored.get(text)
    if (item === undefined) {
      if (!wasThere(id, beginning.get(text) !== undefined, stored.assigned)) return now
      if (isOptional) return undefined
      if (isNullable) return null
      const [other] = stored.size === 0 ? [] : stored.page(text.length % stored.size, 1)
      if (other === undefined) return now
      return shape === undefined ? asId(memberAt(other, target.idPath ?? [])) : held(reference, other, now)
    }
    if (shape === undefined || depth >= MAX_DEPTH) return now
    return held(reference, update(target, item, store, depth + 1), now)
  }
  const { idPath = [] } = resource
  const counted = (value: Item, store: Store, values: readonly string[]): Item => {
    const { counts } = virtual.makerOf(resource)
    const id = counts.length === 0 ? undefined : memberAt(value, idPath)
    if (id === undefined) return value
    const own = [...values, idText(id)]
    const changed = counts.flatMap(({ name, below, fits }) => {
      const path = pathOf(below, own)
      if (value[name] === undefined || !store.has(path)) return []
      const { size } = store.collection(path, virtual.collection(below, own))
      return fits(size) ? [[name, size] as const] : []
    })
    return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
  }
  return (item, store, values) => {
    const value = counted(update(resource, item.value, store, 0), store, values)
    return value === item.value ? item : new StoredItem(value)
  }
}

const modelOf = remembered(createItemModel, new WeakMap())

// An item within another, which holds no more of it than it did.
function held({ shape }: Reference, item: Item, now: unknown): unknown {
  if (shape === undefined) return now
  const model = modelOf(shape)
  const own = asHeld(shape, model.own(item), now)
  return model.fits(own) ? own : now
}

// Whole numbers are assigned in turn.
function wasThere(id: string | number, isOfBeginning: boolean, assigned: number): boolean {
  return isOfBeginning || (typeof id === 'number' && id <= assigned)
}
