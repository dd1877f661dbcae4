import { describe, expect, it } from 'vitest'
import { draw, shrink } from './draw.ts'

type Values = Record<string, unknown>
const [integer, text, boolean] = [{ type: 'integer' }, { type: 'string' }, { type: 'boolean' }]

describe('objectStrategy', () => {
  it('draws required fields always and optional ones sometimes', () => {
    const model = { type: 'object', required: ['a', 'new'], properties: { a: integer, b: text, c: text } }
    const values = draw(model) as Values[]
    expect(values.every((each) => 'a' in each && 'new' in each)).toBe(true)
    for (const name of ['b', 'c']) {
      const present = values.filter((each) => name in each).length
      expect(present).toBeGreaterThan(80)
      expect(present).toBeLessThan(180)
    }
    expect(new Set(values.flatMap((each) => Object.keys(each)))).toEqual(new Set(['a', 'b', 'c', 'new']))
  })

  it.for([
    { type: 'object' },
    { type: 'object', properties: { a: integer }, minProperties: 3 },
    { type: 'object', properties: { a: {}, b: {}, c: {}, d: {} }, required: ['a'], maxProperties: 2 },
    {
      type: 'object',
      properties: { a: integer, b: integer, c: integer },
      minProperties: 2,
      maxProperties: 2,
    },
    { type: 'object', properties: { a: integer, no: false }, additionalProperties: false },
    { type: 'object', properties: { card: text, cvc: text }, dependentRequired: { card: ['cvc'] } },
    { properties: { a: { minimum: 2 } }, required: ['a'] },
    {
      type: 'object',
      required: ['x-a', 'b'],
      patternProperties: { '^x-': integer },
      additionalProperties: text,
    },
    { type: 'object', required: ['__proto__', 'constructor'], properties: { ['__proto__']: integer } },
  ])('draws objects of %j', (model) => {
    for (const value of draw(model)) expect(value).toBeTypeOf('object')
  })

  it('shrinks by leaving out what is not needed', () => {
    const model = {
      type: 'object',
      required: ['q'],
      properties: { q: integer, s: text, z: { type: 'array' } },
    }
    expect(shrink(model, ({ q }: { q: number }) => q < 17)).toEqual({ q: 17 })
    const counted = { type: 'object', properties: { a: integer, b: integer, c: integer }, minProperties: 2 }
    expect(Object.keys(shrink(counted, () => false) as Values)).toHaveLength(2)
  })

  it.for([
    { type: 'object', minProperties: 2, maxProperties: 1 },
    { type: 'object', required: ['a', 'b'], maxProperties: 1 },
    { type: 'object', required: ['a'], properties: { a: false } },
    { type: 'object', minProperties: 1, additionalProperties: false },
  ])('refuses %j, which no object fits', (model) => {
    expect(() => draw(model)).toThrow('its schema allows no value at all')
  })
})

describe('entriesStrategy', () => {
  it.for([
    { type: 'object', additionalProperties: integer },
    { type: 'object', properties: { a: integer }, additionalProperties: text, maxProperties: 3 },
    {
      type: 'object',
      propertyNames: { pattern: '^[a-z]{3}$' },
      additionalProperties: integer,
      minProperties: 1,
    },
    { type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: integer, minProperties: 2 },
    { type: 'object', patternProperties: { '^x-': integer }, additionalProperties: false, minProperties: 1 },
    { type: 'object', patternProperties: { '^x-': false }, additionalProperties: integer },
    { type: 'object', patternProperties: { '^x-': false }, additionalProperties: false },
  ])('draws entries of %j', (model) => {
    expect(new Set((draw(model) as Values[]).map((each) => Object.keys(each).length)).size).toBeGreaterThan(0)
  })

  it('draws entries of every pattern and of none', () => {
    const model = {
      type: 'object',
      patternProperties: { '^x': integer, '^y': boolean },
      additionalProperties: text,
    }
    const types = (draw(model) as Values[]).flatMap((each) =>
      Object.values(each).map((value) => typeof value),
    )
    expect(new Set(types)).toEqual(new Set(['number', 'boolean', 'string']))
  })

  it('draws no names that JSON readers refuse', () => {
    const names = (draw({ type: 'object', additionalProperties: integer }, 2000) as Values[]).flatMap(
      Object.keys,
    )
    expect(names.filter((name) => name === '__proto__' || name === 'constructor')).toEqual([])
  })

  it('gives up where no further names are allowed', () => {
    const model = {
      type: 'object',
      propertyNames: { const: 'a' },
      properties: { a: integer },
      minProperties: 2,
    }
    expect(() => draw(model)).toThrow('the names of the model: none of 2000 drawn values fits its schema')
    const patterned = {
      type: 'object',
      patternProperties: { a: false },
      additionalProperties: false,
      minProperties: 1,
    }
    expect(() => draw(patterned)).toThrow('its schema allows no value at all')
  })
})
