import fc from 'fast-check'
import { patternsFor, withPatterns } from '../../engine/schema/fields.ts'
import { numberOf, requiredOf, schemaEntriesOf, schemaOf } from '../../engine/schema/keywords.ts'
import { propertiesOf, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { below, impossible, type StrategyPosition, type Strategies, fitting, nameOf } from './strategies.ts'
import { matches } from '../../engine/schema/match-pattern.ts'

type Values = Readonly<Record<string, unknown>>

/** Objects: required fields always, optional ones sometimes, and the further entries that a record allows. */
export function objectStrategy(
  schema: Schema,
  at: StrategyPosition,
  strategies: Strategies,
): fc.Arbitrary<Values> {
  const required = new Set(requiredOf(schema))
  const [least, most] = [
    numberOf(schema, 'minProperties') ?? 0,
    numberOf(schema, 'maxProperties') ?? Infinity,
  ]
  if (least > most || required.size > most) throw impossible(at)

  const declared = propertiesOf(schema).map(
    ([name, part]) => [name, withPatterns(schema, name, part)] as const,
  )
  const undeclared = [...required].filter((name) => !declared.some(([known]) => known === name))
  const parts = [...declared, ...undeclared.map((name) => [name, schemaOfEntry(schema, name)] as const)]
  const fields = parts
    .filter(([name, part]) => required.has(name) || isPossible(part, at, strategies))
    .map(([name, part]) => ({ name, isRequired: required.has(name), strategy: fieldStrategy(name, part) }))

  const extras = entriesStrategy(schema, at, strategies, {
    known: new Set(parts.map(([name]) => name)),
    least: Math.max(0, least - fields.length),
    most: most - required.size,
  })
  const own = least === 0 && most === Infinity ? anyFields(fields, at) : countedFields(fields, least, most)
  return fc.tuple(own, extras).map(([values, more]) => {
    return Object.fromEntries([...Object.entries(values), ...more].slice(0, most))
  })

  function fieldStrategy(name: string, part: SchemaOrBoolean): fc.Arbitrary<unknown> {
    const strategy = strategies.strategyFor(part, below(at, name))
    return at.field === '' ? strategies.adaptField(name, part, strategy) : strategy
  }
}

interface Field {
  readonly name: string
  readonly isRequired: boolean
  readonly strategy: fc.Arbitrary<unknown>
}

// An optional field is absent from every third object; from every other one where models lie in themselves.
function anyFields(fields: readonly Field[], at: StrategyPosition): fc.Arbitrary<Values> {
  const freq = at.depth === 0 ? 3 : 2
  const strategies = fields.map(({ name, isRequired, strategy }) => [
    name,
    isRequired ? strategy : fc.option(strategy, { nil: ABSENT, freq }),
  ])
  const all: fc.Arbitrary<Values> = fc.record(Object.fromEntries(strategies), { noNullPrototype: true })
  return all.map((values) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ABSENT)),
  )
}

const ABSENT = Symbol('absent')

function countedFields(fields: readonly Field[], least: number, most: number): fc.Arbitrary<Values> {
  const optional = fields.filter(({ isRequired }) => !isRequired).map(({ name }) => name)
  const needed = fields.length - optional.length
  const chosen = fc.subarray(optional, {
    minLength: Math.min(optional.length, Math.max(0, least - needed)),
    maxLength: Math.min(optional.length, Math.max(0, most - needed)),
  })
  const strategies = fields.map(({ name, strategy }) => [name, strategy])
  const all: fc.Arbitrary<Values> = fc.record(Object.fromEntries(strategies), { noNullPrototype: true })
  return fc.tuple(all, chosen).map(([values, names]) => {
    const kept = fields.filter(({ name, isRequired }) => isRequired || names.includes(name))
    return Object.fromEntries(kept.map(({ name }) => [name, values[name]]))
  })
}

// Whether an optional field can be there. Deep in a model that holds itself, only fields without parts are.
function isPossible(part: SchemaOrBoolean, at: StrategyPosition, { heights, isDeep }: Strategies): boolean {
  return isDeep(at) ? heights.of(part) === 0 : heights.of(part) !== Infinity
}

type Entry = [name: string, value: unknown]

/** Which entries an object may have beside its fields. */
export interface EntriesWanted {
  /** Names that are taken by fields. */
  readonly known: ReadonlySet<string>
  readonly least: number
  readonly most: number
}

/**
 * The entries of a record: names that no field has, and their values.
 * A model that names its fields gets none unless it says what they hold, or asks for more than it names.
 */
export function entriesStrategy(
  schema: Schema,
  at: StrategyPosition,
  strategies: Strategies,
  { known, least, most }: EntriesWanted,
): fc.Arbitrary<Entry[]> {
  const patterns = schemaEntriesOf(schema, 'patternProperties')
  const rest = schemaOf(schema, 'additionalProperties')
  const isRecord = patterns.length > 0 || typeof rest === 'object'
  if (least === 0 && (!isRecord || strategies.isDeep(at) || most <= 0)) return fc.constant([])

  const ofNames = schemaOf(schema, 'propertyNames') ?? true
  const strategyOf = (names: SchemaOrBoolean, value: SchemaOrBoolean, isName: (name: string) => boolean) => {
    const name = strategies.strategyFor(names, below(at, 'name')) as fc.Arbitrary<string>
    const isFree = (text: string): boolean => !known.has(text) && !RESERVED.has(text) && isName(text)
    const free = fitting(name, isFree, `the names of ${nameOf(at)}`)
    return fc.tuple(free, strategies.strategyFor(value, below(at, 'entry')))
  }
  const isPlain = (name: string): boolean => patterns.every(([pattern]) => !matches(pattern, name))
  const patterned = patterns
    .filter(([, value]) => value !== false)
    .map(([pattern, value]) =>
      strategyOf({ allOf: [{ type: 'string', pattern }, ofNames] }, value, () => true),
    )
  const isOpen = rest !== false && (typeof rest === 'object' || patterns.length === 0)
  const plain = isOpen ? [strategyOf({ allOf: [{ type: 'string' }, ofNames] }, rest ?? true, isPlain)] : []

  const [first, ...others] = [...plain, ...patterned]
  if (first === undefined) {
    if (least > 0) throw impossible(at)
    return fc.constant([])
  }
  const lengths = { minLength: least, ...(most < Infinity && { maxLength: most }) }
  return fc.uniqueArray(fc.oneof(first, ...others), { ...lengths, selector: ([name]) => name })
}

/** The schema of an entry that no field describes. */
export function schemaOfEntry(schema: Schema, name: string): SchemaOrBoolean {
  const matching = patternsFor(schema, name)
  return matching.length === 0 ? (schemaOf(schema, 'additionalProperties') ?? true) : { allOf: matching }
}

// Names that a careful JSON reader refuses.
const RESERVED = new Set(['__proto__', 'constructor', 'prototype'])
