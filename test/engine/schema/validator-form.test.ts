import { describe, expect, it } from 'vitest'
import { baseOf, formOfModel, formOfPart } from '../../../src/engine/schema/checker.ts'

describe('baseOf', () => {
  it('is where the name of a model places it', () => {
    expect(baseOf({})).toBe('sim://model/')
    expect(baseOf({ $id: 'User' })).toBe('sim://model/User')
    expect(baseOf({ $id: 'https://a.example/user.json#' })).toBe('https://a.example/user.json')
    expect(baseOf({ $id: 'http://[' })).toBe('sim://model/')
  })
})

describe('formOfModel', () => {
  it('writes tuples as 2020-12 has them', () => {
    expect(formOfModel({ items: [{ type: 'null' }], additionalItems: false })).toEqual({
      prefixItems: [{ type: 'null' }],
      items: false,
    })
    expect(formOfModel({ allOf: [{ properties: { items: true, a: { items: [true] } } }] })).toEqual({
      allOf: [{ properties: { items: true, a: { prefixItems: [true], items: true } } }],
    })
  })

  it('keeps each name once', () => {
    const part = { $id: 'P', type: 'null' }
    expect(
      formOfModel({ properties: { a: part, b: part }, $id: 'M', not: { $id: 'M' } }, 'sim://model/M'),
    ).toEqual({
      $id: 'sim://model/M',
      properties: { a: part, b: { type: 'null' } },
      not: {},
    })
  })

  it('takes properties for what they are, whatever they are called', () => {
    const model = {
      properties: { enum: { items: [true] }, $id: { type: 'string' }, $ref: { type: 'string' } },
    }
    expect(formOfModel(model)).toEqual({
      properties: {
        enum: { prefixItems: [true], items: true },
        $id: { type: 'string' },
        $ref: { type: 'string' },
      },
    })
  })
})

describe('formOfPart', () => {
  it('refers to the whole model and names nothing', () => {
    const part = {
      $id: 'P',
      $anchor: 'p',
      anyOf: [{ $ref: '#/$defs/A' }, { $ref: 'B' }, { $ref: 'https://c.example/' }],
    }
    expect(formOfPart(part, 'sim://model/M')).toEqual({
      anyOf: [{ $ref: 'sim://model/M#/$defs/A' }, { $ref: 'sim://model/B' }, { $ref: 'https://c.example/' }],
    })
  })

  it('leaves constants alone', () => {
    const part = { const: { $id: 'x' }, enum: [{ $ref: 'y' }], default: { items: [1] } }
    expect(formOfPart(part, 'sim://model/M')).toEqual(part)
  })
})
