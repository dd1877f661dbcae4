import { regExp } from './checker.ts'
import { fieldsOf } from './fields.ts'
import { schemaEntriesOf, schemaOf } from './keywords.ts'
import { flatten } from './merge.ts'
import type { Resolve, Schema, SchemaOrBoolean } from './schema.ts'

/** What a model says of each field that an object may have. */
export interface FieldSchemas {
  readonly declared: ReadonlyMap<string, SchemaOrBoolean>
  /** The schema of a field that the model does not name. */
  readonly other: (name: string) => SchemaOrBoolean
  /** Whether every field that passes validation is one the model speaks of. */
  readonly isClosed: boolean
}

/** The schemas of an object model's fields. */
export function fieldSchemasOf(model: Schema, resolve: Resolve): FieldSchemas {
  const flat = flatten(model, resolve)
  const declared = fieldsOf(model, resolve)
  const rest = schemaOf(flat, 'additionalProperties')
  const patterns = schemaEntriesOf(flat, 'patternProperties').map(
    ([pattern, part]) => [regExp(pattern), part] as const,
  )
  return {
    declared,
    other: (name) => patterns.find(([expression]) => expression.test(name))?.[1] ?? rest ?? true,
    isClosed: declared.size === 0 || rest !== undefined || patterns.length > 0,
  }
}
