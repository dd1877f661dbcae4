import { schemaOf, schemasOf } from './keywords.ts'
import { createFold } from './merge.ts'
import { propertiesOf, type Resolve, type Schema, type SchemaOrBoolean } from './schema.ts'

/** The fields that a model names, those of a union's members and of `then` and `else` among them. */
export function fieldsOf(model: Schema, resolve: Resolve): ReadonlyMap<string, SchemaOrBoolean> {
  const fold = createFold(resolve)
  const fields = new Map<string, SchemaOrBoolean>()
  const seen = new Set<Schema>()

  const visit = (part: SchemaOrBoolean): void => {
    const folded = fold(part)
    if (typeof folded === 'boolean' || seen.has(folded)) return
    seen.add(folded)
    for (const [name, schema] of propertiesOf(folded)) {
      const other = fields.get(name)
      fields.set(name, other === undefined || other === schema ? schema : { anyOf: [other, schema] })
    }
    for (const keyword of ['anyOf', 'oneOf']) schemasOf(folded, keyword)?.forEach(visit)
    for (const keyword of ['then', 'else']) visit(schemaOf(folded, keyword) ?? true)
  }
  visit(model)
  return fields
}
