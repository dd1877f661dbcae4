import fc from 'fast-check'
import { regExp } from '../../engine/schema/checker.ts'
import { schemaEntriesOf, schemaOf } from '../../engine/schema/keywords.ts'
import type { Schema, SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { fitting } from './fitting.ts'
import { below, impossible, nameOf, type Place, type Strategies } from './strategies.ts'

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
  at: Place,
  strategies: Strategies,
  { known, least, most }: EntriesWanted,
): fc.Arbitrary<Entry[]> {
  const patterns = schemaEntriesOf(schema, 'patternProperties')
  const rest = schemaOf(schema, 'additionalProperties')
  const isRecord = patterns.length > 0 || typeof rest === 'object'
  if (least === 0 && (!isRecord || strategies.isDeep(at) || most <= 0)) return fc.constant([])

  const asked = schemaOf(schema, 'propertyNames') ?? true
  const strategyOf = (names: SchemaOrBoolean, value: SchemaOrBoolean, isName: (name: string) => boolean) => {
    const name = strategies.strategyFor(names, below(at, 'name')) as fc.Arbitrary<string>
    const isFree = (text: string): boolean => !known.has(text) && !RESERVED.has(text) && isName(text)
    const free = fitting(name, isFree, `the names of ${nameOf(at)}`)
    return fc.tuple(free, strategies.strategyFor(value, below(at, 'entry')))
  }
  const isPlain = (name: string): boolean => patterns.every(([pattern]) => !regExp(pattern).test(name))
  const patterned = patterns
    .filter(([, value]) => value !== false)
    .map(([pattern, value]) => strategyOf({ allOf: [{ type: 'string', pattern }, asked] }, value, () => true))
  const isOpen = rest !== false && (typeof rest === 'object' || patterns.length === 0)
  const plain = isOpen ? [strategyOf({ allOf: [{ type: 'string' }, asked] }, rest ?? true, isPlain)] : []

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

/** A field's schema with those of the patterns that its name matches. */
export function withPatterns(schema: Schema, name: string, part: SchemaOrBoolean): SchemaOrBoolean {
  const matching = patternsFor(schema, name)
  return matching.length === 0 ? part : { allOf: [part, ...matching] }
}

function patternsFor(schema: Schema, name: string): readonly SchemaOrBoolean[] {
  const patterns = schemaEntriesOf(schema, 'patternProperties')
  return patterns.filter(([pattern]) => regExp(pattern).test(name)).map(([, part]) => part)
}

// Names that a careful JSON reader refuses.
const RESERVED = new Set(['__proto__', 'constructor', 'prototype'])
