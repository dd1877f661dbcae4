import { isObject } from '../../engine/schema/schema.ts'

/** An object of a description. */
export type Table = Readonly<Record<string, unknown>>

/** An object without the entries that have no value. */
export function present(entries: Table): Table {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined))
}

// What a parameter of Swagger says of its value itself, and OpenAPI 3 says in its schema.
const IN_SCHEMA = new Set([
  ...['type', 'format', 'items', 'default', 'enum', 'multipleOf', 'pattern', 'uniqueItems'],
  ...['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'maxItems', 'minItems'],
])

/** A parameter or a header of Swagger 2.0 as OpenAPI 3.0 says it. */
export function parameterOf(value: unknown): unknown {
  if (!isObject(value) || typeof value['$ref'] === 'string') return value
  const { collectionFormat, 'x-example': example, ...others } = value
  const rest = Object.entries(others).filter(([key]) => !IN_SCHEMA.has(key))
  const style = value['type'] === 'array' ? styleOf(collectionFormat, value['in']) : {}
  return present({ ...Object.fromEntries(rest), ...style, example, schema: schemaOf(value) })
}

/** The body that form fields make together. */
export function bodyFromForm(fields: readonly Table[], consumes: readonly string[]): Table {
  const hasFile = fields.some(({ type }) => type === 'file')
  const named = fields.filter(({ name }) => typeof name === 'string')
  const required = named.filter((field) => field['required'] === true).map(({ name }) => name)
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      named.map((field) => [
        field['name'],
        present({ ...schemaOf(field), description: field['description'] }),
      ]),
    ),
    ...(required.length > 0 && { required }),
  }
  const lists = named.filter(({ type }) => type === 'array')
  const encoding = Object.fromEntries(
    lists.map(({ name, collectionFormat }) => [name, styleOf(collectionFormat, 'query')]),
  )
  const media = { schema, ...(lists.length > 0 && { encoding }) }
  return {
    ...(required.length > 0 && { required: true }),
    content: Object.fromEntries(formTypes(consumes, hasFile).map((type) => [type, media])),
  }
}

// Form fields are not sent as JSON, which is what a description without `consumes` stands for.
function formTypes(consumes: readonly string[], hasFile: boolean): readonly string[] {
  const forms = consumes.filter((type) => type === MULTIPART || (type === URLENCODED && !hasFile))
  return forms.length > 0 ? forms : [hasFile ? MULTIPART : URLENCODED]
}

const MULTIPART = 'multipart/form-data'
const URLENCODED = 'application/x-www-form-urlencoded'

function schemaOf(value: Table): Table {
  const schema = Object.fromEntries(Object.entries(value).filter(([key]) => IN_SCHEMA.has(key)))
  if (schema['type'] === 'file') return { ...schema, type: 'string', format: 'binary' }
  const { items } = schema
  return isObject(items) ? { ...schema, items: schemaOf(items) } : schema
}

function styleOf(format: unknown, place: unknown): Table {
  if (place !== 'query' && place !== 'formData') return place === undefined ? {} : { style: 'simple' }
  if (format === 'multi') return { style: 'form', explode: true }
  if (format === 'ssv') return { style: 'spaceDelimited', explode: false }
  if (format === 'pipes') return { style: 'pipeDelimited', explode: false }
  // OpenAPI 3 has no word for lists with tabs between their values.
  if (format === 'tsv') return { style: 'form', explode: false, 'x-collectionFormat': 'tsv' }
  return { style: 'form', explode: false }
}
