import { getNamedType, getNullableType, isEnumType, isListType, type GraphQLOutputType } from 'graphql'
import type { Stream } from '../engine/random.ts'
import { compileGenerator } from '../engine/schema/compile.ts'
import type { Schema } from '../engine/schema/schema.ts'
import type { Field } from './model.ts'

/** Makes the values of fields that are scalars or enums, or lists of them. */
export type MakeLeaf = (parent: string, field: Field, stream: Stream) => unknown

/** Draws what a field of that name and type would hold, as the engine draws the fields of models. */
export function createLeafMaker(): MakeLeaf {
  const makers = new Map<string, (stream: Stream) => unknown>()
  return (parent, field, stream) => {
    const key = `${parent}.${field.name}`
    const make = makers.get(key) ?? compileLeaf(parent, field)
    makers.set(key, make)
    return make(stream)
  }
}

function compileLeaf(parent: string, field: Field): (stream: Stream) => unknown {
  const schema: Schema = {
    title: parent,
    type: 'object',
    properties: { [field.name]: schemaOf(field.type, field.description ?? '') },
    required: [field.name],
  }
  const generate = compileGenerator(schema)
  const scope = { route: `${parent}.${field.name}`, input: {}, headers: {} }
  return (stream) => (generate(stream, { ...scope, depth: 0 }) as Record<string, unknown>)[field.name]
}

function schemaOf(type: GraphQLOutputType, description: string): Schema {
  const own = getNullableType(type)
  if (isListType(own))
    return {
      type: 'array',
      items: schemaOf(own.ofType, description),
      minItems: 1,
      maxItems: 3,
    }
  const named = getNamedType(type)
  if (isEnumType(named))
    return {
      enum: named
        .getValues()
        .filter(isCurrent)
        .map(({ name }) => name),
    }
  const hint = `${named.description ?? ''} ${'specifiedByURL' in named ? (named.specifiedByURL ?? '') : ''}`
  return { ...scalarSchema(named.name, hint), ...hinted(named.name, description) }
}

function isCurrent({
  deprecationReason,
}: {
  readonly deprecationReason?: string | null | undefined
}): boolean {
  return deprecationReason === undefined || deprecationReason === null
}

const EXAMPLE = /(?:\be\.g\.|\bfor example|\bexamples?:?)[,:]?\s*[`"“']([^`"”'\n]{1,200})[`"”']/i
const RANGE = /\b(?:between|from)\s+(-?\d+)\s+(?:and|to)\s+(-?\d+)\b/i

// What a description says of the values: an example, or from where to where they go.
function hinted(name: string, description: string): Schema {
  const [, example] = EXAMPLE.exec(description) ?? []
  if (example !== undefined && name === 'String') return { const: example }
  const [, least, most] = RANGE.exec(description) ?? []
  if ((name === 'Int' || name === 'Float') && Number(least) <= Number(most))
    return { minimum: Number(least), maximum: Number(most) }
  return {}
}

const BUILT_IN: Readonly<Record<string, Schema>> = {
  String: { type: 'string' },
  ID: { type: 'string', format: 'uuid' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', minimum: 0, maximum: 1000 },
  Float: { type: 'number', minimum: 0, maximum: 1000 },
}

/** What is known of scalars by their names, or by what their descriptions or specifications say. */
const CUSTOM: readonly (readonly [RegExp, Schema])[] = [
  [/date-?time|timestamp|instant|iso-?8601|rfc-?3339|^moment$/i, { type: 'string', format: 'date-time' }],
  [/^(local)?date$|calendar date/i, { type: 'string', format: 'date' }],
  [/^(local)?time$|time of day/i, { type: 'string', format: 'time' }],
  [/duration|period/i, { type: 'string', format: 'duration' }],
  [/ur[li]$|^ur[li]|rfc-?3986/i, { type: 'string', format: 'uri' }],
  [/uuid|guid|rfc-?4122/i, { type: 'string', format: 'uuid' }],
  [/e-?mail/i, { type: 'string', format: 'email' }],
  [/json|^(any|map|object|record|dictionary|mixed)$/i, { const: {} }],
  [/ipv6/i, { type: 'string', format: 'ipv6' }],
  [/^ip|ipv4/i, { type: 'string', format: 'ipv4' }],
  [
    /long|big_?int|positive_?int|int(32|64)|unsigned|non_?negative_?int|^(u?int\d*|integer|port)$/i,
    { type: 'integer', minimum: 1, maximum: 100_000 },
  ],
  [/decimal|money|currency_?amount|numeric/i, { type: 'string', pattern: '^[1-9]\\d{0,2}\\.\\d{2}$' }],
  [/double|float|latitude|longitude|percent/i, { type: 'number', minimum: 0, maximum: 90 }],
  [/bool/i, { type: 'boolean' }],
  [/phone/i, { type: 'string', pattern: '^\\+1555\\d{7}$' }],
  [/currency/i, { enum: ['EUR', 'USD', 'GBP'] }],
  [/country/i, { type: 'string', enum: ['DE', 'FR', 'GB', 'JP', 'US'] }],
  [/colou?r/i, { type: 'string', pattern: '^#[0-9a-f]{6}$' }],
  [/base_?64|byte/i, { type: 'string', format: 'byte' }],
  [/(sha|oid|hash)$/i, { type: 'string', pattern: '^[0-9a-f]{40}$' }],
  [/^void$|^null$/i, { type: 'null' }],
  [/cursor/i, { type: 'string', pattern: '^[A-Za-z0-9]{12}$' }],
]

function scalarSchema(name: string, hint: string): Schema {
  const built = BUILT_IN[name]
  if (built !== undefined) return built
  const found = CUSTOM.find(([known]) => known.test(name)) ?? CUSTOM.find(([known]) => known.test(hint))
  return found?.[1] ?? { type: 'string' }
}

/** Whether ids of a type are numbers, UUIDs or any texts. */
export function idKind(type: string): 'number' | 'uuid' | 'text' {
  const { type: kind, format } = scalarSchema(type, '')
  if (kind === 'integer' || kind === 'number') return 'number'
  return type !== 'ID' && format === 'uuid' ? 'uuid' : 'text'
}
