import { isObject, LINK, type Schema } from '../../engine/schema/schema.ts'

/** A link and the field that it is put on. */
export interface FieldLink {
  readonly field: string
  readonly link: Readonly<Record<string, unknown>>
}

/** A model with links put on fields, which are named from the answer's root: `items[].tag`, `meta.asked`. */
export function attachLinks(model: Schema, links: readonly FieldLink[]): Schema {
  return links.reduce(
    (schema, { field, link }) => changeField(schema, field, (part) => ({ ...part, [LINK]: link })),
    model,
  )
}

/** A model with another schema for one field; a model that does not have it stays as it is. */
export function changeField(model: Schema, field: string, change: (part: Schema) => Schema): Schema {
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
