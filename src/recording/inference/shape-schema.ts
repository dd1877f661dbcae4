import type { Schema, SchemaOrBoolean } from '../../engine/schema/schema.ts'
import type { Shape, Tally } from './shape.ts'

/** How sure a promise about values must be before a model makes it. */
interface Evidence {
  /** Values of one place before it may be called closed, or bounded. */
  readonly enough: number
}

/** Enough to promise the values of outputs. */
const ENOUGH: Evidence = { enough: 12 }

/** Inputs are not bounded by what a few clients happened to ask. */
export const OPEN: Evidence = { enough: Infinity }

const MAX_LITERALS = 8
const MIN_PER_LITERAL = 3
const ENTRY_KEYS = 12
const LONGEST_TUPLE = 4

/** A JSON Schema (2020-12) that every value seen fits: types, required fields, formats, closed sets and lengths. */
export function schemaOf(shape: Shape, evidence: Evidence = ENOUGH): SchemaOrBoolean {
  const forms = [
    ...(shape.strings.count > 0 ? [textSchema(shape.strings, evidence)] : []),
    ...numberSchemas(shape, evidence),
    ...(shape.booleans > 0 ? [{ type: 'boolean' }] : []),
    ...(shape.objects > 0 ? [objectSchema(shape, evidence)] : []),
    ...(shape.arrays > 0 ? [arraySchema(shape, evidence)] : []),
  ]
  const [only, ...others] = forms
  if (only === undefined) return shape.nulls > 0 ? { type: 'null' } : true
  if (others.length > 0) return { anyOf: [...forms, ...(shape.nulls > 0 ? [{ type: 'null' }] : [])] }
  return shape.nulls > 0 ? nullable(only) : only
}

function nullable(schema: Schema): Schema {
  const closed = schema['enum']
  return {
    ...schema,
    type: [schema['type'], 'null'],
    ...(Array.isArray(closed) && { enum: [...(closed as unknown[]), null] }),
  }
}

function textSchema(tally: Tally<string>, evidence: Evidence): Schema {
  const [format] = tally.formats ?? []
  if (format !== undefined) return { type: 'string', format }
  if (isClosed(tally, evidence)) return { type: 'string', enum: [...tally.values.keys()].toSorted() }
  return tally.min > 0 && tally.count >= evidence.enough
    ? { type: 'string', minLength: 1 }
    : { type: 'string' }
}

// A few texts, each seen again and again, none of them looking like an id or a sentence.
function isClosed({ count, values }: Tally<string>, { enough }: Evidence): boolean {
  return (
    count >= enough &&
    values.size <= MAX_LITERALS &&
    [...values].every(([text, times]) => times >= MIN_PER_LITERAL && /^[\w.:/+-]{1,40}$/.test(text))
  )
}

function numberSchemas({ integers, decimals }: Shape, evidence: Evidence): Schema[] {
  const count = integers.count + decimals.count
  if (count === 0) return []
  const [min, max] = [Math.min(integers.min, decimals.min), Math.max(integers.max, decimals.max)]
  const type = decimals.count > 0 ? 'number' : 'integer'
  if (evidence === OPEN) return [{ type }]
  if (count < evidence.enough) return [{ type, ...(min >= 0 && { minimum: 0 }) }]
  return [{ type, minimum: min >= 0 ? 0 : -outward(-min), maximum: outward(Math.max(max, 1)) }]
}

// The next of 1, 2, 5, 10, 20, 50 … that is at least twice as far: what was not seen yet lies beyond what was.
function outward(bound: number): number {
  const power = 10 ** Math.floor(Math.log10(bound * 2))
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= bound * 2) ?? bound * 2
}

function objectSchema({ objects, properties }: Shape, evidence: Evidence): Schema {
  if (isRecord(objects, properties)) {
    return { type: 'object', additionalProperties: schemaOf(merge([...properties.values()]), evidence) }
  }
  const required = [...properties].filter(([, part]) => part.count === objects).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(
      // The ids that were seen say nothing of those that come.
      [...properties].map(([name, part]) => [name, schemaOf(part, isIdName(name) ? OPEN : evidence)]),
    ),
    ...(required.length > 0 && { required }),
  }
}

function isIdName(name: string): boolean {
  return /(^|[_-])(id|ids|uuid|key|sku|slug|token|ID|UUID)$|[a-z](Id|Ids|Key|Uuid)$/.test(name)
}

// Names that are data: many, hardly any of them seen twice, and none a word of its own.
function isRecord(objects: number, properties: ReadonlyMap<string, Shape>): boolean {
  if (properties.size < ENTRY_KEYS) return false
  const rare = [...properties].filter(([, part]) => part.count * 4 <= objects || objects === 1)
  return rare.length === properties.size && [...properties.keys()].every((name) => /\d/.test(name))
}

function arraySchema({ items, arrays, lengths }: Shape, evidence: Evidence): Schema {
  return {
    type: 'array',
    items: items === undefined ? true : schemaOf(items, evidence),
    ...(arrays >= evidence.enough && lengthsOf(lengths)),
  }
}

// Pairs and the like have one length; of longer lists only that they are never empty is worth a promise.
function lengthsOf({ min, max }: Shape['lengths']): Schema {
  if (min === max && min > 0 && min <= LONGEST_TUPLE) return { minItems: min, maxItems: max }
  return min > 0 ? { minItems: 1 } : {}
}

/** One shape of several: what was seen in any of them. */
export function merge(shapes: readonly Shape[]): Shape {
  const [first, ...others] = shapes
  if (first === undefined) throw new RangeError('Nothing to merge')
  return others.reduce((a, b) => {
    const items = a.items && b.items ? merge([a.items, b.items]) : (a.items ?? b.items)
    const properties = new Map(a.properties)
    for (const [name, part] of b.properties) {
      const known = properties.get(name)
      properties.set(name, known === undefined ? part : merge([known, part]))
    }
    return {
      count: a.count + b.count,
      nulls: a.nulls + b.nulls,
      booleans: a.booleans + b.booleans,
      strings: mergeTallies(a.strings, b.strings),
      integers: mergeTallies(a.integers, b.integers),
      decimals: mergeTallies(a.decimals, b.decimals),
      arrays: a.arrays + b.arrays,
      lengths: { min: Math.min(a.lengths.min, b.lengths.min), max: Math.max(a.lengths.max, b.lengths.max) },
      ...(items !== undefined && { items }),
      objects: a.objects + b.objects,
      properties,
    }
  }, first)
}

function mergeTallies<Value>(a: Tally<Value>, b: Tally<Value>): Tally<Value> {
  const values = new Map(a.values)
  for (const [value, times] of b.values) values.set(value, (values.get(value) ?? 0) + times)
  const formats =
    a.formats && b.formats ? new Set([...a.formats].filter((format) => b.formats?.has(format))) : undefined
  return {
    count: a.count + b.count,
    values,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
    ...((formats ?? a.formats ?? b.formats) && { formats: (formats ?? a.formats ?? b.formats)! }),
  }
}
