import { fieldsOf } from '../../../engine/schema/fields.ts'
import { kindOf, schemasOf } from '../../../engine/schema/keywords.ts'
import { createFold } from '../../../engine/schema/merge.ts'
import { createResolver, propertiesOf, type Schema } from '../../../engine/schema/schema.ts'
import { partOf } from '../../../engine/list-shape.ts'
import { idFieldOf, type FieldModels, type IdEvidence } from './id-field.ts'

/** Where in an answer its item lies. */
export interface ItemShape extends FieldModels {
  /** The property that holds the item; `undefined` where the answer is the item. */
  readonly field: string | undefined
  /** The model of the item, which stands by itself. */
  readonly item: Schema
}

/** The item of an answer that is one, or that wraps one as `{ pet: {…} }`; `undefined` for an answer of another kind. */
export function itemShapeOf(model: Schema, evidence: IdEvidence): ItemShape | undefined {
  const fold = createFold(createResolver(model))
  const folded = fold(model)
  if (typeof folded === 'boolean' || !isObjectModel(folded)) return undefined
  const whole = shapeOf(undefined, model)
  if (idFieldOf(whole, evidence) !== undefined) return whole

  const inner = propertiesOf(folded).flatMap(([field, part]): ItemShape[] => {
    const own = fold(part)
    if (typeof own === 'boolean' || !isObjectModel(own)) return []
    return [shapeOf(field, partOf(model, part))]
  })
  const names = [evidence.singular, 'data', 'item', 'result', 'resource']
  const wrapped =
    names.map((name) => inner.find(({ field }) => field === name)).find((shape) => shape !== undefined) ??
    (inner.length === 1 && whole.fields.size === 1 ? inner[0] : undefined)
  return wrapped ?? whole
}

function shapeOf(field: string | undefined, item: Schema): ItemShape {
  const resolve = createResolver(item)
  const fields = fieldsOf(item, resolve)
  const modelOf = (name: string): Schema => partOf(item, createFold(resolve)(fields.get(name) ?? true))
  return { field, item, fields, modelOf }
}

function isObjectModel(schema: Schema): boolean {
  return kindOf(schema) === 'object' || ['anyOf', 'oneOf'].some((keyword) => schemasOf(schema, keyword))
}
