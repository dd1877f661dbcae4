import type { Model, Schema } from './schema.ts'
import { isStandard, schemaOfModel, type StandardModel } from './standard.ts'

/** The output of a route that answers with a list of a model. */
export function list(model: StandardModel): Schema
export function list<Item extends Model>(model: Item): { readonly type: 'array'; readonly items: Item }
export function list(model: Model): Schema {
  return withItem(model, (items) => ({ type: 'array', items }))
}

/** An output made of an item's model. Definitions of a library's schema go to the root, where its references look. */
export function withItem(model: Model, wrap: (item: Schema) => Schema): Schema {
  const schema = schemaOfModel(model, 'output')
  if (!isStandard(model) || schema['$defs'] === undefined) return wrap(schema)
  const { $defs, ...item } = schema
  return { ...wrap(item), $defs }
}
