import {
  idText,
  outcome,
  type CompileOperation,
  type ItemRequest,
} from '../../../collections/item-operations.ts'
import type { Entries } from '../../../engine/schema/schema.ts'
import { StoredItem } from '../../../state/store.ts'
import type { OpenApiRoute } from '../choose-response.ts'
import { createSuppliedReader } from './item-factory.ts'
import type { Resource } from './resource.ts'

/**
 * What adds an item below another: one that is there, where the request says no more of it than its id, and else a new
 * one.
 * @param relate gives an item the reference that the request's path speaks of
 */
export function attachItem(
  route: OpenApiRoute,
  { idField, evidence }: Resource,
  create: CompileOperation,
  relate: (request: ItemRequest, item: Entries) => void,
): CompileOperation {
  if (idField === undefined) return create
  const supplied = createSuppliedReader(route, [evidence.singular])
  const idOf = (request: ItemRequest): string | undefined => {
    const { [idField]: id, ...others } = supplied.fields(request)
    const isAlone = Object.keys(others).length === 0 && id !== undefined && id !== null && id !== ''
    return isAlone ? idText(id) : undefined
  }
  return (context) => {
    const created = create(context)
    return {
      maxItems: created.maxItems,
      need(request) {
        const id = idOf(request)
        return id === undefined ? created.need(request) : { kind: 'item', id }
      },
      decide(request, found) {
        const id = idOf(request)
        if (id === undefined || found.item === undefined) return created.decide(request, found)
        const value: Entries = { ...found.item.value }
        relate(request, value)
        const item = new StoredItem(value)
        return outcome(context, context.form.show(item, request, id), { kind: 'replace', id, item })
      },
    }
  }
}
