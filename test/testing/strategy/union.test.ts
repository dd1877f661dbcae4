import { describe, expect, it } from 'vitest'
import { draw, shrink } from './draw.ts'

const [integer, text] = [{ type: 'integer' }, { type: 'string' }]
const kind = (name: string) => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { const: name }, [name]: integer },
})

describe('unionStrategy', () => {
  it.for([
    [{ anyOf: [integer, text, { type: 'null' }] }, 3],
    [{ type: ['boolean', 'null', 'string'] }, 3],
    [
      {
        anyOf: [
          integer,
          false,
          { minLength: 2, type: 'integer' },
          { type: 'string', minLength: 3, maxLength: 2 },
        ],
      },
      1,
    ],
    [{ type: 'string', anyOf: [integer, { maxLength: 3 }] }, 1],
    [
      {
        oneOf: [
          { type: 'integer', multipleOf: 3 },
          { type: 'integer', multipleOf: 5 },
        ],
      },
      1,
    ],
    [{ oneOf: [kind('a'), kind('b')] }, 1],
    [
      {
        anyOf: [integer, text],
        oneOf: [
          { minimum: 3, type: 'number' },
          { type: 'string', minLength: 2 },
        ],
      },
      2,
    ],
    [{ anyOf: [true, false] }, 4],
  ] as const)('draws values of the members of %j', ([model, types]) => {
    const seen = new Set(draw(model, 300).map((value) => (value === null ? 'null' : typeof value)))
    expect(seen.size).toBeGreaterThanOrEqual(types)
  })

  it('draws what `then` and `else` ask for', () => {
    const model = {
      type: 'object',
      required: ['kind'],
      properties: { kind: { enum: ['a', 'b'] }, a: integer, b: text },
      if: { properties: { kind: { const: 'a' } } },
      then: { required: ['a'] },
      else: { required: ['b'] },
    }
    expect(new Set((draw(model) as { kind: string }[]).map((each) => each.kind))).toEqual(new Set(['a', 'b']))
    expect(draw({ type: 'integer', if: { minimum: 5 }, then: { multipleOf: 5 } }).length).toBe(200)
  })

  it('draws what a field makes necessary', () => {
    const model = {
      type: 'object',
      properties: { card: text },
      dependentSchemas: { card: { required: ['cvc'], properties: { cvc: integer } } },
    }
    expect(new Set((draw(model) as object[]).map((each) => Object.keys(each).join()))).toEqual(
      new Set(['', 'card,cvc']),
    )
  })

  it('shrinks to the simplest member', () => {
    const model = { anyOf: [text, { type: 'null' }, integer] }
    expect(shrink(model, () => false)).toBe(null)
    expect(shrink(model, (value) => value === null)).toBe('')
  })

  it('refuses a union that no value fits', () => {
    expect(() => draw({ anyOf: [false, { type: 'string', minLength: 1, maxLength: 0 }] })).toThrow(
      'no value at all',
    )
  })

  it('does not hide that a schema is wrong', () => {
    expect(() => draw({ anyOf: [{ $ref: '#/$defs/nowhere' }, integer] })).toThrow('nowhere')
  })
})
