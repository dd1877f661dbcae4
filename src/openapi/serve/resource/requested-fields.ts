import { createFieldFinder } from '../../../collections/find-field.ts'
import { pageParameterNames } from '../../../collections/paging/page-parameters.ts'
import type { Stream } from '../../../engine/random.ts'
import { createChecker } from '../../../engine/schema/checker.ts'
import { createFold } from '../../../engine/schema/merge.ts'
import { createResolver, type Entries, type SchemaOrBoolean } from '../../../engine/schema/schema.ts'
import type { Resource } from './resource.ts'

/** Gives the fields of an item that its list is requested by, drawn for that item. */
export type RequestedFields = (stream: Stream) => Entries

/**
 * The fields that each request of a list has to name one of a few values of: where `?status=` is required and can be
 * `pending` alone, that is what the items have, whatever else their model has as an example.
 */
export function createRequestedFields({ list, shape }: Resource): RequestedFields {
  const operation = list?.route.operation
  if (operation === undefined) return () => NONE
  const paging = pageParameterNames(operation)
  const required = operation.parameters.filter(
    (each) => each.in === 'query' && each.required && !paging.has(each.name),
  )
  if (required.length === 0) return () => NONE
  const finder = createFieldFinder(shape)
  const requested = required.flatMap(({ name, model }) => {
    const field = finder.field(name)
    if (field === undefined || !shape.fields.has(field)) return []
    const checker = createChecker(shape.modelOf(field))
    const values = valuesOf(model).filter((value) => checker.fits(value))
    return values.length === 0 ? [] : [{ field, values }]
  })
  if (requested.length === 0) return () => NONE
  return (stream) =>
    Object.fromEntries(
      requested.map(({ field, values }) => [field, stream.childOf(`requested ${field}`).pick(values)]),
    )
}

function valuesOf(model: SchemaOrBoolean): readonly unknown[] {
  const folded = typeof model === 'boolean' ? model : createFold(createResolver(model))(model)
  if (typeof folded === 'boolean') return []
  if ('const' in folded) return [folded['const']]
  return Array.isArray(folded['enum']) ? (folded['enum'] as unknown[]) : []
}

const NONE: Entries = {}
