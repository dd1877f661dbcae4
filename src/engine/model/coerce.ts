import { isObject, typesOf, type Schema, type SchemaOrBoolean } from './schema.ts'

type Resolve = (reference: string) => Schema

/**
 * Reads a text from a query, a path or a header as the type its schema asks for.
 * A text that cannot be read so is returned as it is, and left to validation to refuse.
 */
export function coerceText(
  raw: string | readonly string[],
  schema: SchemaOrBoolean,
  resolve: Resolve,
): unknown {
  const types = possibleTypes(schema, resolve)
  if (types.has('array')) {
    const items = itemsOf(schema, resolve)
    return (Array.isArray(raw) ? raw : [raw]).map((each: string) => coerceText(each, items, resolve))
  }
  const text = typeof raw === 'string' ? raw : (raw.at(-1) ?? '')
  if (types.has('string') || types.size === 0) return text
  if ((types.has('integer') || types.has('number')) && NUMBER.test(text)) return Number(text)
  if (types.has('boolean') && BOOLEANS.has(text.toLowerCase())) return BOOLEANS.get(text.toLowerCase())
  if (types.has('null') && (text === '' || text === 'null')) return null
  return text
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
])

function possibleTypes(schema: SchemaOrBoolean, resolve: Resolve, depth = 0): Set<string> {
  if (typeof schema === 'boolean' || depth > 16) return new Set()
  const declared = typesOf(schema)
  if (declared.length > 0) return new Set(declared)
  const types = new Set<string>()
  for (const value of constantsOf(schema)) types.add(value === null ? 'null' : typeof value)
  for (const part of partsOf(schema, resolve)) {
    for (const type of possibleTypes(part, resolve, depth + 1)) types.add(type)
  }
  return types
}

function constantsOf(schema: Schema): readonly unknown[] {
  if (Object.hasOwn(schema, 'const')) return [schema['const']]
  return Array.isArray(schema['enum']) ? schema['enum'] : []
}

function partsOf(schema: Schema, resolve: Resolve): SchemaOrBoolean[] {
  const reference = schema['$ref']
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) =>
    Array.isArray(schema[keyword]) ? (schema[keyword] as SchemaOrBoolean[]) : [],
  )
  return typeof reference === 'string' ? [resolve(reference), ...parts] : parts
}

function itemsOf(schema: SchemaOrBoolean, resolve: Resolve, depth = 0): SchemaOrBoolean {
  if (typeof schema === 'boolean' || depth > 16) return true
  if (isObject(schema['items'])) return schema['items']
  const found = partsOf(schema, resolve).map((part) => itemsOf(part, resolve, depth + 1))
  return found.find((items) => items !== true) ?? true
}
