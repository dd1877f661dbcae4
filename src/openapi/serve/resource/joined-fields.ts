import { partAt } from '../../../engine/list-shape.ts'
import type { Schema, SchemaOrBoolean } from '../../../engine/schema/schema.ts'
import type { FieldModels, ItemShape } from './item-shape.ts'

/** The model at the end of some names within an item. */
export function modelIn({ modelOf }: FieldModels, [first = '', ...rest]: readonly string[]): SchemaOrBoolean {
  return partAt(modelOf(first), rest)
}

/** The fields of several shapes: the first that has a field says what it is. */
export function joinFields(shapes: readonly ItemShape[]): FieldModels {
  const fields = new Map(shapes.toReversed().flatMap((shape) => [...shape.fields]))
  const modelOf = (name: string): Schema =>
    shapes.find((shape) => shape.fields.has(name))?.modelOf(name) ?? {}
  return { fields, modelOf }
}
