import { requiredOf } from '../../engine/schema/keywords.ts'
import { isObject, LINK, propertiesOf, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import type { Item } from './item-place.ts'
import { isKnown, madePart, withUnsent } from './made-part.ts'

/** A member as it was sent, and as the item has it. */
export interface SentPart {
  readonly sent: unknown
  readonly kept: unknown
}

/**
 * The model of an object that requests send some members of: the others are made as they were each time, whatever they
 * were changed to later.
 */
export function partlySent(usual: SchemaOrBoolean, parts: readonly SentPart[]): SchemaOrBoolean {
  const rows = parts.filter((part): part is SentPart & { sent: Item; kept: Item } => {
    return isObject(part.sent) && isObject(part.kept)
  })
  if (!isObject(usual) || LINK in usual || rows.length < parts.length || rows.length === 0) return usual
  const always = new Set(requiredOf(usual))
  const properties = propertiesOf(usual).map(([name, part]): [string, SchemaOrBoolean] => {
    const having = rows.filter(({ kept }) => Object.hasOwn(kept, name))
    const unsent = having.flatMap(({ sent, kept }) => (Object.hasOwn(sent, name) ? [] : [kept[name]]))
    const [first] = unsent
    if (first === undefined) {
      const within = having.map(({ sent, kept }) => ({ sent: sent[name], kept: kept[name] }))
      return [name, partlySent(part, within)]
    }
    if (isObject(part) && LINK in part) return [name, part]
    if (unsent.length < having.length) return [name, withUnsent(part, unsent, false)]
    if (unsent.every(isObject))
      return [
        name,
        partlySent(
          part,
          unsent.map((kept) => ({ sent: {}, kept })),
        ),
      ]
    const made = madePart(unsent, part)
    return [name, isKnown(made) ? made : part]
  })
  for (const [name] of properties) if (rows.every(({ kept }) => Object.hasOwn(kept, name))) always.add(name)
  return { ...usual, properties: Object.fromEntries(properties), required: [...always] }
}
