import { createIdReader } from '../../../collections/ids.ts'
import { idText } from '../../../collections/item-operations.ts'
import { remembered } from '../../../engine/lazy.ts'
import { copyValue } from '../../../engine/schema/copy-value.ts'
import { memberAt, withMember } from '../../../engine/schema/member.ts'
import { createExampleItems } from './example-items.ts'
import type { StoredItem } from '../../../state/store.ts'
import type { Resource } from './resource.ts'
import { VirtualItem, type VirtualCollection } from './virtual-collection.ts'

/** What the examples of a path show of items that are those of another resource. */
export interface ExamplesElsewhere {
  /** Whether the example of an item shows another one than this; one without an id is of what no list shows. */
  isOfOther(id: string, collection: VirtualCollection): boolean
  /** The collection with its items as these examples have them. */
  within(collection: VirtualCollection, home: Resource): VirtualCollection
}

/** The examples of a resource whose items are at home elsewhere. */
export const examplesElsewhere = remembered((resource: Resource): ExamplesElsewhere => {
  const { idPath } = resource
  const examples = createExampleItems(resource)
  const ownId = idPath === undefined ? undefined : memberAt(examples.usual, idPath)
  const readId = createIdReader(resource)
  const shownAs = new WeakMap<StoredItem, VirtualItem>()
  const withinOf = (collection: VirtualCollection, home: Resource): VirtualCollection => ({
    ...{ size: collection.size, assigned: collection.assigned, ids: collection.ids },
    ...{ get: collection.get, page: collection.page, entries: collection.entries },
    any(text) {
      const item = collection.any(text)
      const known = item && shownAs.get(item)
      if (known !== undefined) return known
      const isListed = collection.get(text) !== undefined
      const shown = examples.of(text) ?? (isListed ? undefined : examples.usual)
      if (item === undefined || shown === undefined || idPath === undefined) return item
      // Another field may name it there, of another type, or none.
      const id = readId(idText(memberAt(item.value, home.idPath ?? idPath) ?? text))
      const hasId = id !== undefined && memberAt(shown, idPath) !== undefined
      const as = new VirtualItem(
        () => (hasId ? withMember(copyValue(shown), idPath, id) : copyValue(shown)),
        shown === examples.usual ? { shownBy: resource } : {},
      )
      shownAs.set(item, as)
      return as
    },
  })
  const known = new WeakMap<VirtualCollection, VirtualCollection>()
  return {
    isOfOther(id, collection) {
      if (ownId !== undefined && ownId !== null) return idText(ownId) !== id
      const item = collection.get(id)
      return item instanceof VirtualItem && item.listed !== undefined
    },
    within(collection, home) {
      const own = known.get(collection) ?? withinOf(collection, home)
      known.set(collection, own)
      return own
    },
  }
}, new WeakMap())
