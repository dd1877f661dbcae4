import type { Seed } from '../../../engine/random.ts'
import type { ItemForm, ItemRequest } from '../../../collections/item-operations.ts'
import type { Item } from '../../../state/store.ts'
import type { DescribedRoute } from '../described-route.ts'
import { urlOfCall } from '../../../collections/paging/page-links.ts'
import { createItemModel } from './item-model.ts'
import { itemScope, itemStream } from './item-stream.ts'
import { tellsLocation, type Resource } from './resource.ts'
import { bodyFieldsOf, suppliedFields, suppliedWithDefaults } from './supplied.ts'

/** Makes and changes a resource's items from what requests of one route send. */
export type MakeItems = Pick<ItemForm, 'make' | 'change' | 'created'>

/**
 * How the requests of a route become items of its resource. An item holds what was sent; of what could have been sent
 * and was not, as little as its model allows; and for what the server sets, generated values.
 */
export function createItemMaker(route: DescribedRoute, resource: Resource, seed: Seed): MakeItems {
  const { operation } = route
  const { idField, shape, evidence } = resource
  const model = createItemModel(shape)
  const wrapper = [evidence.singular, 'data', 'item', ...(shape.field === undefined ? [] : [shape.field])]
  const maySend = bodyFieldsOf(operation, wrapper)

  return {
    make(request, given) {
      const supplied = suppliedWithDefaults(request, operation, wrapper)
      const known = { ...given, ...withoutBlank(model.taken(supplied), idField) }
      const id = idField === undefined ? request.collection.assigned : known[idField]
      const own = Object.entries(known).filter(([name]) => model.fields.size === 0 || model.fields.has(name))
      const stream = itemStream(seed, request, String(id))
      const made = model.complete(Object.fromEntries(own), stream, itemScope(route, request))
      const unsent = maySend.filter((name) => !Object.hasOwn(supplied, name) && name !== idField)
      return { ...supplied, ...model.without(made, unsent), ...known }
    },
    change(request, stored) {
      const supplied = suppliedFields(request, operation, wrapper)
      const taken = model.taken(supplied)
      const extra = Object.entries(supplied).filter(([name]) => !model.fields.has(name))
      const changed = { ...stored, ...Object.fromEntries(extra), ...taken }
      // RFC 7396: null takes a field away, where the field itself cannot be null.
      const removed = Object.keys(supplied).filter((name) => supplied[name] === null && !(name in taken))
      return model.without(changed, removed)
    },
    ...(tellsLocation(route) && {
      created: ({ call }: ItemRequest, id: string) => ({
        location: `${urlOfCall(call).replace(/\/$/, '')}/${encodeURIComponent(id)}`,
      }),
    }),
  }
}

// An id that is sent empty is one to be assigned.
function withoutBlank(fields: Item, idField: string | undefined): Item {
  if (idField === undefined || (fields[idField] !== null && fields[idField] !== '')) return fields
  const { [idField]: _blank, ...others } = fields
  return others
}
