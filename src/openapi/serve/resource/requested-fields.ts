import { createFieldFinder } from '../../../collections/find-field.ts'
import { pageParameterNames } from '../../../collections/paging/page-parameters.ts'
import type { Stream } from '../../../engine/random.ts'
import { createChecker } from '../../../engine/schema/checker.ts'
import { createFold } from '../../../engine/schema/merge.ts'
import { saidOf } from '../../../engine/schema/said.ts'
import {
  createResolver,
  LINK,
  typesOf,
  type Entries,
  type Schema,
  type SchemaOrBoolean,
} from '../../../engine/schema/schema.ts'
import type { Resource } from './resource.ts'

/** Gives the fields of an item that its list is requested by, drawn for that item. */
export type RequestedFields = (stream: Stream) => Entries

/**
 * The fields that requests of a list name one of a few values of: where `?status=` is required and can be `pending`
 * alone, that is what the items have, whatever else their model has as an example. Where requests may name one, it says
 * what a field is of which the model says nothing: `state` is `open` or `closed`, and not that of an address.
 */
export function createRequestedFields({ list, shape }: Resource): RequestedFields {
  const operation = list?.route.operation
  if (operation === undefined) return () => NONE
  const paging = pageParameterNames(operation)
  const queries = operation.parameters.filter((each) => each.in === 'query' && !paging.has(each.name))
  if (queries.length === 0) return () => NONE
  const finder = createFieldFinder(shape)
  const requested = queries.flatMap(({ name, required, model }) => {
    const field = required ? finder.field(name) : name
    if (field === undefined || !shape.fields.has(field)) return []
    const own = shape.modelOf(field)
    if (!required && !isAnyText(own)) return []
    const checker = createChecker(own)
    const values = valuesOf(model).filter(
      (value) => checker.fits(value) && (required || !ALL.test(String(value))),
    )
    return values.length === 0 ? [] : [{ field, values }]
  })
  if (requested.length === 0) return () => NONE
  return (stream) =>
    Object.fromEntries(
      requested.map(({ field, values }) => [field, stream.childOf(`requested ${field}`).pick(values)]),
    )
}

/** What requests write to name none. */
const ALL = /^(all|any|both|everything)?$/i

function isAnyText(model: Schema): boolean {
  const folded = createFold(createResolver(model))(model)
  if (typeof folded === 'boolean' || typesOf(folded).join() !== 'string') return false
  return (
    !SAYS.some((keyword) => Object.hasOwn(folded, keyword)) &&
    saidOf(model, createResolver(model)).length === 0
  )
}

const SAYS = ['enum', 'const', 'format', 'pattern', LINK]

function valuesOf(model: SchemaOrBoolean): readonly unknown[] {
  const folded = typeof model === 'boolean' ? model : createFold(createResolver(model))(model)
  if (typeof folded === 'boolean') return []
  if ('const' in folded) return [folded['const']]
  return Array.isArray(folded['enum']) ? (folded['enum'] as unknown[]) : []
}

const NONE: Entries = {}
