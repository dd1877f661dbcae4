import { alternativesOf } from '../../engine/schema/coerce.ts'
import { fieldSchemasOf, type FieldSchemas } from '../../engine/schema/fields.ts'
import { itemsOf, schemasOf } from '../../engine/schema/keywords.ts'
import { isObject, type Resolve, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'

/** Takes the fields that only answers have out of what a client sends; `undefined` for a model without such fields. */
export function createReadOnlyFilter(
  model: Schema,
  resolve: Resolve,
): ((value: unknown) => unknown) | undefined {
  if (!hasReadOnly(model)) return undefined
  const fields = new Map<Schema, FieldSchemas>()
  const lists = new Map<Schema, Schema>()
  const fieldsOf = (schema: Schema): FieldSchemas => {
    const known = fields.get(schema) ?? fieldSchemasOf(schema, resolve)
    fields.set(schema, known)
    return known
  }
  const listOf = (schema: Schema): Schema => {
    const forms = alternativesOf(schema, resolve)
    const known = lists.get(schema) ?? forms.find((form) => form['items'] !== undefined) ?? {}
    lists.set(schema, known)
    return known
  }

  const filter = (value: unknown, schema: SchemaOrBoolean): unknown => {
    if (typeof schema === 'boolean') return value
    if (Array.isArray(value)) {
      const { first, rest } = itemsOf(listOf(schema))
      return value.map((item, index) => filter(item, first[index] ?? rest))
    }
    if (!isObject(value)) return value
    const { declared, other } = fieldsOf(schema)
    const kept = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
      const part = declared.get(name) ?? other(name)
      return isReadOnly(part, resolve) ? [] : [[name, filter(each, part)]]
    })
    return Object.fromEntries(kept)
  }
  return (value) => filter(value, model)
}

function hasReadOnly(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(hasReadOnly)
  if (!isObject(part)) return false
  return part['readOnly'] === true || Object.values(part).some(hasReadOnly)
}

function isReadOnly(
  schema: SchemaOrBoolean,
  resolve: Resolve,
  seen: ReadonlySet<Schema> = new Set(),
): boolean {
  if (typeof schema === 'boolean' || seen.has(schema)) return false
  if (schema['readOnly'] === true) return true
  const within = new Set([...seen, schema])
  const { $ref: reference } = schema
  if (typeof reference === 'string' && isReadOnly(resolve(reference), resolve, within)) return true
  const union = schemasOf(schema, 'anyOf') ?? []
  return (
    (schemasOf(schema, 'allOf') ?? []).some((part) => isReadOnly(part, resolve, within)) ||
    (union.length > 0 && union.every((part) => isReadOnly(part, resolve, within)))
  )
}
