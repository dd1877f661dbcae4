import { describe, expect, it } from 'vitest'
import { draw } from './draw.ts'

type Values = Record<string, unknown>
const [integer, text, boolean] = [{ type: 'integer' }, { type: 'string' }, { type: 'boolean' }]

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
