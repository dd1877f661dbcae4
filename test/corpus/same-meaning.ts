import { isDeepStrictEqual } from 'node:util'
import { isJson, type Json } from './json.ts'
import type { Content, Operation, Parameter } from './operations.ts'
import type { Schemas } from './schemas.ts'

/** What says nothing about which values fit. */
const NOTES = new Set([
  'title',
  'description',
  'default',
  'deprecated',
  'example',
  'examples',
  '$comment',
  '$schema',
])
const UNORDERED = new Set(['type', 'required', 'enum'])

interface Side {
  readonly operation: Operation
  readonly schemas: Schemas
}

/** Where an operation of one document means something else than the same one of another, in words. */
export function differencesOf(left: Side, right: Side): string[] {
  const found: string[] = []
  const compare = createComparison(left.schemas, right.schemas, found)
  const [a, b] = [parametersOf(left.operation), parametersOf(right.operation)]
  compareKeys('parameters', a, b, found)
  for (const [key, parameter] of a) {
    const other = b.get(key)
    if (other === undefined) continue
    for (const trait of ['required', 'style', 'explode', 'mediaType'] as const) {
      if (parameter[trait] !== other[trait])
        found.push(`${key} ${trait}: ${parameter[trait]} ≠ ${other[trait]}`)
    }
    compare(key, parameter.schema, other.schema)
  }
  const [body, otherBody] = [left.operation.body, right.operation.body]
  if (body?.required !== otherBody?.required)
    found.push(`body required: ${body?.required} ≠ ${otherBody?.required}`)
  compareContent('body', body?.content ?? new Map(), otherBody?.content ?? new Map(), compare, found)
  const [answers, otherAnswers] = [left.operation.responses, right.operation.responses]
  compareKeys('responses', answers, otherAnswers, found)
  for (const [status, content] of answers) {
    compareContent(status, content, otherAnswers.get(status) ?? new Map(), compare, found)
  }
  return found
}

function parametersOf({ parameters }: Operation): Map<string, Parameter> {
  return new Map(
    parameters.map((parameter) => {
      // Header names are the same in any case.
      const name = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name
      return [`${parameter.in} parameter ${name}`, parameter]
    }),
  )
}

function compareContent(
  place: string,
  left: Content,
  right: Content,
  compare: (place: string, left: unknown, right: unknown) => void,
  found: string[],
): void {
  compareKeys(`${place} types`, left, right, found)
  for (const [type, schema] of left) if (right.has(type)) compare(`${place} ${type}`, schema, right.get(type))
}

function compareKeys(
  what: string,
  left: ReadonlyMap<string, unknown>,
  right: ReadonlyMap<string, unknown>,
  found: string[],
): void {
  const [a, b] = [[...left.keys()].toSorted(), [...right.keys()].toSorted()]
  if (!isDeepStrictEqual(a, b)) found.push(`${what}: ${a.join(', ')} ≠ ${b.join(', ')}`)
}

// Schemas are walked side by side through their references; a pair met before is taken to be the same.
function createComparison(left: Schemas, right: Schemas, found: string[]) {
  const met = new Set<string>()
  const compare = (place: string, one: unknown, other: unknown): void => {
    const [a, b] = [resolved(one, left), resolved(other, right)]
    const key = `${nameOf(a)} ${nameOf(b)}`
    if (met.has(key)) return
    met.add(key)
    const [x, y] = [wordsOf(a), wordsOf(b)]
    const names = [...new Set([...Object.keys(x), ...Object.keys(y)])]
    for (const name of names) compareWord(`${place} ${name}`, name, x[name], y[name])
  }
  const compareWord = (place: string, name: string, a: unknown, b: unknown): void => {
    if (found.length > 5) return
    if (isDeepStrictEqual(a, b)) return
    if (UNORDERED.has(name) && isDeepStrictEqual(sorted(a), sorted(b))) return
    if (SCHEMA_WORDS.has(name)) return compare(place, a, b)
    if (name === '$ref') return compare(place, { $ref: a }, { $ref: b })
    if (Array.isArray(a) && Array.isArray(b) && a.length === b.length && SCHEMA_LISTS.has(name)) {
      for (const [index, part] of a.entries()) compare(`${place}/${index}`, part, b[index])
    } else if (isJson(a) && isJson(b) && SCHEMA_MAPS.has(name)) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
        compare(`${place}/${key}`, a[key], b[key])
    } else found.push(`${place}: ${JSON.stringify(a)?.slice(0, 120)} ≠ ${JSON.stringify(b)?.slice(0, 120)}`)
  }
  return (place: string, one: unknown, other: unknown): void => {
    compare(place, left.convert(one ?? {}), right.convert(other ?? {}))
  }
}

const SCHEMA_WORDS = new Set([
  'not',
  'if',
  'then',
  'else',
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
])
const SCHEMA_LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas'])

const numbers = new WeakMap<object, number>()
let last = 0

// A name for an object that is the same one whenever it is met.
function nameOf(value: unknown): string {
  if (!isJson(value)) return String(value)
  const number = numbers.get(value) ?? ++last
  numbers.set(value, number)
  return `#${number}`
}

function resolved(schema: unknown, { parts }: Schemas): unknown {
  let found = schema
  while (isJson(found) && typeof found['$ref'] === 'string' && wordsOf(found)['$ref'] !== undefined) {
    if (Object.keys(wordsOf(found)).length > 1) return found
    found = parts[Number(found['$ref'].slice('urn:corpus:'.length))]
  }
  return found
}

function wordsOf(schema: unknown): Json {
  if (schema === false) return { not: {} }
  if (!isJson(schema)) return {}
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([name, value]) => !NOTES.has(name) && !name.startsWith('x-') && !isSilent(name, value),
    ),
  )
}

// What a keyword says by being there, though it might as well be left out.
function isSilent(name: string, value: unknown): boolean {
  if (name === 'required') return isEmpty(value)
  return value === false && (name === 'readOnly' || name === 'writeOnly')
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function sorted(value: unknown): unknown {
  const list = Array.isArray(value) ? value : [value]
  return list.map((each) => JSON.stringify(each)).toSorted()
}
