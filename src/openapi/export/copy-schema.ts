import { SUBSCHEMAS } from '../../engine/schema/keywords.ts'
import { isObject, LINK, typesOf, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { plain, plainEntries, plainLink } from './plain.ts'

/** What stands in a copy for a schema that is found elsewhere. */
export interface Elsewhere {
  /** For the value of a `$ref`. */
  reference(reference: string): string
  /** For a model with a name of its own. */
  named(model: Schema): Schema
}

/** A plain copy of a schema, whatever its name. Definitions and names go, since references are given anew. */
export function copySchema(schema: Schema, elsewhere: Elsewhere): Schema {
  const entries = Object.entries(modern(schema)).filter(([keyword]) => !DROPPED.has(keyword))
  return plainEntries(entries.map(([keyword, value]) => [keyword, copyKeyword(keyword, value, elsewhere)]))
}

/** A plain copy of a schema, or what stands for it where it is a model with a name. */
export function copyPart(schema: SchemaOrBoolean, elsewhere: Elsewhere): SchemaOrBoolean {
  if (typeof schema === 'boolean') return schema
  if (!isNamed(schema)) return copySchema(schema, elsewhere)
  // A link belongs to the place and not to the model: without it, the model is the same as in other places.
  const { [LINK]: link, ...model } = schema
  if (!isObject(link)) return elsewhere.named(schema)
  return { ...elsewhere.named(model), [LINK]: plainLink(link) }
}

/** Whether a schema is a model with a name: one with an `$id`, or a title that is not just a field's label. */
export function isNamed(schema: Schema): boolean {
  if (isText(schema['$id'])) return true
  return isText(schema['title']) && !isSimple(schema)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

// Many libraries give each field a title: a text called "First name" is not a model.
function isSimple(schema: unknown): boolean {
  if (!isObject(schema)) return true
  if (Array.isArray(schema['enum'])) return false
  if (Object.hasOwn(schema, 'const')) return true
  const members = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(members)) return members.every(isSimple)
  const types = typesOf(schema)
  if (types.includes('array')) return isSimple(schema['items'])
  return types.length > 0 && !types.includes('object')
}

function copyKeyword(keyword: string, value: unknown, elsewhere: Elsewhere): unknown {
  const part = (each: unknown): unknown =>
    isObject(each) || typeof each === 'boolean' ? copyPart(each, elsewhere) : plain(each)
  const parts = (each: object): unknown =>
    plainEntries(Object.entries(each).map(([name, one]) => [name, part(one)]))

  if (keyword === '$ref' && typeof value === 'string') return elsewhere.reference(value)
  if (keyword === LINK && isObject(value)) return plainLink(value)
  if (keyword === 'discriminator' && isObject(value)) return copyDiscriminator(value, elsewhere)
  const held = SUBSCHEMAS.get(keyword)
  if (held === 'one') return part(value)
  if (held === 'list' && Array.isArray(value)) return value.map(part)
  if (held === 'named' && isObject(value)) return parts(value)
  return plain(value)
}

/** OpenAPI's map from a property's value to a model; a bare name there stays as it is. */
function copyDiscriminator(discriminator: object, elsewhere: Elsewhere): unknown {
  const copy = plain(discriminator) as Record<string, unknown>
  if (!isObject(copy['mapping'])) return copy
  const mapping = Object.entries(copy['mapping']).map(([value, model]) => [
    value,
    typeof model === 'string' && model.startsWith('#') ? elsewhere.reference(model) : model,
  ])
  return { ...copy, mapping: Object.fromEntries(mapping) as unknown }
}

// Before 2020-12, a tuple was an `items` that is an array.
function modern(schema: Schema): Schema {
  const { items, additionalItems, ...others } = schema
  if (!Array.isArray(items)) return schema
  return { ...others, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) }
}

const DROPPED = new Set([
  ...['$defs', 'definitions', 'components', '$id', '$anchor', '$schema', '$vocabulary', '$dynamicAnchor'],
  'x-sim-verify',
])
