import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { fittingValuesOf, scopeOf, valuesOf } from './generating.ts'

const integer = { type: 'integer' }

describe('compileEntries', () => {
  it.for<Schema>([
    { type: 'object', additionalProperties: integer },
    { type: 'object', additionalProperties: integer, minProperties: 6, maxProperties: 7 },
    { type: 'object', additionalProperties: integer, maxProperties: 0 },
    { type: 'object', minProperties: 3 },
    {
      type: 'object',
      patternProperties: { '^\\d+$': integer },
      additionalProperties: false,
      minProperties: 2,
    },
    {
      type: 'object',
      patternProperties: { '^a': { minimum: 3 }, z$: integer },
      additionalProperties: { type: 'null' },
    },
    { type: 'object', patternProperties: { '^a': false }, additionalProperties: integer },
    { type: 'object', patternProperties: { '^a': false }, additionalProperties: false },
    { type: 'object', propertyNames: { pattern: '^[A-Z]{3}$' }, additionalProperties: integer },
    {
      type: 'object',
      propertyNames: { enum: ['north', 'south'] },
      additionalProperties: integer,
      minProperties: 2,
    },
    { type: 'object', propertyNames: { format: 'uuid' }, minProperties: 1 },
    {
      type: 'object',
      propertyNames: { maxLength: 3 },
      patternProperties: { '^x': integer },
      minProperties: 2,
    },
    { type: 'object', required: ['a', 'b'] },
    { type: 'object', required: ['a'], properties: { b: integer }, additionalProperties: integer },
    {
      type: 'object',
      required: ['x1'],
      patternProperties: { '^x': integer },
      additionalProperties: { type: 'null' },
    },
    { type: 'object', properties: { a: integer }, minProperties: 3, maxProperties: 3 },
    { type: 'object', properties: { a: integer }, dependentRequired: { a: ['b'], c: ['d'] } },
  ])('keeps to %j', (schema) => {
    fittingValuesOf(schema)
  })

  it('gives a record one to three entries', () => {
    const sizes = valuesOf<object>({ type: 'object', additionalProperties: integer }, 60).map(
      (value) => Object.keys(value).length,
    )
    expect([...new Set(sizes)].toSorted()).toEqual([1, 2, 3])
  })

  it('gives entries of no name where none is described', () => {
    expect(valuesOf({ type: 'object', additionalProperties: true }, 1)).toEqual([{}])
    expect(
      valuesOf({ type: 'object', properties: { a: integer }, additionalProperties: integer }, 1),
    ).toEqual([{ a: expect.any(Number) as unknown }])
  })

  it('makes records as TypeBox writes them', () => {
    const words = valuesOf<object>(Type.Record(Type.String(), Type.Integer()))
    expect(words.every((value) => Object.keys(value).every((name) => /^\S+( \S+)*$/.test(name)))).toBe(true)
    const numbers = valuesOf<object>(Type.Record(Type.Integer(), Type.Boolean()))
    expect(numbers.every((value) => Object.keys(value).every((name) => /^-?\d+$/.test(name)))).toBe(true)
  })

  it('applies the links of entries', () => {
    const model = {
      type: 'object',
      additionalProperties: { type: 'string', ...FromInput('name') },
      required: ['must'],
    }
    const [value] = valuesOf<object>(model, 1, scopeOf({ name: 'Ada' }))
    expect(new Set(Object.values(value ?? {}))).toEqual(new Set(['Ada']))
    expect(value).toHaveProperty('must')
  })

  it('gives up where there are not enough names', () => {
    const model = {
      type: 'object',
      propertyNames: { const: 'only' },
      additionalProperties: integer,
      minProperties: 2,
    }
    expect(valuesOf(model, 1)).toEqual([{ only: expect.any(Number) as unknown }])
  })

  it('takes a required name such as __proto__ as it is', () => {
    const [value] = valuesOf<object>({ type: 'object', required: ['__proto__', 'constructor'] }, 1)
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})
