import { isDeepStrictEqual } from 'node:util'
import { remembered } from '../lazy.ts'
import {
  createResolver,
  isObject,
  type Resolve,
  type Schema,
  type SchemaOrBoolean,
  typesOf,
} from './schema.ts'
import { matches } from './match-pattern.ts'
import { itemsOf, schemaEntriesOf, schemaOf } from './keywords.ts'

/**
 * A schema with its `$ref` and `allOf` folded in, as far as single keywords can say what all of them ask.
 * Schemas made of the same parts fold to the same object, and their properties are merged only when they are folded
 * themselves: so a model that lies within itself has finitely many folds.
 */
export type Fold = (schema: SchemaOrBoolean) => SchemaOrBoolean

/** Marks a fold whose values must be tested, because one of two keywords was dropped: holds what they must fit. */
export const VERIFY = 'x-sim-verify'

/** Folds the schemas of one document. */
export function createFold(resolve: Resolve): Fold {
  const folded = new Map<Schema, SchemaOrBoolean>()
  const merged = new Map<string, SchemaOrBoolean>()
  const numbers = new Map<Schema, number>()
  const numberOf = (part: Schema): number => {
    const number = numbers.get(part) ?? numbers.size
    numbers.set(part, number)
    return number
  }

  const fold = (schema: Schema): SchemaOrBoolean => {
    if (!isComposed(schema)) return schema
    const parts = partsOf(schema, resolve)
    if (parts === false) return false
    const [only = ANYTHING, ...others] = parts
    if (others.length === 0) return only
    // What a schema has not evaluated is not what each of its parts alone has not.
    if (parts.some(isAboutOthers)) return mergeAll(parts, schema)
    const key = parts.map(numberOf).join(' ')
    const known = merged.get(key) ?? mergeAll(parts)
    merged.set(key, known)
    return known
  }
  return (schema) => {
    if (typeof schema === 'boolean') return schema
    const known = folded.get(schema) ?? fold(schema)
    folded.set(schema, known)
    return known
  }
}

/** The fold of a model that stands by itself. It is kept, since many look at one model. */
export const foldOf = remembered((model: Schema): Fold => createFold(createResolver(model)), new WeakMap())

/** A schema with its `$ref` and `allOf` folded in, and with its own description. */
export function flatten(schema: Schema, resolve: Resolve): Schema {
  const folded = createFold(resolve)(schema)
  if (folded === schema) return schema
  const notes = Object.entries(schema).filter(([keyword]) => ANNOTATIONS.has(keyword))
  return { ...(typeof folded === 'boolean' ? NOTHING : folded), ...Object.fromEntries(notes) }
}

/** One schema that demands what all the given ones demand, as far as single keywords can say it. */
export function mergeSchemas(parts: readonly SchemaOrBoolean[], resolve: Resolve): SchemaOrBoolean {
  return createFold(resolve)({ allOf: parts })
}

const ANYTHING: Schema = {}
const NOTHING: Schema = { not: {} }

/** Keywords that say nothing about which values fit. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...[
    '$defs',
    'definitions',
    'components',
    '$id',
    '$anchor',
    '$dynamicAnchor',
    '$schema',
    '$comment',
    'title',
    'description',
  ],
  ...['summary', 'default', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly', 'x-sim-link'],
])

// What a schema itself demands, kept so that the same schema always gives the same part.
const owns = new WeakMap<Schema, Schema>()

/** The schemas without `$ref` and `allOf` that a schema is made of; `false` where one of them refuses everything. */
function partsOf(schema: Schema, resolve: Resolve): readonly Schema[] | false {
  const parts = new Set<Schema>()
  const within = new Set<Schema>()

  const add = (part: SchemaOrBoolean): boolean => {
    if (typeof part === 'boolean') return part
    if (!isComposed(part)) {
      parts.add(part)
      return true
    }
    if (within.has(part)) return true
    within.add(part)
    const { $ref: reference, $dynamicRef: dynamic, allOf } = part
    const references = [reference, dynamic].filter((each) => typeof each === 'string')
    const others = Array.isArray(allOf) ? (allOf as SchemaOrBoolean[]) : []
    const all = [...references.map((each) => resolve(each, each === dynamic)), ...others]
    return all.every(add) && add(ownOf(part))
  }
  if (!add(schema)) return false
  const narrowing = [...parts].filter((part) =>
    Object.keys(part).some((keyword) => !ANNOTATIONS.has(keyword)),
  )
  return narrowing.length > 0 ? narrowing : [...parts].slice(0, 1)
}

function isComposed({ $ref, $dynamicRef, allOf }: Schema): boolean {
  return typeof $ref === 'string' || typeof $dynamicRef === 'string' || Array.isArray(allOf)
}

function ownOf(schema: Schema): Schema {
  const known = owns.get(schema)
  if (known !== undefined) return known
  const { $ref: _reference, $dynamicRef: _dynamic, allOf: _allOf, ...own } = schema
  owns.set(schema, own)
  return own
}

function isAboutOthers(part: Schema): boolean {
  return UNEVALUATED.some((keyword) => Object.hasOwn(part, keyword))
}

/** @param goal what values have to fit where the parts in one say less */
function mergeAll(parts: readonly Schema[], goal: Schema = { allOf: parts }): SchemaOrBoolean {
  const all = mergeHalves(parts)
  if (all === false) return false
  return all.lost ? { ...all.schema, [VERIFY]: goal } : all.schema
}

// By halves, so that a long list is not copied for each of its members.
function mergeHalves(parts: readonly Schema[]): Merged | false {
  const [only = ANYTHING, ...others] = parts
  if (others.length === 0) return { schema: only, lost: schemaEntriesOf(only, PATTERNS).length > 0 }
  const middle = Math.ceil(parts.length / 2)
  const [left, right] = [mergeHalves(parts.slice(0, middle)), mergeHalves(parts.slice(middle))]
  const merged = left && right && mergeKeywords(left.schema, right.schema)
  return left && right && merged && { ...merged, lost: left.lost || right.lost || merged.lost }
}

/** Schemas in one; `lost` where a keyword of one had to give way to another's. */
export type Merged = { readonly schema: Schema; readonly lost: boolean }

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
  // What one of them has not evaluated, the other may have.
  lost ||= UNEVALUATED.some((keyword) => Object.hasOwn(merged, keyword)) && Object.keys(a).length > 0
  return { schema: { ...merged, ...fields.schema, ...mergeItems(a, b) }, lost: lost || fields.lost }
}

/** Keywords that two schemas can only both have by trying. */
const HARD = new Set([
  ...['pattern', 'format', 'const', 'multipleOf', 'not', 'if', 'then', 'else', 'contains'],
  ...['dependentRequired', 'dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems'],
])

const UNEVALUATED = ['unevaluatedProperties', 'unevaluatedItems']

type Rule = (a: unknown, b: unknown) => unknown

const largest: Rule = (a, b) => Math.max(a as number, b as number)
const smallest: Rule = (a, b) => Math.min(a as number, b as number)
const combine: Rule = (a, b) => {
  const pairs = (a as unknown[]).flatMap((left) =>
    (b as unknown[]).map((right) => ({ allOf: [left, right] })),
  )
  return pairs.slice(0, MAX_COMBINATIONS)
}
const MAX_COMBINATIONS = 64

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
  const names = new Set([...Object.keys(ownFields(a)), ...Object.keys(ownFields(b))])
  const patterns = new Set(
    [...schemaEntriesOf(a, PATTERNS), ...schemaEntriesOf(b, PATTERNS)].map(([pattern]) => pattern),
  )
  const [left, right] = [fieldsOf(a), fieldsOf(b)]
  const properties = [...names].map((name): [string, unknown] => [name, both(left.of(name), right.of(name))])
  const patterned = [...patterns].map((pattern): [string, unknown] => [
    pattern,
    both(left.ofPattern(pattern), right.ofPattern(pattern)),
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

type PartOf = (name: string) => SchemaOrBoolean | undefined

// What a schema says of a name: by itself, else by `additionalProperties` unless a pattern speaks of it.
function fieldsOf(schema: Schema): { readonly of: PartOf; readonly ofPattern: PartOf } {
  const own = ownFields(schema)
  const patterns = new Map(schemaEntriesOf(schema, PATTERNS))
  const rest = schemaOf(schema, REST)
  const isPatterned = (name: string): boolean => [...patterns.keys()].some((each) => matches(each, name))
  return {
    of: (name) => (Object.hasOwn(own, name) ? own[name] : isPatterned(name) ? undefined : rest),
    ofPattern: (pattern) => patterns.get(pattern) ?? rest,
  }
}

function ownFields({ properties }: Schema): Readonly<Record<string, SchemaOrBoolean>> {
  return isObject(properties) ? (properties as Record<string, SchemaOrBoolean>) : {}
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
