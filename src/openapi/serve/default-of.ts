import { schemasOf } from '../../engine/schema/keywords.ts'
import type { Resolve, Schema, SchemaOrBoolean } from '../../engine/schema/schema.ts'

/** The default that a schema gives itself, or takes from what it refers to; a copy, which may be changed. */
export function defaultOf(schema: SchemaOrBoolean, resolve: Resolve): unknown {
  return find(schema, resolve, new Set())
}

function find(schema: SchemaOrBoolean, resolve: Resolve, seen: Set<Schema>): unknown {
  if (typeof schema === 'boolean' || seen.has(schema)) return undefined
  seen.add(schema)
  if (schema['default'] !== undefined) return structuredClone(schema['default'])
  const { $ref: reference } = schema
  const parts = [
    ...(typeof reference === 'string' ? [resolve(reference)] : []),
    ...(schemasOf(schema, 'allOf') ?? []),
  ]
  return parts.map((part) => find(part, resolve, seen)).find((value) => value !== undefined)
}
