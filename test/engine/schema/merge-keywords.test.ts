import { describe, expect, it } from 'vitest'
import { mergeKeywords } from '../../../src/engine/schema/merge.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'

describe('mergeKeywords', () => {
  const merge = (a: Schema, b: Schema): Schema | false => {
    const merged = mergeKeywords(a, b)
    return merged === false ? false : merged.schema
  }

  it.for<[[Schema, Schema], Schema | false]>([
    [
      [
        { minimum: 1, maximum: 9 },
        { minimum: 3, maximum: 12 },
      ],
      { minimum: 3, maximum: 9 },
    ],
    [[{ type: 'number' }, { type: 'integer' }], { type: 'integer' }],
    [[{ type: 'integer' }, { type: 'number' }], { type: 'integer' }],
    [[{ type: ['string', 'null', 'number'] }, { type: ['null', 'integer'] }], { type: ['null', 'integer'] }],
    [[{ enum: [1, 'a', { k: 1 }] }, { enum: [{ k: 1 }, 2, 1] }], { enum: [1, { k: 1 }] }],
    [[{ required: ['a', 'b'] }, { required: ['b', 'c'] }], { required: ['a', 'b', 'c'] }],
    [[{ uniqueItems: false }, { uniqueItems: true }], { uniqueItems: true }],
    [
      [{ propertyNames: { minLength: 1 } }, { propertyNames: { maxLength: 5 } }],
      { propertyNames: { allOf: [{ minLength: 1 }, { maxLength: 5 }] } },
    ],
    [
      [{ anyOf: [{ minLength: 1 }] }, { anyOf: [{ maxLength: 5 }, true] }],
      { anyOf: [{ allOf: [{ minLength: 1 }, { maxLength: 5 }] }, { allOf: [{ minLength: 1 }, true] }] },
    ],
    [
      [{ items: { minLength: 1 } }, { items: { maxLength: 5 } }],
      { items: { allOf: [{ minLength: 1 }, { maxLength: 5 }] } },
    ],
    [
      [{ prefixItems: [{ minLength: 1 }], items: false }, { items: { maxLength: 5 } }],
      { prefixItems: [{ allOf: [{ minLength: 1 }, { maxLength: 5 }] }], items: false },
    ],
  ])('makes of %j: %j', ([parts, expected]) => {
    expect(merge(...parts)).toEqual(expected)
  })

  it('asks of each field what either schema says of its name', () => {
    const a = { properties: { x: { type: 'string' } }, additionalProperties: { minimum: 1 } }
    const b = { properties: { y: { type: 'integer' } }, patternProperties: { '^x': { minLength: 2 } } }
    expect(merge(a, b)).toMatchObject({
      properties: { x: { type: 'string' }, y: { allOf: [{ minimum: 1 }, { type: 'integer' }] } },
      patternProperties: { '^x': { allOf: [{ minimum: 1 }, { minLength: 2 }] } },
      additionalProperties: { minimum: 1 },
    })
    expect(merge({ ...a, additionalProperties: false }, b)).toMatchObject({ properties: { y: false } })
  })

  it('keeps the number of combined unions bounded', () => {
    const wide = { anyOf: Array.from({ length: 20 }, (_, index) => ({ minLength: index })) }
    expect((merge(wide, { anyOf: [...wide.anyOf] }) as { anyOf: unknown[] }).anyOf).toHaveLength(64)
  })

  it('takes fields called __proto__ as they are', () => {
    const parts = [
      '{"properties":{"__proto__":{"minLength":1}}}',
      '{"properties":{"__proto__":{"maxLength":5}}}',
    ]
    const [a = {}, b = {}] = parts.map((text) => JSON.parse(text) as Schema)
    const merged = merge(a, b) as { properties: object }
    expect(Object.entries(merged.properties)).toEqual([
      ['__proto__', { allOf: [{ minLength: 1 }, { maxLength: 5 }] }],
    ])
    expect(Object.getPrototypeOf(merged.properties)).toBe(Object.prototype)
  })

  it('says where a keyword had to give way', () => {
    expect(mergeKeywords({ pattern: 'a' }, { pattern: 'b' })).toEqual({
      schema: { pattern: 'b' },
      lost: true,
    })
    expect(mergeKeywords({ not: { const: 1 } }, { not: { const: 1 } })).toMatchObject({ lost: false })
  })

  it('finds that no value can be of two types', () => {
    expect(mergeKeywords({ type: 'string' }, { type: ['integer', 'null'] })).toBe(false)
  })
})
