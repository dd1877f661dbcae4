import { matches } from './match-pattern.ts'
import { itemsOf, kindOf, numberOf, requiredOf, schemaEntriesOf, schemaOf, schemasOf } from './keywords.ts'
import { createFold, VERIFY, type Fold } from './merge.ts'
import {
  isObject,
  isOfType,
  propertiesOf,
  typesOf,
  type Resolve,
  type Schema,
  type SchemaOrBoolean,
} from './schema.ts'

/** How deep the smallest value of a schema is: 0 for a scalar, `Infinity` where it is endless or there is none. */
export interface Heights {
  of(this: void, schema: SchemaOrBoolean): number
}

/** Measures schemas of one document. Results are kept for each fold. */
export function createHeights(resolve: Resolve, fold: Fold = createFold(resolve)): Heights {
  const known = new Map<Schema, number>()

  // All start out as endless and shrink as what they need is found to end: the least fixpoint.
  const settle = (start: Schema): void => {
    const heights = new Map<Schema, number>()
    const reach = (schema: SchemaOrBoolean): number => {
      const folded = fold(schema)
      if (typeof folded === 'boolean' || known.has(folded) || heights.has(folded)) return 0
      heights.set(folded, Infinity)
      return 0
    }
    reach(start)
    // What is reached joins the end, and is reached from in its turn.
    for (const schema of heights.keys()) measure(schema, reach)
    // What a schema needs mostly comes after it.
    const order = [...heights.keys()].toReversed()
    const heightOf = (schema: SchemaOrBoolean): number => heightNow(fold(schema), heights)
    for (let shrinking = true; shrinking;) {
      shrinking = false
      for (const schema of order) {
        const found = measure(schema, heightOf)
        if (found >= (heights.get(schema) ?? Infinity)) continue
        heights.set(schema, found)
        shrinking = true
      }
    }
    for (const [schema, height] of heights) known.set(schema, height)
  }

  const heightNow = (folded: SchemaOrBoolean, heights?: ReadonlyMap<Schema, number>): number => {
    if (typeof folded === 'boolean') return folded ? 0 : Infinity
    return known.get(folded) ?? heights?.get(folded) ?? Infinity
  }
  return {
    of(schema) {
      const folded = fold(schema)
      if (typeof folded === 'object' && !known.has(folded)) settle(folded)
      return heightNow(folded)
    },
  }
}

/** Whether values lead no deeper: scalars, lists that may be empty, and unions with a scalar. */
export function isSmall(part: SchemaOrBoolean, heights: Heights, fold: Fold): boolean {
  const folded = fold(part)
  const isList = typeof folded === 'object' && kindOf(folded) === 'array'
  return heights.of(part) === 0 || (isList && heights.of(part) === 1)
}

type HeightOf = (schema: SchemaOrBoolean) => number

/** The height of a fold, given those of its parts; measures each part it needs. */
function measure(schema: Schema, heightOf: HeightOf): number {
  if (isAnything(schema['not'])) return Infinity
  if (Object.hasOwn(schema, 'const')) return 0
  const types = typesOf(schema)
  const values = schema['enum']
  if (Array.isArray(values)) {
    const isFitting = (value: unknown): boolean => types.some((type) => isOfType(value, type))
    return (types.length === 0 ? values.length > 0 : values.some(isFitting)) ? 0 : Infinity
  }
  const kinds = types.length > 0 ? types : [kindOf(schema)]
  const own = smallest(kinds.map((kind) => measureKind(kind, schema, heightOf)))
  const unions = ['anyOf', 'oneOf'].map((keyword) => schemasOf(schema, keyword))
  const members = unions.flatMap((each) =>
    each === undefined ? [] : [smallest(each.map((member) => heightOf(withClosed(schema, member))))],
  )
  return Math.max(own, ...members)
}

// What stands beside a choice mostly takes nothing from its members, but for one that no further fields may be there.
function withClosed(schema: Schema, member: SchemaOrBoolean): SchemaOrBoolean {
  if (typeof member === 'boolean') return member
  if (areApart(typesOf(schema), typesOf(member))) return false
  if (schema['additionalProperties'] !== false) return member
  const known = closed.get(schema) ?? new Map<Schema, Schema>()
  closed.set(schema, known)
  const { anyOf: _anyOf, oneOf: _oneOf, [VERIFY]: _goal, ...base } = schema
  const whole = known.get(member) ?? { allOf: [base, member] }
  known.set(member, whole)
  return whole
}

// An array is none of several objects.
function areApart(some: readonly string[], others: readonly string[]): boolean {
  const plain = (type: string): string => (type === 'integer' ? 'number' : type)
  const kinds = new Set(some.map(plain))
  return some.length > 0 && others.length > 0 && !others.some((type) => kinds.has(plain(type)))
}

const closed = new WeakMap<Schema, Map<Schema, Schema>>()

function isAnything(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0)
}

function measureKind(kind: string, schema: Schema, heightOf: HeightOf): number {
  if (isContradiction(kind, schema)) return Infinity
  if (kind === 'array') return 1 + largest(neededItems(schema).map(heightOf))
  return kind === 'object' ? 1 + largest(neededFields(schema, heightOf)) : 0
}

function neededItems(schema: Schema): SchemaOrBoolean[] {
  const { first, rest } = itemsOf(schema)
  const least = numberOf(schema, 'minItems') ?? 0
  return [...first.slice(0, least), ...(least > first.length ? [rest] : [])]
}

// Of what an object must have beside its required fields, an entry of any kind will do.
function neededFields(schema: Schema, heightOf: HeightOf): readonly number[] {
  const properties = new Map(propertiesOf(schema))
  const patterns = schemaEntriesOf(schema, 'patternProperties')
  const rest = schemaOf(schema, 'additionalProperties') ?? true
  const required = requiredOf(schema)
  const partOf = (name: string): SchemaOrBoolean =>
    properties.get(name) ?? patterns.find(([pattern]) => matches(pattern, name))?.[1] ?? rest
  const entry = smallest([...patterns.map(([, part]) => part), rest].map(heightOf))
  const needsEntry = (numberOf(schema, 'minProperties') ?? 0) > Math.max(properties.size, required.length)
  return [needsEntry ? entry : 0, ...required.map(partOf).map(heightOf)]
}

function largest(heights: readonly number[]): number {
  return heights.reduce((most, height) => Math.max(most, height), 0)
}

function smallest(heights: readonly number[]): number {
  return heights.reduce((least, height) => Math.min(least, height), Infinity)
}

/** Whether bounds contradict each other, so that no value of this type can be within them. */
export function isContradiction(type: string, schema: Schema): boolean {
  const bound = (keyword: string, absent: number): number => numberOf(schema, keyword) ?? absent
  switch (type) {
    case 'string':
      return noTextIsWithin(schema['format'], bound)
    case 'array':
      return bound('minItems', 0) > bound('maxItems', Infinity)
    case 'object':
      return Math.max(bound('minProperties', 0), requiredOf(schema).length) > bound('maxProperties', Infinity)
    case 'integer':
    case 'number':
      return noNumberIsWithin(type === 'integer', bound)
    default:
      return false
  }
}

function noTextIsWithin(format: unknown, bound: (keyword: string, absent: number) => number): boolean {
  const [shortest, longest] = LENGTHS.get(format) ?? [0, Infinity]
  return Math.max(shortest, bound('minLength', 0)) > Math.min(longest, bound('maxLength', Infinity))
}

/** How short and how long the texts of a format are, where that is certain. */
const LENGTHS: ReadonlyMap<unknown, readonly [number, number]> = new Map([
  ['uuid', [36, 36]],
  ['date', [10, 10]],
  ['date-time', [20, Infinity]],
  ['ipv4', [7, 15]],
  ['ipv6', [2, 45]],
])

function noNumberIsWithin(isWhole: boolean, bound: (keyword: string, absent: number) => number): boolean {
  const least = bound('minimum', -Infinity)
  const most = bound('maximum', Infinity)
  const above = bound('exclusiveMinimum', -Infinity)
  const under = bound('exclusiveMaximum', Infinity)
  if (!isWhole) return least > most || above >= under || above >= most || least >= under
  const first = Math.max(Math.ceil(least), Math.floor(above) + 1)
  const last = Math.min(Math.floor(most), Math.ceil(under) - 1)
  return first > last
}
