import { mergeKeywords } from './merge-keywords.ts'
import { type Resolve, type Schema, type SchemaOrBoolean } from './schema.ts'

/**
 * A schema with its `$ref` and `allOf` folded in, as far as single keywords can say what all of them ask.
 * Schemas made of the same parts fold to the same object, and their properties are merged only when they are folded
 * themselves: so a model that lies within itself has finitely many folds.
 */
export type Fold = (schema: SchemaOrBoolean) => SchemaOrBoolean

/** Marks a fold whose values must be tested, because one of two keywords was dropped: holds what they must fit. */
export const VERIFY = 'x-sim-verify'

/** Folds the schemas of one document. */
export function createFold(resolve: Resolve): Fold {
  const folded = new Map<Schema, SchemaOrBoolean>()
  const merged = new Map<string, SchemaOrBoolean>()
  const numbers = new Map<Schema, number>()
  const numberOf = (part: Schema): number => {
    const number = numbers.get(part) ?? numbers.size
    numbers.set(part, number)
    return number
  }

  const fold = (schema: Schema): SchemaOrBoolean => {
    const parts = partsOf(schema, resolve)
    if (parts === false) return false
    const [only = ANYTHING, ...others] = parts
    if (others.length === 0) return only
    const key = parts.map(numberOf).join(' ')
    const known = merged.get(key) ?? mergeAll(parts)
    merged.set(key, known)
    return known
  }
  return (schema) => {
    if (typeof schema === 'boolean') return schema
    const known = folded.get(schema) ?? fold(schema)
    folded.set(schema, known)
    return known
  }
}

/** A schema with its `$ref` and `allOf` folded in, and with its own description. */
export function flatten(schema: Schema, resolve: Resolve): Schema {
  const folded = createFold(resolve)(schema)
  if (folded === schema) return schema
  const notes = Object.entries(schema).filter(([keyword]) => ANNOTATIONS.has(keyword))
  return { ...(typeof folded === 'boolean' ? NOTHING : folded), ...Object.fromEntries(notes) }
}

/** One schema that asks for what all the given ones ask for, as far as single keywords can say it. */
export function mergeSchemas(parts: readonly SchemaOrBoolean[], resolve: Resolve): SchemaOrBoolean {
  return createFold(resolve)({ allOf: parts })
}

const ANYTHING: Schema = {}
const NOTHING: Schema = { not: {} }

/** Keywords that say nothing about which values fit. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['$defs', 'definitions', 'components', '$id', '$anchor', '$schema', '$comment', 'title', 'description'],
  ...['summary', 'default', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly', 'x-sim-link'],
])

// What a schema itself asks for, kept so that the same schema always gives the same part.
const owns = new WeakMap<Schema, Schema>()

/** The schemas without `$ref` and `allOf` that a schema is made of; `false` where one of them refuses everything. */
function partsOf(schema: Schema, resolve: Resolve): readonly Schema[] | false {
  const parts = new Set<Schema>()
  const within = new Set<Schema>()

  const add = (part: SchemaOrBoolean): boolean => {
    if (typeof part === 'boolean') return part
    const { $ref: reference, allOf } = part
    if (typeof reference !== 'string' && !Array.isArray(allOf)) {
      parts.add(part)
      return true
    }
    if (within.has(part)) return true
    within.add(part)
    const others = Array.isArray(allOf) ? (allOf as SchemaOrBoolean[]) : []
    const all = typeof reference === 'string' ? [resolve(reference), ...others] : others
    return all.every(add) && add(ownOf(part))
  }
  if (!add(schema)) return false
  const narrowing = [...parts].filter((part) =>
    Object.keys(part).some((keyword) => !ANNOTATIONS.has(keyword)),
  )
  return narrowing.length > 0 ? narrowing : [...parts].slice(0, 1)
}

function ownOf(schema: Schema): Schema {
  const known = owns.get(schema)
  if (known !== undefined) return known
  const { $ref: _reference, allOf: _allOf, ...own } = schema
  owns.set(schema, own)
  return own
}

function mergeAll(parts: readonly Schema[]): SchemaOrBoolean {
  let all: Schema = {}
  let verify = false
  for (const part of parts) {
    const found = mergeKeywords(all, part)
    if (found === false) return false
    all = found.schema
    verify ||= found.lost
  }
  return verify ? { ...all, [VERIFY]: { allOf: parts } } : all
}
