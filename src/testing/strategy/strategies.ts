import type fc from 'fast-check'
import type { Checker } from '../../engine/schema/checker.ts'
import type { Heights } from '../../engine/schema/height.ts'
import type { Schema, SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { ModelNotGenerable } from '../../errors.ts'

/** Where a schema stands in its model. */
export interface Place {
  /** Field names from the model down, for messages. */
  readonly field: string
  /** How often a schema met itself on the way here. */
  readonly depth: number
  /** The folded schemas on the way here. */
  readonly within: readonly Schema[]
}

/** What the strategies of the single kinds of schema share. */
export interface Strategies {
  strategyFor(schema: SchemaOrBoolean, at: Place): fc.Arbitrary<unknown>
  readonly checker: Checker
  readonly heights: Heights
  /** Whether values of a place are to be as small as their schemas allow, so that recursion ends. */
  isDeep(at: Place): boolean
  /** What becomes of the strategy of one of the model's own fields. */
  adaptField(name: string, schema: SchemaOrBoolean, strategy: fc.Arbitrary<unknown>): fc.Arbitrary<unknown>
}

/** The place of a part below another. */
export function below(at: Place, name: string): Place {
  return { ...at, field: at.field === '' ? name : `${at.field}.${name}` }
}

/** What messages call a place. */
export function nameOf(at: Place): string {
  return at.field === '' ? 'the model' : at.field
}

/** The error of a schema that no value fits. */
export function impossible(at: Place): ModelNotGenerable {
  return new ModelNotGenerable(`${nameOf(at)}: its schema allows no value at all`)
}
