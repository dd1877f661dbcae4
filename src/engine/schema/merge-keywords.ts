import { isDeepStrictEqual } from 'node:util'
import { regExp } from './checker.ts'
import { itemsOf, schemaEntriesOf, schemaOf } from './keywords.ts'
import { propertiesOf, typesOf, type Schema, type SchemaOrBoolean } from './schema.ts'

/** Two schemas in one; `lost` where a keyword of the first had to give way to the second's. */
export interface Merged {
  readonly schema: Schema
  readonly lost: boolean
}

/** Merges two schemas without `$ref` and `allOf`, keyword by keyword; `false` where no value can fit both. */
export function mergeKeywords(a: Schema, b: Schema): Merged | false {
  const merged: Record<string, unknown> = { ...a }
  let lost = false
  for (const [keyword, value] of Object.entries(b)) {
    const other = merged[keyword]
    const rule = RULES.get(keyword)
    merged[keyword] = other === undefined || rule === undefined ? value : rule(other, value)
    lost ||= HARD.has(keyword) && Object.hasOwn(a, keyword) && !isDeepStrictEqual(a[keyword], value)
  }
  if (Array.isArray(merged['type']) && merged['type'].length === 0) return false
  const fields = mergeFields(a, b)
  return { schema: { ...merged, ...fields.schema, ...mergeItems(a, b) }, lost: lost || fields.lost }
}

/** Keywords that two schemas can only both have by trying. */
const HARD = new Set([
  ...['pattern', 'format', 'const', 'multipleOf', 'not', 'if', 'then', 'else', 'contains'],
  ...['dependentRequired', 'dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems'],
])

type Rule = (a: unknown, b: unknown) => unknown

const largest: Rule = (a, b) => Math.max(a as number, b as number)
const smallest: Rule = (a, b) => Math.min(a as number, b as number)
const combine: Rule = (a, b) => {
  const pairs = (a as unknown[]).flatMap((left) =>
    (b as unknown[]).map((right) => ({ allOf: [left, right] })),
  )
  return pairs.slice(0, MOST_COMBINATIONS)
}
const MOST_COMBINATIONS = 64

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['type', mergeTypes],
  ['propertyNames', (a, b) => both(a as SchemaOrBoolean, b as SchemaOrBoolean)],
  [
    'enum',
    (a, b) =>
      (a as unknown[]).filter((value) => (b as unknown[]).some((each) => isDeepStrictEqual(value, each))),
  ],
  // One of these and one of those is one of their pairs.
  ['anyOf', combine],
  ['oneOf', combine],
  ['required', (a, b) => [...new Set([...(a as string[]), ...(b as string[])])]],
  ['uniqueItems', (a, b) => a === true || b === true],
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'].map(
    (keyword): [string, Rule] => [keyword, largest],
  ),
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'].map(
    (keyword): [string, Rule] => [keyword, smallest],
  ),
])

function mergeTypes(a: unknown, b: unknown): unknown {
  const [left, right] = [typesOf({ type: a }), typesOf({ type: b })]
  const shared = left.flatMap((type) => (right.includes(type) ? [type] : narrower(type, right)))
  return shared.length === 1 ? shared[0] : shared
}

function narrower(type: string, others: readonly string[]): string[] {
  const pair = type === 'number' ? 'integer' : type === 'integer' ? 'number' : undefined
  return pair !== undefined && others.includes(pair) ? ['integer'] : []
}

/** What two schemas say of an object's fields: each field has to fit what either of them says of its name. */
function mergeFields(a: Schema, b: Schema): Merged {
  const names = new Set([...propertiesOf(a), ...propertiesOf(b)].map(([name]) => name))
  const patterns = new Set(
    [...schemaEntriesOf(a, PATTERNS), ...schemaEntriesOf(b, PATTERNS)].map(([pattern]) => pattern),
  )
  const properties = [...names].map((name): [string, unknown] => [
    name,
    both(fieldOf(a, name), fieldOf(b, name)),
  ])
  const patterned = [...patterns].map((pattern): [string, unknown] => [
    pattern,
    both(patternedOf(a, pattern), patternedOf(b, pattern)),
  ])
  const rest = both(schemaOf(a, REST), schemaOf(b, REST))
  return {
    schema: {
      ...(names.size > 0 && { properties: Object.fromEntries(properties) }),
      ...(patterns.size > 0 && { [PATTERNS]: Object.fromEntries(patterned) }),
      ...(rest !== undefined && { [REST]: rest }),
    },
    lost: patterns.size > 0,
  }
}

const PATTERNS = 'patternProperties'
const REST = 'additionalProperties'

// What a schema says of a name: by itself, else by `additionalProperties` unless a pattern speaks of it.
function fieldOf(schema: Schema, name: string): SchemaOrBoolean | undefined {
  const own = new Map(propertiesOf(schema)).get(name)
  if (own !== undefined) return own
  const isPatterned = schemaEntriesOf(schema, PATTERNS).some(([pattern]) => regExp(pattern).test(name))
  return isPatterned ? undefined : schemaOf(schema, REST)
}

function patternedOf(schema: Schema, pattern: string): SchemaOrBoolean | undefined {
  return new Map(schemaEntriesOf(schema, PATTERNS)).get(pattern) ?? schemaOf(schema, REST)
}

function mergeItems(a: Schema, b: Schema): Schema {
  if (!(hasItems(a) && hasItems(b))) return {}
  const [left, right] = [itemsOf(a), itemsOf(b)]
  const length = Math.max(left.first.length, right.first.length)
  const first = Array.from({ length }, (_, index) =>
    both(left.first[index] ?? left.rest, right.first[index] ?? right.rest),
  )
  return {
    items: both(left.rest, right.rest),
    ...(length > 0 && { prefixItems: first }),
  }
}

function hasItems(schema: Schema): boolean {
  return Object.hasOwn(schema, 'items') || Object.hasOwn(schema, 'prefixItems')
}

function both(a: SchemaOrBoolean | undefined, b: SchemaOrBoolean | undefined): SchemaOrBoolean | undefined {
  if (a === undefined || b === undefined) return a ?? b
  if (a === true || a === b) return b
  if (b === true) return a
  return a === false || b === false ? false : { allOf: [a, b] }
}
