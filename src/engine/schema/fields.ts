import { schemaOf, schemasOf, schemaEntriesOf } from './keywords.ts'
import { createFold, flatten, type Fold } from './merge.ts'
import { propertiesOf, type Resolve, type Schema, type SchemaOrBoolean } from './schema.ts'
import { matches } from './match-pattern.ts'

/** The fields that a model names, those of a union's members and of `then` and `else` among them. */
export function fieldsOf(model: Schema, resolve: Resolve): ReadonlyMap<string, SchemaOrBoolean> {
  return fieldsIn(model, createFold(resolve))
}

/** The same, by what folds the schemas of the model's document. */
export function fieldsIn(model: Schema, fold: Fold): ReadonlyMap<string, SchemaOrBoolean> {
  const fields = new Map<string, SchemaOrBoolean>()
  const seen = new Set<Schema>()

  const walk = (part: SchemaOrBoolean): void => {
    const folded = fold(part)
    if (typeof folded === 'boolean' || seen.has(folded)) return
    seen.add(folded)
    for (const [name, schema] of propertiesOf(folded)) {
      const other = fields.get(name)
      fields.set(name, other === undefined || other === schema ? schema : { anyOf: [other, schema] })
    }
    for (const keyword of ['anyOf', 'oneOf']) schemasOf(folded, keyword)?.forEach(walk)
    for (const keyword of ['then', 'else']) walk(schemaOf(folded, keyword) ?? true)
  }
  walk(model)
  return fields
}

/** The schemas of the patterns that a name matches. */
export function patternsFor(schema: Schema, name: string): readonly SchemaOrBoolean[] {
  const patterns = schemaEntriesOf(schema, 'patternProperties')
  return patterns.filter(([pattern]) => matches(pattern, name)).map(([, part]) => part)
}

/** A field's schema with those of the patterns that its name matches, all of which its values must fit. */
export function withPatterns(schema: Schema, name: string, part: SchemaOrBoolean): SchemaOrBoolean {
  const matching = patternsFor(schema, name)
  return matching.length === 0 ? part : { allOf: [part, ...matching] }
}

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
  const patterns = schemaEntriesOf(flat, 'patternProperties')
  return {
    declared,
    other: (name) => patterns.find(([pattern]) => matches(pattern, name))?.[1] ?? rest ?? true,
    isClosed: declared.size === 0 || rest !== undefined || patterns.length > 0,
  }
}
