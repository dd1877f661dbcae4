import { kindOf, schemasOf, textOf } from './keywords.ts'
import type { Schema } from './schema.ts'

/** Where a schema stands in its model; for realism by name and for messages. */
export interface Position {
  /** The name of the nearest model above. */
  readonly model: string
  /** Field names from that model down, joined by dots. */
  readonly field: string
}

/** The position of a field below another. */
export function below({ model, field }: Position, name: string): Position {
  return { model, field: field === '' ? name : `${field}.${name}` }
}

/** The position of an array's items. */
export function itemOf({ model, field }: Position, index: number | '' = ''): Position {
  return { model, field: `${field}[${index}]` }
}

/** A position as messages have it, such as `User.address.city`. */
export function positionName({ model, field }: Position): string {
  return field === '' ? model : `${model}.${field}`
}

/**
 * The position inside a schema, given its fold: objects with a title are models of their own, and so are those that
 * a reference names. What a reference leads to is the same from everywhere, but for the name of the field before it.
 */
export function positionWithin(schema: Schema, folded: Schema, at: Position): Position {
  const title = textOf(folded, 'title')
  if (kindOf(folded) === 'object') {
    const name = title ?? (folded === schema ? undefined : referenceName(schema))
    if (name !== undefined) return { model: name, field: '' }
  }
  if (folded === schema) return at
  const last = at.field.slice(at.field.lastIndexOf('.') + 1)
  return { model: at.model, field: last.replace(/(?<!\])(\[\w*\])+$/, '[]') }
}

// The name that a reference ends in, such as `User` of `#/components/schemas/User`.
function referenceName(schema: Schema): string | undefined {
  const references = [schema, ...(schemasOf(schema, 'allOf') ?? [])].map((part) =>
    typeof part === 'boolean' ? undefined : textOf(part, '$ref'),
  )
  const [, name] = /(?<![^/#])([^/#]+)$/.exec(references.find((each) => each !== undefined) ?? '') ?? []
  return name
}

/** The name of the field that a position lies in: the last name of its path, without indexes. */
export function lastName(field: string): string {
  const name = field.slice(field.lastIndexOf('.') + 1)
  return name.endsWith(']') ? name.split('[', 1).join('') : name
}

/** The name that `firstName`, `first_name` and `first-name` share; the items of `tags` are called `tag`. */
export function plainName(field: string): string {
  const name = lastName(field)
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase()
  return field.endsWith('[]') ? singular(name) : name
}

function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`
  if (/(s|x|ch|sh)es$/.test(name)) return name.slice(0, -2)
  return name.endsWith('s') ? name.slice(0, -1) : name
}

/** Entries of a table in which names share a value. */
export function spread<T>(names: readonly string[], value: T): [string, T][] {
  return names.map((name) => [name, value])
}
