import { idText, type ItemRequest } from '../../../collections/item-operations.ts'
import { hashText } from '../../../engine/random.ts'
import { memberAt } from '../../../engine/schema/member.ts'
import { ItemNotFound } from '../../../errors.ts'
import type { Collection, Item } from '../../../state/store.ts'
import { valueOf } from './items-above.ts'
import { createLookupTest } from './look-up.ts'
import type { Role } from './resource-role.ts'
import { pathOf, type VirtualCollection } from './virtual-collection.ts'
import type { VirtualItems } from './virtual-items.ts'

/** The id of the item that is shown where no path names one, and whether the request named it in another way. */
export interface Chosen {
  readonly id: string
  readonly isNamed: boolean
}

/**
 * How a request whose path has no id chooses an item: by the values that its parameters give the item's fields, by the
 * item above it, which refers to one, or by a draw.
 */
export function createChooser(
  { home, keys = [], reads }: Role,
  virtual: VirtualItems,
  verboseErrors: boolean,
): (
  request: Pick<ItemRequest, 'request' | 'params' | 'input' | 'path' | 'store'>,
  items: Collection | VirtualCollection,
) => Chosen {
  const idOf = (item: Item | undefined): string => {
    const id = item === undefined ? undefined : memberAt(item, home.idPath ?? [])
    return id === undefined ? '' : idText(id)
  }
  return ({ request, params, input, path, store }, items) => {
    const wanted = createLookupTest(keys, input)
    if (wanted !== undefined) {
      const found = items.page(0, items.size).map(valueOf).find(wanted.test)
      if (found !== undefined) return { id: idOf(found), isNamed: true }
      const where = { collection: path, id_field: wanted.field, id_value: wanted.text }
      if (store !== undefined && wanted.isRequired) throw new ItemNotFound(verboseErrors ? where : undefined)
    }
    if (reads !== undefined) {
      const { resource, parameter } = reads.above
      const values = Object.values(params).slice(0, resource.parents.length)
      const there = virtual.collection(resource, values)
      const text = params[parameter] ?? ''
      const stored = store?.collection(pathOf(resource, values), there).get(text)
      const id = reads.read(stored ?? there.any(text)?.value)
      if (id !== undefined) return { id: idText(id), isNamed: false }
    }
    const [drawn] = items.size === 0 ? [] : items.page((hashText(request.path) >>> 0) % items.size, 1)
    return { id: idOf(drawn && valueOf(drawn)), isNamed: false }
  }
}
