import { describe, expect, it } from 'vitest'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { fittingValuesOf, valuesOf } from './generating.ts'
import { numberByName } from '../../../src/engine/schema/number.ts'

describe('compileNumber', () => {
  it.for<Schema>([
    { exclusiveMinimum: -9.727837981879871e26 },
    { type: 'integer' },
    { type: 'number' },
    { type: 'integer', minimum: 3, maximum: 3 },
    { type: 'integer', exclusiveMinimum: 3, exclusiveMaximum: 5 },
    { type: 'integer', minimum: 0.5, maximum: 1.5 },
    { type: 'integer', minimum: -7, maximum: -6 },
    { type: 'integer', maximum: -5000 },
    { type: 'integer', minimum: 1e15 },
    { type: 'integer', minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'integer', multipleOf: 2.5, minimum: 4, maximum: 6 },
    { type: 'integer', multipleOf: 0.1 },
    { type: 'integer', multipleOf: 0.0003 },
    { type: 'integer', multipleOf: 7, minimum: 8 },
    { type: 'integer', multipleOf: 2000, exclusiveMaximum: -5 },
    { type: 'integer', format: 'int32' },
    { type: 'number', multipleOf: 0.01, minimum: 0, maximum: 10 },
    { type: 'number', multipleOf: 0.1 },
    { type: 'number', multipleOf: 1e-7, minimum: 0, exclusiveMaximum: 1e-6 },
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.001 },
    { type: 'number', exclusiveMinimum: 0, maximum: 1e-9 },
    { type: 'number', minimum: 1e-30, maximum: 2e-30 },
    { type: 'number', minimum: -1.7e308, maximum: 1.7e308 },
    { type: 'number', exclusiveMinimum: -0.5, exclusiveMaximum: 0.5 },
    { type: 'number', maximum: -0.25 },
    { minimum: 5 },
  ])('keeps to %j', (schema) => {
    fittingValuesOf(schema, 50)
  })

  it.for(['memberCount', 'comment_count', 'updated_at', 'date_unix'])(
    'is whole where it is called %s',
    (name) => {
      const properties = { [name]: { type: 'number' } }
      const values = valuesOf<Record<string, number>>({ type: 'object', required: [name], properties }, 20)
      expect(values.filter((each) => !Number.isInteger(each[name]))).toEqual([])
      const least = { ...properties[name], minimum: 0.25, maximum: 0.75 }
      fittingValuesOf({ type: 'object', required: [name], properties: { [name]: least } }, 5)
    },
  )

  it('spreads over its range', () => {
    const values = valuesOf<number>({ type: 'integer', minimum: 1, maximum: 6 }, 200)
    expect([...new Set(values)].toSorted()).toEqual([1, 2, 3, 4, 5, 6])
    expect(
      Math.min(...valuesOf<number>({ type: 'number', minimum: -1e308, maximum: 1e308 }, 50)),
    ).toBeLessThan(-1e307)
  })

  it('has two decimals where the bounds have no more', () => {
    for (const value of valuesOf({ type: 'number' })) expect(String(value)).toMatch(/^\d+(\.\d{1,2})?$/)
  })

  it('is a multiple for a validator that divides, where few multiples are', () => {
    fittingValuesOf({ type: 'integer', multipleOf: 0.0003 })
    fittingValuesOf({ type: 'integer', multipleOf: 0.07, minimum: 100 })
    fittingValuesOf({ type: 'integer', multipleOf: 0.0003, minimum: 0, maximum: 1_000_000 })
    fittingValuesOf({ type: 'number', multipleOf: 0.0003, minimum: -1_000_000, maximum: 0 })
  })

  it('is never negative zero', () => {
    const values = valuesOf({ type: 'integer', multipleOf: 5, minimum: -2, maximum: 2 })
    expect(values.every((value) => Object.is(value, 0))).toBe(true)
  })

  it.for<[Schema, number, number]>([
    [{ type: 'integer' }, 18, 90],
    [{ type: 'integer', minimum: 80 }, 80, 90],
    [{ type: 'integer', maximum: 20 }, 18, 20],
    [{ type: 'integer', minimum: 100 }, 100, 1100],
    [{ type: 'integer', multipleOf: 7, maximum: 20 }, 0, 20],
  ])('is an age where %j allows one', ([schema, least, most]) => {
    const model = { type: 'object', required: ['age'], properties: { age: schema } }
    for (const { age } of fittingValuesOf<{ age: number }>(model, 50)) {
      expect(age).toBeGreaterThanOrEqual(least)
      expect(age).toBeLessThanOrEqual(most)
    }
  })

  it.for<Schema>([
    { type: 'integer', minimum: 5, maximum: 3 },
    { type: 'integer', minimum: 1, maximum: 2, multipleOf: 5 },
    { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 1 },
  ])('has no value of %j', (schema) => {
    const model = { title: 'Thing', type: 'object', required: ['n'], properties: { n: schema } }
    expect(() => valuesOf(model)).toThrow(/^Thing/)
  })
})

describe('numberByName', () => {
  it.for([
    ['price', 1, 999],
    ['order.lines[].unit_price', undefined, undefined],
    ['order.lines[].price', 1, 999],
    ['ratings[]', 1, 5],
    ['latitude', -90, 90],
    ['userId', 1, 999_999_999],
    ['user_id', 1, 999_999_999],
    ['view_count', 0, 500],
    ['createdAt', 1_577_836_800, 1_767_225_599],
    ['anything', undefined, undefined],
  ] as const)('of %s is %j to %j', ([field, min, max]) => {
    const { min: least, max: most } = numberByName(field) ?? {}
    expect([least, most]).toEqual([min, max])
  })
})
