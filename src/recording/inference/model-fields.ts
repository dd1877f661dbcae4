import {
  isObject,
  LINK,
  propertiesOf,
  type Schema,
  type SchemaOrBoolean,
  typesOf,
} from '../../engine/schema/schema.ts'
import { orNull } from '../../shape/observed-schema.ts'
import type { Echo } from './links.ts'

/** A link and the field that it is put on. */
export interface FieldLink {
  readonly field: string
  readonly link: Readonly<Record<string, unknown>>
}

// Fields are named from the answer's root, such as `items[].tag` or `meta.count`; `within` is what such a name begins
// with before the fields of the model.

/** A model with links put on fields; those that it does not have are left out. */
export function attachLinks(model: Schema, links: readonly FieldLink[], within = ''): Schema {
  return changeFields(model, links, within, (part, { link }) => ({ ...part, [LINK]: link }))
}

/**
 * A model whose echoed fields take whatever a request may give: the values that were seen bound a field that is made up,
 * and not one that repeats.
 */
export function openOutput(
  model: Schema,
  echoes: readonly Echo[],
  input: Schema | undefined,
  within: string,
): Schema {
  return changeFields(model, echoes, within, ({ type, anyOf, format }, { source }) => {
    const requested =
      source.in === 'header' || source.in === 'user' ? undefined : propertyOf(input, source.name)
    const open: Schema = {
      ...(type !== undefined && { type }),
      ...(anyOf !== undefined && { anyOf }),
      ...(format !== undefined && requested?.['format'] === format && { format }),
    }
    return requested !== undefined && allowsNull(requested) ? orNull(open) : open
  })
}

/** A model without the formats and patterns of what inputs may send in another one, however deep. */
export function openTo({ format, pattern, ...open }: Schema, inputs: readonly Schema[]): Schema {
  const { items, additionalProperties: entries } = open
  const lists = inputs.map((input) => input['items']).filter((part): part is Schema => isObject(part))
  // Of lists that were only ever sent empty nobody knows what they may have.
  const isAny = inputs.some((input) => input['items'] === true)
  const fields = propertiesOf(open).map(([name, part]): [string, SchemaOrBoolean] => [
    name,
    openPart(
      part,
      inputs.map((input) => partNamed(input, name) ?? partOfAny(input)),
    ),
  ])
  // Names that are data in one of them need not be in the other.
  const others = inputs.flatMap((input) => [partOfAny(input), ...propertiesOf(input).map(([, part]) => part)])
  const isSaid = (keyword: string, value: unknown): boolean =>
    value !== undefined && inputs.every((input) => input[keyword] === value)
  return {
    ...open,
    ...(isSaid('format', format) && { format }),
    ...(isSaid('pattern', pattern) && { pattern }),
    ...(isObject(items) && { items: isAny ? true : openTo(items, lists) }),
    ...(isObject(entries) && { additionalProperties: openPart(entries, others) }),
    ...(fields.length > 0 && { properties: Object.fromEntries(fields) }),
  }
}

// What was only ever null takes whatever is sent in its place.
function openPart(part: SchemaOrBoolean, sent: readonly (SchemaOrBoolean | undefined)[]): SchemaOrBoolean {
  if (!isObject(part)) return part
  const { type, ...any } = part
  if (type === 'null' && sent.some((each) => each !== undefined)) return any
  const models = sent.filter((each): each is Schema => isObject(each))
  const opened = openTo(part, models)
  return models.some(allowsNull) ? orNull(opened) : opened
}

function partOfAny({ additionalProperties: part }: Schema): SchemaOrBoolean | undefined {
  return isObject(part) ? part : undefined
}

function allowsNull(part: Schema): boolean {
  return typesOf(part).includes('null')
}

/** An input whose fields are texts where answers repeat them as texts, though all that were seen read as numbers. */
export function textInput(
  input: Schema | undefined,
  echoes: readonly Echo[],
  model: Schema,
  within: string,
): Schema | undefined {
  return echoes.reduce((opened, echo) => {
    const { source } = echo
    if (opened === undefined || (source.in !== 'path' && source.in !== 'query')) return opened
    let types: readonly string[] = []
    changeFields(model, [echo], within, (part) => {
      types = typesOf(part)
      return part
    })
    const isPlain = types.every((type) => type === 'string' || type === 'null') && types.includes('string')
    return isPlain ? changePart(opened, source.name.split('.'), toText) : opened
  }, input)
}

function toText(part: Schema): Schema {
  const types = typesOf(part)
  return types.includes('string') || types.includes('array') ? part : { type: 'string' }
}

function changeFields<Each extends { readonly field: string }>(
  model: Schema,
  all: readonly Each[],
  within: string,
  change: (part: Schema, each: Each) => Schema,
): Schema {
  const own = all.filter(({ field }) => field.startsWith(within))
  return own.reduce(
    (changed, each) =>
      changePart(changed, each.field.slice(within.length).split('.'), (part) => change(part, each)),
    model,
  )
}

/**
 * A model with another schema for one part; a model that does not have it stays as it is.
 * @param path names of properties, each with `[]` for every list that its items are in; `[]` alone is a list at the root
 */
export function changePart(
  schema: Schema,
  [name, ...below]: readonly string[],
  change: (part: Schema) => Schema,
): Schema {
  if (name === undefined) return change(schema)
  const [plain = '', ...lists] = name.split('[]')
  const inside = plain === '' ? schema : propertyOf(schema, plain)
  if (inside === undefined) return schema
  const changed = changeItems(inside, lists.length, (item) => changePart(item, below, change))
  if (plain === '') return changed
  return { ...schema, properties: { ...(schema['properties'] as object | undefined), [plain]: changed } }
}

function changeItems(schema: Schema, depth: number, change: (item: Schema) => Schema): Schema {
  if (depth === 0) return change(schema)
  const { items } = schema
  return isObject(items) ? { ...schema, items: changeItems(items, depth - 1, change) } : schema
}

function partNamed(schema: Schema | undefined, name: string): SchemaOrBoolean | undefined {
  const properties = isObject(schema?.['properties'])
    ? (schema['properties'] as Readonly<Record<string, SchemaOrBoolean>>)
    : {}
  return Object.hasOwn(properties, name) ? properties[name] : undefined
}

function propertyOf(schema: Schema | undefined, name: string): Schema | undefined {
  const found = partNamed(schema, name)
  return isObject(found) ? found : undefined
}
