import { isObject, typesOf, type Schema, type SchemaOrBoolean } from './schema.ts'

type Resolve = (reference: string) => Schema

/** One schema that asks for what all the given ones ask for, as far as single keywords can say it. */
export function mergeSchemas(parts: readonly SchemaOrBoolean[], resolve: Resolve): SchemaOrBoolean {
  let merged: Schema = {}
  for (const part of parts) {
    if (part === false) return false
    if (part !== true) merged = mergeTwo(merged, flatten(part, resolve), resolve)
  }
  return merged
}

/** A schema with its `$ref` and `allOf` folded into it; circular ones end where they meet themselves. */
export function flatten(schema: Schema, resolve: Resolve, within: readonly Schema[] = []): Schema {
  const { $ref: reference, allOf, ...own } = schema
  if (typeof reference !== 'string' && !Array.isArray(allOf)) return schema
  if (within.includes(schema)) return own
  const parts = [
    ...(typeof reference === 'string' ? [resolve(reference)] : []),
    ...(Array.isArray(allOf) ? (allOf as SchemaOrBoolean[]) : []),
  ].filter(isObject)
  const flat = parts.map((part) => flatten(part, resolve, [...within, schema]))
  return [...flat, own].reduce((merged, part) => mergeTwo(merged, part, resolve), {})
}

function mergeTwo(a: Schema, b: Schema, resolve: Resolve): Schema {
  const merged: Record<string, unknown> = { ...a }
  for (const [keyword, value] of Object.entries(b)) {
    const rule = RULES[keyword]
    const other = merged[keyword]
    merged[keyword] = other === undefined || rule === undefined ? value : rule(other, value, resolve)
  }
  const lost = Object.keys(b).some((keyword) => HARD.has(keyword) && Object.hasOwn(a, keyword))
  return lost ? { ...merged, [VERIFY]: true } : merged
}

/** Marks a merged schema whose values must be tested, because one of two keywords was dropped. */
export const VERIFY = 'x-sim-verify'

const HARD = new Set(['pattern', 'format', 'const', 'multipleOf', 'not', 'if', 'contains', 'propertyNames'])
const MOST_COMBINATIONS = 64

type Rule = (a: unknown, b: unknown, resolve: Resolve) => unknown

const RULES: Readonly<Record<string, Rule>> = {
  type: (a, b) => {
    const [left, right] = [typesOf({ type: a }), typesOf({ type: b })]
    const both = left.flatMap((type) => (right.includes(type) ? [type] : narrower(type, right)))
    return both.length === 1 ? both[0] : both
  },
  properties: mergeProperties,
  patternProperties: mergeProperties,
  items: (a, b, resolve) => mergeSchemas([a as SchemaOrBoolean, b as SchemaOrBoolean], resolve),
  additionalProperties: (a, b, resolve) =>
    mergeSchemas([a as SchemaOrBoolean, b as SchemaOrBoolean], resolve),
  enum: (a, b) => intersect(a as unknown[], b as unknown[]),
  anyOf: combine,
  oneOf: combine,
  required: (a, b) => [...new Set([...(a as string[]), ...(b as string[])])],
  minimum: largest,
  exclusiveMinimum: largest,
  minLength: largest,
  minItems: largest,
  minProperties: largest,
  maximum: smallest,
  exclusiveMaximum: smallest,
  maxLength: smallest,
  maxItems: smallest,
  maxProperties: smallest,
}

function mergeProperties(a: unknown, b: unknown, resolve: Resolve): unknown {
  const merged: Record<string, unknown> = { ...(a as object) }
  for (const [name, schema] of Object.entries(b as Record<string, SchemaOrBoolean>)) {
    const other = merged[name] as SchemaOrBoolean | undefined
    merged[name] = other === undefined ? schema : mergeSchemas([other, schema], resolve)
  }
  return merged
}

// One of these and one of those is one of their pairs.
function combine(a: unknown, b: unknown): unknown {
  const pairs = (a as unknown[]).flatMap((left) =>
    (b as unknown[]).map((right) => ({ allOf: [left, right] })),
  )
  return pairs.slice(0, MOST_COMBINATIONS)
}

function narrower(type: string, others: readonly string[]): string[] {
  const pair = type === 'number' ? 'integer' : type === 'integer' ? 'number' : undefined
  return pair !== undefined && others.includes(pair) ? ['integer'] : []
}

function intersect(a: readonly unknown[], b: readonly unknown[]): unknown[] {
  const texts = new Set(b.map((value) => JSON.stringify(value)))
  return a.filter((value) => texts.has(JSON.stringify(value)))
}

function largest(a: unknown, b: unknown): number {
  return Math.max(a as number, b as number)
}

function smallest(a: unknown, b: unknown): number {
  return Math.min(a as number, b as number)
}
