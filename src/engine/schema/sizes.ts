import { contentStream } from '../random.ts'
import { MAX_DEPTH, MAX_TYPICAL, SPACE, SHALLOW_DEPTH } from './budget.ts'
import { isSmall, type Heights } from './height.ts'
import { itemsOf, kindOf, numberOf, requiredOf, schemaEntriesOf, schemaOf, textOf } from './keywords.ts'
import { isUnion, membersOf } from './members.ts'
import type { Fold } from './merge.ts'
import { propertiesOf, typesOf, type Schema, type SchemaOrBoolean } from './schema.ts'
import { textByName } from './text-by-name.ts'

/** Estimates how many bytes of JSON the values of a schema have. */
export interface Sizes {
  /** Of the smallest: what must be there, and what leads no deeper. */
  least(this: void, schema: SchemaOrBoolean, name?: string): number
  /** Of the next one: of lists and records that may be empty one that is not. */
  next(this: void, schema: SchemaOrBoolean): number
  /** Of the largest at some depth; `SPACE` stands for that and more. */
  most(this: void, schema: SchemaOrBoolean, depth?: number, name?: string): number
}

/** Estimates sizes of one document's schemas. Results are kept for each fold, and do not depend on what was requested before. */
export function createSizes(fold: Fold, heights: Heights): Sizes {
  const leasts = new Map<Schema, number>()
  const mosts = new Map<Schema, number[]>()
  // The greatest depth at which a schema is known to fill the space.
  const full = new Map<Schema, number>()
  const unions = new Map<Schema, readonly SchemaOrBoolean[]>()
  const ends = (part: SchemaOrBoolean): boolean => heights.of(part) !== Infinity

  const membersFor = (folded: Schema): readonly SchemaOrBoolean[] => {
    const known = unions.get(folded) ?? membersOf(folded, fold).filter(ends)
    unions.set(folded, known)
    return known
  }

  const least = (schema: SchemaOrBoolean, name = ''): number => {
    const folded = fold(schema)
    if (typeof folded === 'boolean') return TEXT
    const flat = flatSize(folded, name)
    if (flat !== undefined) return flat
    const known = leasts.get(folded)
    if (known !== undefined) return known
    if (heights.of(folded) > MAX_HEIGHT) return SPACE
    leasts.set(folded, 0)
    const found = isUnion(folded)
      ? leastOfUnion(folded)
      : largest(kindsOf(folded).map((kind) => leastOfKind(folded, kind)))
    leasts.set(folded, Math.min(SPACE, found))
    return Math.min(SPACE, found)
  }
  const leastOfUnion = (folded: Schema): number => {
    const members = membersFor(folded)
    const lowest = members.reduce((low, member) => Math.min(low, heights.of(member)), Infinity)
    return largest(members.filter((member) => heights.of(member) === lowest).map((member) => least(member)))
  }
  const leastOfKind = (folded: Schema, kind: string): number => {
    if (kind !== 'array' && kind !== 'object') return scalarSize(folded, kind)
    if (kind === 'array') {
      const { first, rest } = itemsOf(folded)
      const count = numberOf(folded, 'minItems') ?? 0
      const own = first.slice(0, count).map((part) => least(part))
      const further = count - own.length
      return BRACKETS + sum(own) + (further > 0 ? further * least(rest) : 0)
    }
    const required = new Set(requiredOf(folded))
    const fields = propertiesOf(folded).filter(
      ([name, part]) => required.has(name) || isSmall(part, heights, fold),
    )
    const further = Math.max(numberOf(folded, 'minProperties') ?? 0, required.size) - fields.length
    return (
      BRACKETS +
      sum(fields.map(([name, part]) => keySize(name) + least(part, name))) +
      (further > 0 ? further * (TEXT + least(schemaOf(folded, 'additionalProperties') ?? true)) : 0)
    )
  }

  const most = (schema: SchemaOrBoolean, depth = 0, name = ''): number => {
    const folded = fold(schema)
    if (typeof folded === 'boolean') return TEXT
    const flat = flatSize(folded, name)
    if (flat !== undefined) return flat
    const own = depth + (folded === schema ? WITHIN : REFERENCE)
    if (own > MAX_DEPTH * REFERENCE) return least(folded)
    // What fills the space deeper down does so here, where it may hold more.
    if ((full.get(folded) ?? 0) >= own) return SPACE
    const known = mosts.get(folded) ?? []
    mosts.set(folded, known)
    const size = (known[own] ??= isUnion(folded)
      ? upTo(membersFor(folded), (member) => most(member, own), Math.max)
      : upTo(kindsOf(folded), (kind) => mostOfKind(folded, kind, own), Math.max))
    if (size >= SPACE) full.set(folded, own)
    return size
  }
  const mostOfKind = (folded: Schema, kind: string, depth: number): number => {
    if (kind !== 'array' && kind !== 'object') return scalarSize(folded, kind)
    if (kind === 'array') {
      const { first, rest } = itemsOf(folded)
      const usual = depth > SHALLOW_DEPTH * REFERENCE ? 1 : MAX_TYPICAL
      const open = first.length > 0 ? first.length : Math.min(usual, numberOf(folded, 'maxItems') ?? Infinity)
      const further = Math.max(numberOf(folded, 'minItems') ?? 0, open) - first.length
      const own = upTo(first, (part) => 1 + most(part, depth), plus)
      return BRACKETS + own + (further > 0 && ends(rest) ? further * (1 + most(rest, depth)) : 0)
    }
    const fields = propertiesOf(folded).filter(([, part]) => ends(part))
    if (fields.length > 0)
      return BRACKETS + upTo(fields, ([name, part]) => keySize(name) + most(part, depth, name), plus)
    const entry = upTo(entriesOf(folded), (part) => most(part, depth), Math.max)
    return BRACKETS + Math.max(MAX_TYPICAL, numberOf(folded, 'minProperties') ?? 0) * (TEXT + entry)
  }
  const entriesOf = (folded: Schema): readonly SchemaOrBoolean[] =>
    [
      ...schemaEntriesOf(folded, 'patternProperties').map(([, part]) => part),
      schemaOf(folded, 'additionalProperties') ?? false,
    ].filter((part) => part !== false && ends(part))

  const next = (schema: SchemaOrBoolean): number => {
    const folded = fold(schema)
    if (typeof folded === 'boolean') return TEXT
    const kind = kindOf(folded)
    const { rest } = itemsOf(folded)
    if (kind === 'array') return Math.max(least(folded), BRACKETS + (ends(rest) ? least(rest) : 0))
    if (kind !== 'object' || propertiesOf(folded).length > 0) return least(folded)
    return Math.max(least(folded), BRACKETS + TEXT + largest(entriesOf(folded).map((part) => least(part))))
  }
  return { least, next, most }
}

// Stops where the rest makes no difference, so that a model of very many parts is not walked through.
function upTo<Part>(
  parts: readonly Part[],
  sizeOf: (part: Part) => number,
  join: (a: number, b: number) => number,
): number {
  let size = 0
  for (const part of parts) {
    size = join(size, sizeOf(part))
    if (size >= SPACE) return SPACE
  }
  return size
}

// Higher ones would be too much for the stack, and are long in any case.
const MAX_HEIGHT = 100
// What a reference adds to the depth, and what lies within a schema itself, of which there may be many levels.
const REFERENCE = 16
const WITHIN = 1

export const BRACKETS = 2
const NUMBER = 8
const TEXT = 30

// The types that have sizes of their own.
function kindsOf(folded: Schema): readonly string[] {
  const types = typesOf(folded).filter((type) => type !== 'null')
  return types.length === 0 ? [kindOf(folded)] : types
}

// Of what has no parts.
function flatSize(folded: Schema, name: string): number | undefined {
  const constant = constantSize(folded)
  if (constant !== undefined) return Math.min(SPACE, constant)
  const kinds = kindsOf(folded)
  if (isUnion(folded) || kinds.some((kind) => kind === 'object' || kind === 'array')) return undefined
  return Math.min(SPACE, largest(kinds.map((kind) => scalarSize(folded, kind, name))))
}

function scalarSize(folded: Schema, kind: string, name = ''): number {
  return kind === 'string' ? textSize(folded, name) : NUMBER
}

/** How long a field's name is in JSON. */
export function keySize(name: string): number {
  return name.length + 4
}

// A value that the schema itself has.
function constantSize(folded: Schema): number | undefined {
  if (Object.hasOwn(folded, 'const')) return jsonSize(folded['const'])
  const values = folded['examples'] ?? folded['enum']
  return Array.isArray(values) && values.length > 0 ? largest(values.map(jsonSize)) : undefined
}

function jsonSize(value: unknown): number {
  return (JSON.stringify(value) ?? 'null').length
}

const SIZES: ReadonlyMap<string, number> = new Map([
  ['date-time', 22],
  ['date', 12],
  ['uuid', 38],
  ['uri', 60],
  ['url', 60],
  ['email', 45],
])

function textSize(folded: Schema, name: string): number {
  const usual = SIZES.get(textOf(folded, 'format') ?? '') ?? sizeByName(name)
  const longest = numberOf(folded, 'maxLength') ?? Infinity
  return 2 + Math.max(numberOf(folded, 'minLength') ?? 0, Math.min(usual, longest))
}

const byName = new Map<string, number>()
const MAX_KNOWN = 10_000

// One text of each name is drawn to see how long they are.
function sizeByName(name: string): number {
  const known = byName.get(name)
  if (known !== undefined) return known
  const draw = textByName({ model: '', field: name })
  const size = draw === undefined ? TEXT : draw(contentStream(1, 'sizes')).length
  if (byName.size < MAX_KNOWN) byName.set(name, size)
  return size
}

const plus = (a: number, b: number): number => a + b

function largest(sizes: readonly number[]): number {
  return sizes.reduce((most, size) => Math.max(most, size), 0)
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all + size, 0)
}
