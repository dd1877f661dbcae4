import type { Checker } from './checker.ts'
import type { Generate } from './generate.ts'
import type { Heights } from './height.ts'
import type { Schema, SchemaOrBoolean } from './schema.ts'

/** Where a schema stands in its model; for realism by name and for messages. */
export interface Position {
  /** The name of the nearest model above. */
  readonly model: string
  /** Field names from that model down, joined by dots. */
  readonly field: string
}

/** What the compilers of the single kinds of schema share. */
export interface Compiler {
  compile(schema: SchemaOrBoolean, at: Position): Generate
  /** The value of the schema's own link, or `KEEP`; `undefined` for a schema without one. */
  compileLink(schema: SchemaOrBoolean, at: Position): Generate | undefined
  resolve(reference: string): Schema
  readonly checker: Checker
  readonly heights: Heights
}

/** Values nested deeper than this are kept as small as their schemas allow, so that recursion ends. */
export const MOST_DEPTH = 8
