import { hashText, type Stream } from '../random.ts'
import { matches } from './match-pattern.ts'
import { affordable, affords, FIELD, MAX_DEPTH, MAX_TYPICAL } from './budget.ts'
import type { Compiler, Generate, Scope } from './generate.ts'
import { numberOf, requiredOf, schemaEntriesOf, schemaOf } from './keywords.ts'
import { below, type Position } from './position.ts'
import { divideSpace } from './space.ts'
import { propertiesOf, type Schema, type SchemaOrBoolean, setEntry, type Entries } from './schema.ts'

/** Adds entries that no field declares to an object whose fields are made. */
export type AddEntries = (value: Entries, stream: Stream, scope: Scope) => void

const ENTRY = hashText('an entry')

/** The entries an object needs beside its fields: required names without one, those of a record or a minimum. */
export function compileEntries(schema: Schema, at: Position, compiler: Compiler): AddEntries | undefined {
  const declared = new Set(propertiesOf(schema).map(([name]) => name))
  const missing = neededNames(schema, declared).filter((name) => !declared.has(name))
  const least = numberOf(schema, 'minProperties') ?? 0
  const most = numberOf(schema, 'maxProperties') ?? Infinity
  const names = compileNames(schema, at, compiler)
  const isRecord = declared.size === 0 && names.length > 0 && describesEntries(schema)
  if (!isRecord && missing.length === 0 && least === 0) return undefined

  const generateEntry = compileEntry(schema, at, compiler)
  const { sizes } = compiler
  const entrySize = sizes === undefined ? 1 : Math.max(1, sizes.next(schema))
  return (value, stream, scope) => {
    for (const name of missing) {
      if (!Object.hasOwn(value, name))
        setEntry(value, name, generateEntry(name, stream.child(hashText(name)), scope))
    }
    let count = Object.keys(value).length
    const usual = isRecord && count === 0 && scope.depth <= MAX_DEPTH ? stream.integer(1, MAX_TYPICAL) : 0
    const fitting = scope.space === undefined ? usual : Math.min(usual, Math.floor(scope.space / entrySize))
    const missed = Math.min(most, Math.max(least, fitting)) - count
    const wanted = count + affordable(scope, Math.max(0, missed), FIELD, at, 'further entries')
    const around = divideSpace(scope, wanted - count)
    for (let attempt = 0; count < wanted && attempt < wanted * 10 + 20; attempt++) {
      if (!affords(scope, FIELD, at)) break
      const own = stream.child(ENTRY + attempt)
      const name = String(own.pick(names)?.(own.child(0), scope))
      if (declared.has(name) || Object.hasOwn(value, name) || !generateEntry.ends(name)) continue
      setEntry(value, name, generateEntry(name, own.child(1), scope))
      count++
    }
    scope.space = around
  }
}

// The names that must be there, and those that a declared one brings along.
function neededNames(schema: Schema, declared: ReadonlySet<string>): readonly string[] {
  const dependent = Object.entries((schema['dependentRequired'] ?? {}) as Record<string, readonly string[]>)
  const brought = dependent.flatMap(([name, others]) => (declared.has(name) ? others : []))
  return [...new Set([...requiredOf(schema), ...brought])]
}

function describesEntries(schema: Schema): boolean {
  return typeof schema['additionalProperties'] === 'object' || schema['patternProperties'] !== undefined
}

/** Ways to make the name of an entry: one of each pattern, and a free one where entries may have any name. */
function compileNames(
  schema: Schema,
  at: Position,
  { compileUnlinked, heights }: Compiler,
): readonly Generate[] {
  const patterns = schemaEntriesOf(schema, 'patternProperties')
  const rest = schemaOf(schema, 'additionalProperties') ?? patterns.length === 0
  const ends = (part: SchemaOrBoolean): boolean => heights.of(part) !== Infinity
  const forms = [
    ...patterns.filter(([, part]) => ends(part)).map(([pattern]) => ({ pattern })),
    ...(ends(rest) ? [{}] : []),
  ]
  const ofNames = schemaOf(schema, 'propertyNames') ?? true
  return forms.map((form) =>
    compileUnlinked({ allOf: [{ type: 'string', ...form }, ofNames] }, below(at, 'keyword')),
  )
}

/** Makes the entry of a name: it fits all patterns that the name matches, else what the schema says of the others. */
function compileEntry(schema: Schema, at: Position, { compile, heights }: Compiler) {
  const patterns = schemaEntriesOf(schema, 'patternProperties')
  const rest = schemaOf(schema, 'additionalProperties') ?? true
  const compiled = new Map<string, Generate>()
  const partOf = (name: string): SchemaOrBoolean => {
    const matching = patterns.filter(([pattern]) => matches(pattern, name)).map(([, part]) => part)
    return matching.length > 1 ? { allOf: matching } : (matching[0] ?? rest)
  }
  const keyOf = (name: string): string =>
    patterns.flatMap(([pattern], index) => (matches(pattern, name) ? [index] : [])).join(' ')

  const generateEntry = (name: string, stream: Stream, scope: Scope): unknown => {
    const key = keyOf(name)
    const generate = compiled.get(key) ?? compile(partOf(name), below(at, 'entry'))
    compiled.set(key, generate)
    return generate(stream, scope)
  }
  // A name may match several patterns, which nothing fits together.
  const ends = (name: string): boolean => patterns.length < 2 || heights.of(partOf(name)) !== Infinity
  return Object.assign(generateEntry, { ends })
}
