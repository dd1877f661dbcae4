import { remembered } from '../../engine/lazy.ts'
import type { MediaType } from '../../engine/operation.ts'
import { itemsOf, kindOf } from '../../engine/schema/keywords.ts'
import { foldOf, type Fold } from '../../engine/schema/merge.ts'
import { typesOf, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { schemaOfValues } from '../../shape/observed-schema.ts'

/**
 * A media type as answers are made of it: where its schema names no fields, and examples do, its model is what these have
 * in common. What is checked against a description is not held to that.
 */
export const shownMedia = remembered((media: MediaType): MediaType => {
  const { model, examples } = media
  const values = examples
    .map(({ value }) => value)
    .filter((value) => typeof value === 'object' && value !== null)
  if (values.length === 0 || (model !== undefined && saysMore(model, foldOf(model)))) return media
  const shown = { ...model, ...schemaOfValues(values) }
  return model?.['type'] === undefined || typesOf(model).includes(kindOf(shown))
    ? { ...media, model: shown }
    : media
}, new WeakMap())

// Whether a schema says more than that something is an object, or a list of them.
function saysMore(schema: SchemaOrBoolean, fold: Fold): boolean {
  const folded = fold(schema)
  if (typeof folded === 'boolean') return !folded
  if (kindOf(folded) === 'array')
    return Object.hasOwn(folded, 'prefixItems') || saysMore(itemsOf(folded).rest, fold)
  const isObject = typesOf(folded).length === 0 || typesOf(folded).includes('object')
  return !isObject || PARTICULAR.some((keyword) => Object.hasOwn(folded, keyword))
}

const PARTICULAR = [
  ...['properties', 'patternProperties', 'additionalProperties', 'propertyNames', 'required'],
  ...['anyOf', 'oneOf', 'allOf', 'not', 'if', 'enum', 'const', '$ref', '$dynamicRef'],
]
