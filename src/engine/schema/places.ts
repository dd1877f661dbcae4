import { itemsOf, schemaEntriesOf, schemaOf, schemasOf } from './keywords.ts'
import { createFold } from './merge.ts'
import { below, itemOf, positionWithin, type Position } from './position.ts'
import { modelName, propertiesOf, type Resolve, type Schema, type SchemaOrBoolean } from './schema.ts'

/** A value in a model: the whole, a field, an item or an entry. */
export interface Place {
  readonly schema: Schema
  readonly at: Position
  /** Names of the fields of the object it is a field of. */
  readonly siblings: ReadonlySet<string>
}

/** The fields of an object in a model, or of a union's member. */
export interface Fields {
  readonly at: Position
  readonly properties: readonly (readonly [string, SchemaOrBoolean])[]
}

/** Goes through a model, each part once: every place where a value stands, and the fields of every object. */
export function visitModel(
  model: Schema,
  resolve: Resolve,
  visitPlace: (place: Place) => void,
  visitFields: (fields: Fields) => void,
): void {
  const fold = createFold(resolve)
  const seen = new Set<Schema>()
  const NONE: ReadonlySet<string> = new Set()

  const visit = (schema: SchemaOrBoolean, at: Position, siblings: ReadonlySet<string>): void => {
    if (typeof schema === 'boolean') return
    visitPlace({ schema, at, siblings })
    const folded = foldOrNothing(schema)
    if (typeof folded === 'object') visitInside(folded, positionWithin(schema, folded, at), [])
  }
  // A reference to nothing has no inside; whoever looks at its place finds out.
  const foldOrNothing = (schema: SchemaOrBoolean): SchemaOrBoolean => {
    try {
      return fold(schema)
    } catch {
      return false
    }
  }
  const visitInside = (folded: Schema, at: Position, beside: Fields['properties']): void => {
    if (seen.has(folded)) return
    seen.add(folded)
    const properties = [...beside, ...propertiesOf(folded)]
    const names = new Set(properties.map(([name]) => name))
    visitFields({ at, properties })
    for (const [name, part] of propertiesOf(folded)) visit(part, below(at, name), names)

    const { first, rest } = itemsOf(folded)
    for (const item of [...first, rest]) visit(item, itemOf(at), NONE)
    const entries = schemaEntriesOf(folded, 'patternProperties').map(([, part]) => part)
    for (const entry of [...entries, schemaOf(folded, 'additionalProperties') ?? true])
      visit(entry, itemOf(at), NONE)

    const members = ['anyOf', 'oneOf'].flatMap((keyword) => schemasOf(folded, keyword) ?? [])
    const conditional = ['then', 'else'].map((keyword) => schemaOf(folded, keyword) ?? true)
    for (const member of [...members, ...conditional]) {
      const inside = foldOrNothing(member)
      if (typeof inside === 'boolean' || typeof member === 'boolean') continue
      visitInside(inside, positionWithin(member, inside, at), properties)
    }
  }
  visit(model, { model: modelName(model), field: '' }, NONE)
}
