import fc from 'fast-check'
import type { Schema } from '../../../src/engine/schema/schema.ts'

/** Names that generation knows, and names that it does not. */
const NAMES = [
  ...['id', 'name', 'email', 'price', 'created_at', 'tags', 'a', 'b', 'c', 'x_1', 'count', 'status'],
]
const name = fc.constantFrom(...NAMES)

const FORMATS = [
  ...['date-time', 'iso-date-time', 'date', 'time', 'iso-time', 'duration', 'email', 'hostname', 'ipv4'],
  ...['ipv6', 'uri', 'url', 'uri-reference', 'uri-template', 'uuid', 'json-pointer', 'relative-json-pointer'],
  ...['regex', 'json-pointer-uri-fragment', 'byte', 'binary', 'password', 'unheard-of'],
]
const SIZEABLE_FORMATS = ['email', 'hostname', 'uri', 'uri-reference', 'json-pointer', 'password', 'regex']
const PATTERNS = [
  ...['^[a-z]+$', '^[A-Z]{2}-\\d{4}$', '^(foo|bar)baz?$', '\\d', '^\\S+@\\S+\\.example$', '^[^\\s]{3,8}$'],
  ...['x{3}', '^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$', '^\\p{Lu}\\p{Ll}+$', '^[\\p{L}\\d_]{4}$'],
  ...['^(?<year>\\d{4})-\\k<year>$', '^(?=.*\\d)[a-z\\d]{8}$', '^[äöü]+$', '^\\/[a-z]+(\\/[a-z]+)*$'],
  ...['^$', '^.{3}$', '^v\\d+(\\.\\d+){2}$'],
]

/** A bound and one that is at least as much. */
const bounds = (min: number, max: number): fc.Arbitrary<readonly [number, number]> =>
  fc
    .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)])

const lengths = fc.oneof(
  fc.constant({}),
  bounds(0, 40).map(([minLength, maxLength]) => ({ minLength, maxLength })),
  fc.integer({ min: 0, max: 60 }).map((minLength) => ({ minLength })),
  fc.integer({ min: 0, max: 12 }).map((maxLength) => ({ maxLength })),
)
const text: fc.Arbitrary<Schema> = fc.oneof(
  lengths.map((bound) => ({ type: 'string', ...bound })),
  fc.constantFrom(...FORMATS).map((format) => ({ type: 'string', format })),
  fc.constantFrom(...PATTERNS).map((pattern) => ({ type: 'string', pattern })),
  fc
    .tuple(fc.constantFrom('^[a-z]+$', '^\\S+$', '[0-9]', '^\\w+-\\w+$'), bounds(5, 40))
    .map(([pattern, [minLength, maxLength]]) => ({ type: 'string', pattern, minLength, maxLength })),
  fc
    .tuple(fc.constantFrom(...SIZEABLE_FORMATS), fc.integer({ min: 8, max: 60 }), fc.boolean())
    .map(([format, length, isLeast]) => ({
      type: 'string',
      format,
      [isLeast ? 'minLength' : 'maxLength']: length,
    })),
)

const edge = fc.oneof(
  fc.integer({ min: -50, max: 50 }),
  fc.constantFrom(0, 0.5, -0.25, 1e9, -1e12, 0.001, 1e-7),
)
const number: fc.Arbitrary<Schema> = fc.oneof(
  fc
    .tuple(edge, fc.constantFrom('minimum', 'exclusiveMinimum'))
    .map(([least, low]) => ({ type: 'number', [low]: least })),
  fc
    .tuple(edge, fc.constantFrom('maximum', 'exclusiveMaximum'))
    .map(([most, high]) => ({ type: 'number', [high]: most })),
  fc
    .record({
      least: edge,
      span: fc.constantFrom(0.001, 0.5, 3, 1e6),
      low: fc.constantFrom('minimum', 'exclusiveMinimum'),
      high: fc.constantFrom('maximum', 'exclusiveMaximum'),
    })
    .map(({ least, span, low, high }) => ({ type: 'number', [low]: least, [high]: least + span })),
  fc
    .tuple(fc.constantFrom(0.01, 0.1, 0.25, 0.5, 3, 7, 1e-6, 100), edge)
    .map(([multipleOf, minimum]) => ({ type: 'number', multipleOf, minimum })),
  fc.constantFrom<Schema>(
    { type: 'number' },
    { minimum: 5 },
    { type: 'number', minimum: -1e308, maximum: 1e308 },
  ),
)
const integer: fc.Arbitrary<Schema> = fc.oneof(
  fc.constantFrom<Schema>(
    { type: 'integer' },
    { type: 'integer', format: 'int32' },
    { type: 'integer', minimum: 0.5 },
  ),
  bounds(-1000, 1000).map(([minimum, maximum]) => ({ type: 'integer', minimum, maximum })),
  bounds(-30, 30).map(([low, high]) => ({
    type: 'integer',
    exclusiveMinimum: low,
    exclusiveMaximum: high + 2,
  })),
  fc.constantFrom(2, 5, 2.5, 0.1, 1000, 0.0003).map((multipleOf) => ({ type: 'integer', multipleOf })),
  fc.tuple(fc.constantFrom(3, 7, 10), fc.integer({ min: -100, max: 100 })).map(([multipleOf, minimum]) => ({
    type: 'integer',
    multipleOf,
    minimum,
    maximum: minimum + multipleOf,
  })),
)
const constant = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constant({ k: [1, 'x'] }),
)
const fixed: fc.Arbitrary<Schema> = fc.oneof(
  constant.map((value) => ({ const: value })),
  fc
    .uniqueArray(constant, { minLength: 1, maxLength: 5, selector: (value) => JSON.stringify(value) })
    .map((values) => ({
      enum: values,
    })),
  fc.constantFrom<Schema>(
    { type: 'string', enum: ['a', 1, 'b', null] },
    { type: 'integer', enum: [1, 2.5, 3, 40], maximum: 30 },
    { type: 'boolean' },
    { type: 'null' },
  ),
)
const scalar = fc.oneof(text, number, integer, fixed)

/** Schemas of all kinds, each of which some value fits. References lead to `$defs` that the model must have. */
export const schemas = fc.letrec<{ schema: Schema; object: Schema; part: Schema }>((tie) => {
  const schema = tie('schema')
  const property = fc.tuple(name, schema)
  const object = fc
    .record({
      properties: fc.uniqueArray(property, { maxLength: 5, selector: ([key]) => key }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      closed: fc.boolean(),
    })
    .map(({ properties, share, closed }) => ({
      type: 'object',
      properties: Object.fromEntries(properties),
      required: properties.slice(0, Math.ceil(properties.length * share)).map(([key]) => key),
      ...(closed && { additionalProperties: false }),
    }))
  const limited = fc
    .tuple(object, fc.integer({ min: 0, max: 3 }))
    .map(([{ properties, required }, more]) => ({
      type: 'object',
      properties,
      required,
      maxProperties: required.length + more,
    }))
  const record = fc.oneof(
    fc.tuple(schema, bounds(0, 5)).map(([additionalProperties, [minProperties, maxProperties]]) => ({
      type: 'object',
      additionalProperties,
      minProperties,
      maxProperties,
    })),
    fc.tuple(schema, fc.boolean()).map(([part, closed]) => ({
      type: 'object',
      patternProperties: { '^x-[a-z]+$': part },
      minProperties: 1,
      ...(closed && { additionalProperties: false }),
    })),
    fc.tuple(schema, schema).map(([a, b]) => ({
      type: 'object',
      required: ['n1', 'other'],
      patternProperties: { '^n\\d$': a },
      additionalProperties: b,
    })),
    schema.map((part) => ({
      type: 'object',
      propertyNames: { pattern: '^[a-f]+$', maxLength: 6 },
      additionalProperties: part,
    })),
    fc.constant({
      type: 'object',
      propertyNames: { enum: ['north', 'south'] },
      additionalProperties: { type: 'integer' },
    }),
  )
  const array = fc.oneof(
    schema.map((items) => ({ type: 'array', items })),
    fc
      .tuple(schema, bounds(0, 6))
      .map(([items, [minItems, maxItems]]) => ({ type: 'array', items, minItems, maxItems })),
    fc.integer({ min: 1, max: 8 }).map((minItems) => ({
      type: 'array',
      items: { type: 'integer', minimum: 0, maximum: minItems },
      uniqueItems: true,
      minItems,
    })),
    fc.constant({
      type: 'array',
      items: { enum: ['a', 'b', 'c', 'd', 'e'] },
      uniqueItems: true,
      minItems: 5,
    }),
    fc.tuple(fc.array(schema, { minLength: 1, maxLength: 3 }), schema).map(([prefixItems, items]) => ({
      type: 'array',
      prefixItems,
      items,
      minItems: prefixItems.length + 1,
    })),
    fc
      .array(schema, { minLength: 1, maxLength: 3 })
      .map((prefixItems) => ({ type: 'array', prefixItems, items: false })),
    fc.constant({ type: 'array', items: { type: 'integer' }, contains: { const: 7 }, minContains: 2 }),
  )
  const union = fc.oneof(
    fc.array(schema, { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    schema.map((each) => ({ description: 'nullable', anyOf: [each, { type: 'null' }] })),
    fc.constantFrom<Schema>(
      { oneOf: [{ type: 'string' }, { type: 'integer' }] },
      { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 0 }] },
      { type: ['string', 'null', 'integer'], minLength: 3, minimum: 8 },
      { type: 'object', properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      {
        oneOf: ['cat', 'dog'].map((kind) => ({
          type: 'object',
          required: ['kind', kind],
          properties: { kind: { const: kind }, [kind]: { type: 'string' } },
        })),
      },
    ),
    fc
      .tuple(object, object)
      .map(([a, b]) => ({ ...a, additionalProperties: true, anyOf: [{ required: b.required }, {}] })),
  )
  const merged = fc.oneof(
    fc.tuple(object, object).map(([a, b]) => ({
      allOf: [
        open(a),
        { type: 'object', required: ['extra'], properties: { extra: { $ref: '#/$defs/text' } } },
        keep(b),
      ],
    })),
    fc.constantFrom<Schema>(
      {
        allOf: [
          { type: 'integer', minimum: 3 },
          { type: 'number', maximum: 9 },
        ],
      },
      { allOf: [{ type: 'string', minLength: 3 }, { pattern: '^[a-z]+$' }, { maxLength: 6 }] },
      { allOf: [{ pattern: '^[a-z]' }, { type: 'string', pattern: '^\\w{3}$' }] },
      { allOf: [{ multipleOf: 3 }, { multipleOf: 5 }, { type: 'integer' }] },
      { allOf: [{ $ref: '#/$defs/text' }, { maxLength: 30 }] },
      { $ref: '#/$defs/text', description: 'a text' },
      { if: { type: 'string' }, then: { minLength: 3, type: 'string' }, else: { type: 'integer' } },
      { type: 'integer', not: { multipleOf: 2 } },
      {
        allOf: [
          {
            type: 'object',
            properties: { a: { type: 'string' } },
            additionalProperties: { type: 'integer' },
          },
          { type: 'object', required: ['b'], properties: { b: { minimum: 3 } } },
        ],
      },
    ),
  )
  const named = fc.constantFrom('#/$defs/tree', '#/$defs/left', '#/$defs/text', 'Node', '#/$defs/wide')
  const reference = fc.oneof(named, fc.constant('#'))
  return {
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { arbitrary: scalar, weight: 6 },
      { arbitrary: tie('object'), weight: 3 },
      { arbitrary: tie('part'), weight: 4 },
    ),
    object: fc.oneof(object, limited),
    part: fc.oneof(
      record,
      array,
      union,
      merged,
      named.map(($ref) => ({ anyOf: [{ $ref }, { type: 'null' }] })),
      reference.map(($ref) => ({ type: 'array', items: { $ref } })),
      reference.map(($ref) => ({
        type: 'object',
        properties: { below: { $ref }, 'more below': { allOf: [{ $ref }] } },
      })),
    ),
  }
})

function open(schema: Schema): Schema {
  const { additionalProperties: _closed, maxProperties: _most, ...others } = schema
  return others
}

// Only the names, so that two objects never disagree about a field.
function keep({ properties }: Schema): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.keys(properties as object).map((key) => [key, true])),
  }
}

/** Definitions that lie within themselves and each other. */
const $defs: Record<string, Schema> = {
  text: { type: 'string', minLength: 2 },
  tree: {
    type: 'object',
    required: ['value', 'children'],
    properties: { value: { type: 'integer' }, children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
  },
  left: {
    type: 'object',
    required: ['right'],
    properties: { right: { anyOf: [{ $ref: '#/$defs/right' }, { type: 'null' }] } },
  },
  right: {
    type: 'object',
    properties: { left: { $ref: '#/$defs/left' }, up: { $ref: '#/$defs/right' } },
    required: ['left'],
  },
  wide: {
    type: 'object',
    required: ['a', 'b', 'c'],
    properties: Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((key) => [key, { type: 'array', items: { $ref: '#/$defs/wide' } }]),
    ),
  },
  Node: {
    $id: 'Node',
    type: 'object',
    properties: { id: { type: 'string' }, next: { $ref: 'Node' } },
    required: ['id'],
  },
}

/** Models: a schema of any kind with the definitions its references lead to. */
export const models: fc.Arbitrary<Schema> = fc
  .oneof(schemas.object, schemas.schema)
  .map((schema) => ({ $defs, ...schema }))
