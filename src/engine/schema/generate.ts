import type { Headers } from '../../message.ts'
import type { Stream } from '../random.ts'
import type { Budgeted } from './budget.ts'
import type { ByteSink } from './byte-sink.ts'
import type { Checker } from './checker.ts'
import type { Heights } from './height.ts'
import type { Fold } from './merge.ts'
import { type Position, positionName } from './position.ts'
import type { Sizes } from './sizes.ts'
import type { Resolve, SchemaOrBoolean } from './schema.ts'
import { ModelNotGenerable } from '../../errors.ts'

/** What the values of one answer have in common. */
export interface Scope extends Budgeted {
  readonly input: Readonly<Record<string, unknown>>
  readonly headers: Headers
  readonly user?: Readonly<Record<string, unknown>> | undefined
  readonly item?: Readonly<Record<string, unknown>> | undefined
  /** Values that the outermost object's fields take where no link gives another; that object takes them from here. */
  given?: Readonly<Record<string, unknown>> | undefined
  /** How deep in references the value being generated lies; deep values are kept small, so that all end. */
  depth: number
  /** About how many bytes the value being generated may have, where its model is one whose values are kept short. */
  space?: number | undefined
}

/** Makes one value of a schema. The same arguments give the same value. `siblings` are the fields made before it. */
export interface Generate {
  (stream: Stream, scope: Scope, siblings?: Readonly<Record<string, unknown>>): unknown
  /** Writes what would be made as JSON, without making it; absent where that needs the value itself. */
  readonly write?: Write
}

/** Writes the JSON of one value, the bytes that `JSON.stringify` would give. */
export type Write = (sink: ByteSink, stream: Stream, scope: Scope) => void

/** Gives a generator a way to write its values without making them. */
export function withWriter(generate: Generate, write: Write | undefined): Generate {
  return write === undefined ? generate : Object.assign<Generate, { write: Write }>(generate, { write })
}

/** A way to write a generator's values, which are never `undefined`: its own, or by making them. */
export function writerOf(generate: Generate): Write {
  return generate.write ?? ((sink, stream, scope) => sink.value(generate(stream, scope)))
}

/** What the compilers of the single kinds of schema share. */
export interface Compiler {
  compile(this: void, schema: SchemaOrBoolean, at: Position): Generate
  /** As `compile`, without the links that speak of the schema's own value. */
  compileUnlinked(this: void, schema: SchemaOrBoolean, at: Position): Generate
  /** The value of the schema's own links, or `KEEP`; `undefined` for a schema without one. */
  compileLink(this: void, schema: SchemaOrBoolean, at: Position): Generate | undefined
  /** The compiler that passes over what a description says of values. */
  readonly silent: () => Compiler
  /** Whether a description says of a schema's values what they are. */
  says(this: void, schema: SchemaOrBoolean, at: Position): boolean
  readonly resolve: Resolve
  readonly fold: Fold
  readonly checker: Checker
  readonly heights: Heights
  /** Where values would be too long otherwise: what they are shortened by. */
  readonly sizes: Sizes | undefined
}

/** Reports, when a value is wanted, that there can be none. */
export function nothing(at: Position): Generate {
  return () => {
    throw new ModelNotGenerable(`${positionName(at)}: its schema allows no value at all`)
  }
}
