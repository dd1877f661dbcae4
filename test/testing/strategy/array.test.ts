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
