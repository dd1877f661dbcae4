import { itemsOf, kindOf, schemasOf } from './keywords.ts'
import { createFold, type Fold } from './merge.ts'
import { typesOf, type Resolve, type Schema, type SchemaOrBoolean } from './schema.ts'

/** Reads a text, or the texts of a repeated name, as a value. */
export type ReadText = (raw: string | readonly string[]) => unknown

/** Reads a text as `createTextReader` does, once. */
export function coerceText(
  raw: string | readonly string[],
  schema: SchemaOrBoolean,
  resolve: Resolve,
): unknown {
  return createTextReader(schema, resolve)(raw)
}

/**
 * Reads texts from a query, a path or a header as the type their schema asks for: a text where that fits, else a
 * number, a boolean or null. A text that cannot be read so is returned as it is, and left to validation to refuse.
 * A list takes all texts of a repeated name, any other schema the last.
 */
export function createTextReader(schema: SchemaOrBoolean, resolve: Resolve): ReadText {
  return createReader(schema, createFold(resolve))
}

function createReader(schema: SchemaOrBoolean, fold: Fold): ReadText {
  const alternatives = unfold(schema, fold)
  const list = alternatives.find((each) => kindOf(each) === 'array')
  let readItem: ReadText | undefined
  // Most fields take any text, or numbers alone.
  const takesText = alternatives.some((each) => isPlain(each) && accepts(each, ''))
  const [only] = alternatives
  const type = alternatives.length === 1 && only !== undefined && isPlain(only) ? typesOf(only).join() : ''
  const takesNumbers = type === 'number' || type === 'integer'
  const takesBooleans = type === 'boolean'
  const texts = new Set(alternatives.flatMap(namedTexts))

  return (raw) => {
    if (typeof raw === 'string') {
      if (takesText || texts.has(raw)) return raw
      if (takesNumbers) return readNumber(raw)
      if (takesBooleans) return BOOLEANS.get(raw.toLowerCase()) ?? raw
    }
    const text = typeof raw === 'string' ? raw : (raw.at(-1) ?? '')
    const readings = readingsOf(text).filter((value) => alternatives.some((each) => accepts(each, value)))
    if (list === undefined || (typeof raw === 'string' && readings.length > 0)) {
      return readings.length > 0 ? readings[0] : text
    }
    readItem ??= createReader(itemsOf(list).rest, fold)
    return (typeof raw === 'string' ? [raw] : raw).map(readItem)
  }
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'on'].map((text) => [text, true] as const),
  ...['false', '0', 'no', 'off'].map((text) => [text, false] as const),
])

function readNumber(text: string): number | string {
  return isDigits(text) || NUMBER.test(text) ? Number(text) : text
}

function isDigits(text: string): boolean {
  const { length } = text
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x30 || code > 0x39) return false
  }
  return length > 0
}

/** All that a text can mean, likeliest first. */
function readingsOf(text: string): unknown[] {
  const boolean = BOOLEANS.get(text.toLowerCase())
  return [
    text,
    ...(NUMBER.test(text) ? [Number(text)] : []),
    ...(boolean === undefined ? [] : [boolean]),
    ...(text === '' || text === 'null' ? [null] : []),
  ]
}

function isPlain(schema: Schema): boolean {
  return !Object.hasOwn(schema, 'const') && !Array.isArray(schema['enum'])
}

// The texts that a schema lists.
function namedTexts(schema: Schema): readonly unknown[] {
  if (Object.hasOwn(schema, 'const')) return [schema['const']]
  return Array.isArray(schema['enum']) ? schema['enum'] : []
}

function accepts(schema: Schema, value: unknown): boolean {
  if (Object.hasOwn(schema, 'const')) return schema['const'] === value
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value)
  const types = typesOf(schema).length > 0 ? typesOf(schema) : [kindOf(schema)]
  const type = value === null ? 'null' : typeof value
  return types.includes(type) || (type === 'number' && types.includes('integer'))
}

/** The schemas without a union of which a value has to fit one. */
export function alternativesOf(schema: SchemaOrBoolean, resolve: Resolve): readonly Schema[] {
  return unfold(schema, createFold(resolve))
}

function unfold(schema: SchemaOrBoolean, fold: Fold): readonly Schema[] {
  const alternatives: Schema[] = []
  const seen = new Set<Schema>()
  const walk = (part: SchemaOrBoolean): void => {
    const folded = fold(part)
    if (typeof folded === 'boolean' || seen.has(folded)) return
    seen.add(folded)
    const members = ['anyOf', 'oneOf'].flatMap((keyword) => schemasOf(folded, keyword) ?? [])
    if (members.length === 0 || typesOf(folded).length > 0) alternatives.push(folded)
    else members.forEach(walk)
  }
  walk(schema)
  return alternatives
}
