import type { Checker } from './checker.ts'
import type { Generate } from './generate.ts'
import type { Heights } from './height.ts'
import type { Fold } from './merge.ts'
import type { Position } from './position.ts'
import type { Resolve, SchemaOrBoolean } from './schema.ts'

/** What the compilers of the single kinds of schema share. */
export interface Compiler {
  compile(this: void, schema: SchemaOrBoolean, at: Position): Generate
  /** As `compile`, without the links that speak of the schema's own value. */
  compileUnlinked(this: void, schema: SchemaOrBoolean, at: Position): Generate
  /** The value of the schema's own links, or `KEEP`; `undefined` for a schema without one. */
  compileLink(this: void, schema: SchemaOrBoolean, at: Position): Generate | undefined
  readonly resolve: Resolve
  readonly fold: Fold
  readonly checker: Checker
  readonly heights: Heights
}

/** Values nested deeper than this are kept as small as their schemas allow, so that recursion ends. */
export const MOST_DEPTH = 8
