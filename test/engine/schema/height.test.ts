import { describe, expect, it } from 'vitest'
import { createHeights, isContradiction } from '../../../src/engine/schema/height.ts'
import { createResolver, type Schema } from '../../../src/engine/schema/schema.ts'

const heightOf = (root: Schema): number => createHeights(createResolver(root)).of(root)
const requiring = (name: string, part: unknown): Schema => ({
  type: 'object',
  required: [name],
  properties: { [name]: part },
})

describe('createHeights', () => {
  it.for<[number, Schema]>([
    [0, { type: 'string' }],
    [0, {}],
    [0, { const: { deep: {} } }],
    [Infinity, { type: 'string', not: {} }],
    [Infinity, { const: 1, not: true }],
    [Infinity, { additionalProperties: false, anyOf: [requiring('a', {}), requiring('b', {})] }],
    [
      1,
      { additionalProperties: false, properties: { a: {} }, oneOf: [requiring('a', {}), requiring('b', {})] },
    ],
    [0, { enum: [[]] }],
    [0, { type: ['object', 'string'], enum: ['a'] }],
    [1, { type: 'object', properties: { a: { $ref: '#' } } }],
    [1, { type: 'array', items: { $ref: '#' } }],
    [2, requiring('a', { type: 'array', items: { $ref: '#' } })],
    [2, { type: 'array', items: { type: 'object' }, minItems: 1 }],
    [2, { type: 'array', prefixItems: [{ type: 'string' }, { type: 'array' }], minItems: 2 }],
    [1, { type: 'array', prefixItems: [{ type: 'string' }, { type: 'array' }], minItems: 1 }],
    [1, requiring('a', { anyOf: [{ $ref: '#' }, { type: 'null' }] })],
    [0, { type: ['object', 'null'], required: ['a'], properties: { a: { $ref: '#' } } }],
    [2, requiring('a', { allOf: [{ type: 'object' }, { required: ['b'], properties: { b: true } }] })],
    [2, { type: 'object', minProperties: 1, additionalProperties: { type: 'array' } }],
    [
      1,
      { type: 'object', minProperties: 1, patternProperties: { a: { $ref: '#' }, b: { type: 'integer' } } },
    ],
    [
      1,
      {
        type: 'object',
        required: ['x1'],
        patternProperties: { '^x': true },
        additionalProperties: { $ref: '#' },
      },
    ],
  ])('is %d for %j', ([height, schema]) => {
    expect(heightOf(schema)).toBe(height)
  })

  it.for<Schema>([
    requiring('a', { $ref: '#' }),
    requiring('a', { type: 'array', items: { $ref: '#' }, minItems: 1 }),
    requiring('a', {
      anyOf: [{ $ref: '#' }, { type: 'object', required: ['b'], properties: { b: { $ref: '#' } } }],
    }),
    requiring('a', { allOf: [{ $ref: '#' }, { minProperties: 1 }] }),
    { type: 'object', minProperties: 1, additionalProperties: { $ref: '#' } },
    { type: 'object', required: ['b'], additionalProperties: { $ref: '#' } },
    {
      $ref: '#/$defs/a',
      $defs: { a: requiring('b', { $ref: '#/$defs/b' }), b: requiring('a', { $ref: '#/$defs/a' }) },
    },
    requiring('a', false),
    { enum: [] },
    { type: 'object', enum: ['a'] },
    { anyOf: [false] },
  ])('is endless for %j', (schema) => {
    expect(heightOf(schema)).toBe(Infinity)
  })

  it('is 0 or endless for booleans', () => {
    const heights = createHeights(createResolver({}))
    expect([heights.of(true), heights.of(false)]).toEqual([0, Infinity])
  })

  it('is found at once for hundreds of models that refer to each other', () => {
    const names = Array.from({ length: 300 }, (_, index) => `M${index}`)
    const references = names.map((name) => ({ $ref: `#/$defs/${name}` }))
    const model = (index: number): Schema => ({
      type: 'object',
      required: index === 299 ? [] : ['next'],
      properties: { next: { anyOf: references.slice(index + 1).toReversed() }, any: { anyOf: references } },
    })
    const root = {
      $defs: Object.fromEntries(names.map((name, index) => [name, model(index)])),
      $ref: '#/$defs/M0',
    }
    expect(heightOf(root)).toBe(2)
  })
})

describe('isContradiction', () => {
  it.for<[string, Schema, boolean]>([
    ['string', { minLength: 3, maxLength: 2 }, true],
    ['string', { minLength: 2, maxLength: 2 }, false],
    ['array', { minItems: 1, maxItems: 0 }, true],
    ['array', { minItems: 1 }, false],
    ['object', { minProperties: 2, maxProperties: 1 }, true],
    ['object', { required: ['a', 'b'], maxProperties: 1 }, true],
    ['object', { required: ['a'], maxProperties: 1 }, false],
    ['number', { minimum: 2, maximum: 1 }, true],
    ['number', { minimum: 1, exclusiveMaximum: 1 }, true],
    ['number', { exclusiveMinimum: 1, maximum: 1 }, true],
    ['number', { exclusiveMinimum: 1, exclusiveMaximum: 1.1 }, false],
    ['integer', { exclusiveMinimum: 1, exclusiveMaximum: 2 }, true],
    ['integer', { minimum: 1.2, maximum: 1.8 }, true],
    ['integer', { exclusiveMinimum: 1.2, exclusiveMaximum: 2.1 }, false],
    ['integer', {}, false],
    ['null', { minimum: 2, maximum: 1 }, false],
  ])('of %s and %j is %s', ([type, schema, expected]) => {
    expect(isContradiction(type, schema)).toBe(expected)
  })
})
