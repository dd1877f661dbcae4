import type { Echo } from './links.ts'
import { isObject, LINK, type Schema, type SchemaOrBoolean, typesOf } from '../../engine/schema/schema.ts'

/** A link and the field that it is put on. */
export interface FieldLink {
  readonly field: string
  readonly link: Readonly<Record<string, unknown>>
}

/** A model with links put on fields, which are named from the answer's root: `items[].tag`, `meta.count`. */
export function attachLinks(model: Schema, links: readonly FieldLink[]): Schema {
  return links.reduce(
    (schema, { field, link }) => changeField(schema, field, (part) => ({ ...part, [LINK]: link })),
    model,
  )
}

/** A model with another schema for one field; a model that does not have it stays as it is. */
function changeField(model: Schema, field: string, change: (part: Schema) => Schema): Schema {
  return changeAt(model, field.split('.'), change)
}

function changeAt(schema: Schema, names: readonly string[], change: (part: Schema) => Schema): Schema {
  const [name, ...below] = names
  if (name === undefined) return change(schema)
  const [plain = '', ...lists] = name.split('[]')
  // A list at the root has no name.
  const inside = plain === '' ? schema : property(schema, plain)
  if (inside === undefined) return schema
  const linked = withinLists(inside, lists.length, (item) => changeAt(item, below, change))
  return plain === ''
    ? linked
    : { ...schema, properties: { ...(schema['properties'] as object | undefined), [plain]: linked } }
}

function property(schema: Schema, name: string): Schema | undefined {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const found = Object.hasOwn(properties, name) ? properties[name] : undefined
  return isObject(found) ? found : undefined
}

function withinLists(schema: Schema, depth: number, change: (item: Schema) => Schema): Schema {
  if (depth === 0) return change(schema)
  const { items } = schema
  return isObject(items) ? { ...schema, items: withinLists(items, depth - 1, change) } : schema
}

/**
 * A model whose echoed fields take whatever a request may give: the values that were seen bound a field that is made up,
 * and not one that repeats.
 * @param within what the names of fields begin with before those of the model
 */
export function openOutput(
  model: Schema,
  echoes: readonly Echo[],
  input: Schema | undefined,
  within: string,
): Schema {
  return echoes
    .filter(({ field }) => field.startsWith(within))
    .reduce((opened, { field, source }) => {
      const requested = source.in === 'header' ? undefined : propertyOf(input, source.name)
      return changeField(opened, field.slice(within.length), (part) => open(part, requested))
    }, model)
}

/** An input whose fields are texts where answers repeat them as texts, though all that were seen read as numbers. */
export function textInput(
  input: Schema | undefined,
  echoes: readonly Echo[],
  model: Schema,
  within: string,
): Schema | undefined {
  return echoes.reduce((opened, { field, source }) => {
    const isText = source.in === 'path' || source.in === 'query'
    if (opened === undefined || !isText || !field.startsWith(within)) return opened
    let types: readonly string[] = []
    changeField(model, field.slice(within.length), (part) => {
      types = typesOf(part)
      return part
    })
    const isPlain = types.every((type) => type === 'string' || type === 'null') && types.includes('string')
    return isPlain ? changeField(opened, source.name, toText) : opened
  }, input)
}

function toText(part: Schema): Schema {
  const types = typesOf(part)
  return types.includes('string') || types.includes('array') ? part : { type: 'string' }
}

function open(part: Schema, requested: SchemaOrBoolean | undefined): Schema {
  const { type, anyOf, format } = part
  const isRequested = isObject(requested) && requested['format'] === format
  return {
    ...(type !== undefined && { type }),
    ...(anyOf !== undefined && { anyOf }),
    ...(format !== undefined && isRequested && { format }),
  }
}

function propertyOf(input: Schema | undefined, name: string): SchemaOrBoolean | undefined {
  const properties = (input?.['properties'] ?? {}) as Readonly<Record<string, SchemaOrBoolean>>
  return Object.hasOwn(properties, name) ? properties[name] : undefined
}
