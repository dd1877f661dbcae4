import { isObject, typesOf, type SchemaOrBoolean } from '../../engine/schema/schema.ts'

const MAX_LETTERS = 80
const MAX_VALUES = 8

/** The type of a value, as JSON Schema calls it. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

/** What a schema is about, in a word or two. */
export function describe(schema: SchemaOrBoolean | undefined): string {
  return (isObject(schema) && typesOf(schema).join(' or ')) || 'a value'
}

/** A value as JSON, cut short. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text
}

/** Some values as JSON. */
export function shownAll(values: readonly unknown[]): string {
  return values.slice(0, MAX_VALUES).map(shown).join(', ') + (values.length > MAX_VALUES ? ', …' : '')
}

/** A JSON pointer to a part of what another points to. */
export function below(pointer: string, name: string): string {
  return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
