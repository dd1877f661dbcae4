import { describe, expect, it } from 'vitest'
import { draw, shrink } from './draw.ts'

const integer = { type: 'integer' }

describe('arrayStrategy', () => {
  it.for([
    { type: 'array' },
    { type: 'array', items: integer, minItems: 2, maxItems: 3 },
    { type: 'array', items: { type: 'boolean' }, uniqueItems: true, minItems: 2 },
    { type: 'array', items: { type: 'array', items: { enum: [1, 2] }, maxItems: 1 }, uniqueItems: true },
    { type: 'array', prefixItems: [{ type: 'string' }, integer], items: false, minItems: 1 },
    { type: 'array', prefixItems: [{ type: 'string' }, integer], items: { type: 'boolean' }, minItems: 4 },
    { type: 'array', prefixItems: [integer, integer, integer], maxItems: 2 },
    { type: 'array', prefixItems: [integer], uniqueItems: true, items: { enum: [1, 2, 3] } },
    {
      type: 'array',
      items: { ...integer, minimum: 0 },
      contains: { minimum: 100 },
      minContains: 2,
      maxContains: 3,
    },
    { type: 'array', contains: { const: 5 }, uniqueItems: true, maxItems: 4 },
    { type: 'array', items: integer, contains: { const: 'never' }, minContains: 0 },
    { type: 'array', items: false },
    { minItems: 1 },
  ])('draws arrays of %j', (model) => {
    for (const value of draw(model)) expect(value).toBeInstanceOf(Array)
  })

  it('draws tuples of every allowed length', () => {
    const model = { type: 'array', prefixItems: [integer, integer, integer], items: false, minItems: 1 }
    expect(new Set((draw(model) as number[][]).map(({ length }) => length))).toEqual(new Set([1, 2, 3]))
  })

  it('shrinks to fewer and smaller items', () => {
    expect(shrink({ type: 'array', items: integer }, (value: number[]) => value.length < 3)).toEqual([
      0, 0, 0,
    ])
    const unique = { type: 'array', items: { type: 'integer', minimum: 0 }, uniqueItems: true }
    expect(shrink(unique, (value: number[]) => value.length < 3)).toEqual([0, 1, 2])
  })

  it.for([
    { type: 'array', minItems: 2, maxItems: 1 },
    { type: 'array', items: false, minItems: 1 },
    { type: 'array', prefixItems: [false], minItems: 1 },
  ])('refuses %j, which no array fits', (model) => {
    expect(() => draw(model)).toThrow('its schema allows no value at all')
  })
})

describe('numberStrategy', () => {
  it.for([
    { type: 'integer' },
    { type: 'number' },
    { type: 'integer', minimum: -3, exclusiveMaximum: 4 },
    { type: 'integer', minimum: 1.5, maximum: 2.5 },
    { type: 'integer', minimum: 3, exclusiveMinimum: 3 },
    { type: 'integer', exclusiveMaximum: -(2 ** 40) },
    { type: 'integer', minimum: 1e16 },
    { type: 'number', minimum: 2.5, maximum: 2.5 },
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1e-300 },
    { type: 'number', maximum: -0.5, multipleOf: 0.25 },
    { type: 'integer', multipleOf: 2.5 },
    { type: 'integer', multipleOf: 1e-7 },
    { type: 'number', multipleOf: 0.1 },
    { type: 'number', multipleOf: 1e10 },
    { type: 'number', multipleOf: 0.01, minimum: 0, maximum: 1000 },
    { type: 'number', format: 'int32' },
    { type: 'integer', format: 'int64' },
    { type: 'number', format: 'double' },
    { minimum: 2 },
  ])('draws numbers of %j', (model) => {
    for (const value of draw(model)) expect(value).toBeTypeOf('number')
  })

  it('draws bounds, whole numbers and fractions', () => {
    const values = new Set(draw({ type: 'number', minimum: 0, maximum: 2 }, 500) as number[])
    expect([0, 1, 2].every((each) => values.has(each))).toBe(true)
    expect([...values].some((each) => each > 0 && each < 0.01)).toBe(true)
  })

  it.for([
    [{ type: 'integer' }, 10, 11],
    [{ type: 'number' }, 10, 11],
    [{ type: 'number', minimum: 3 }, 1234.5, 1235],
    [{ type: 'integer', multipleOf: 7 }, 100, 105],
    [{ type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 }, 1.5, 1.51],
  ] as const)('shrinks %j above %d to %d', ([model, limit, smallest]) => {
    expect(shrink(model, (value: number) => value <= limit)).toBe(smallest)
  })

  it.for([
    { type: 'integer', minimum: 4, maximum: 3 },
    { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 },
    { type: 'number', minimum: 1, exclusiveMaximum: 1 },
    { type: 'integer', minimum: 1, maximum: 6, multipleOf: 7 },
  ])('refuses %j, which no number fits', (model) => {
    expect(() => draw(model)).toThrow('the model: its schema allows no value at all')
  })
})
