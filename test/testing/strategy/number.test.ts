import { describe, expect, it } from 'vitest'
import { draw, shrink } from './draw.ts'

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
