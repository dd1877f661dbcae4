import { describe, expect, it } from 'vitest'
import { createFold, flatten, mergeSchemas, VERIFY, mergeKeywords } from '../../../src/engine/schema/merge.ts'
import { createResolver, type Schema } from '../../../src/engine/schema/schema.ts'

const foldOf = (root: Schema) => createFold(createResolver(root))

describe('createFold', () => {
  it('leaves a schema without references and allOf as it is', () => {
    const schema = { type: 'string', anyOf: [{ minLength: 1 }] }
    expect(foldOf({})(schema)).toBe(schema)
    expect(foldOf({})(true)).toBe(true)
    expect(foldOf({})(false)).toBe(false)
  })

  it('folds a reference to what it names, whatever is said of it', () => {
    const name = { type: 'string' }
    const fold = foldOf({ $defs: { Name: name, Alias: { $ref: '#/$defs/Name', title: 'Alias' } } })
    expect(fold({ $ref: '#/$defs/Name' })).toBe(name)
    expect(fold({ $ref: '#/$defs/Alias', description: 'a name', default: '' })).toBe(name)
    expect(fold({ allOf: [{ $ref: '#/$defs/Alias' }, { description: 'a name' }, true] })).toBe(name)
  })

  it('folds schemas of the same parts to the same object, so that recursion ends', () => {
    const root = {
      $defs: {
        Base: { type: 'object', properties: { next: { $ref: '#/$defs/Base' } } },
        Node: {
          allOf: [{ $ref: '#/$defs/Base' }],
          type: 'object',
          properties: { next: { $ref: '#/$defs/Node' } },
        },
      },
    }
    const fold = foldOf(root)
    const node = fold({ $ref: '#/$defs/Node' }) as { properties: { next: Schema } }
    expect(node.properties.next).toEqual({ allOf: [{ $ref: '#/$defs/Base' }, { $ref: '#/$defs/Node' }] })
    expect(fold(node.properties.next)).toBe(node)
  })

  it('ends where references and allOf go round in a circle', () => {
    const root = {
      $defs: {
        a: { $ref: '#/$defs/b' },
        b: { allOf: [{ $ref: '#/$defs/a' }, { minLength: 2 }], type: 'string' },
      },
    }
    expect(foldOf(root)({ $ref: '#/$defs/a' })).toEqual({ type: 'string', minLength: 2 })
  })

  it('is false where any part refuses everything', () => {
    expect(foldOf({})({ allOf: [{ type: 'string' }, false] })).toBe(false)
    expect(foldOf({})({ allOf: [{ type: 'string' }, { type: 'integer' }] })).toBe(false)
  })

  it('keeps what values must fit where keywords were dropped', () => {
    const parts = [{ pattern: '^a' }, { pattern: 'b$' }]
    expect(foldOf({})({ allOf: parts })).toEqual({ pattern: 'b$', [VERIFY]: { allOf: parts } })
    expect(foldOf({})({ allOf: [{ pattern: '^a' }, { pattern: '^a', minLength: 3 }] })).toEqual({
      pattern: '^a',
      minLength: 3,
    })
  })
})

describe('flatten', () => {
  it('folds a schema and keeps its own description', () => {
    const root = { $defs: { Name: { type: 'string', description: 'any' } } }
    const schema = { $ref: '#/$defs/Name', description: 'this one', minLength: 1 }
    expect(flatten(schema, createResolver(root))).toEqual({
      type: 'string',
      minLength: 1,
      description: 'this one',
    })
    expect(flatten({ allOf: [false] }, createResolver({}))).toEqual({ not: {} })
    expect(flatten({ allOf: [true] }, createResolver({}))).toEqual({})
  })
})

describe('mergeSchemas', () => {
  it('asks for what all schemas ask for', () => {
    const resolve = createResolver({ $defs: { Name: { type: 'string', minLength: 2 } } })
    expect(mergeSchemas([{ $ref: '#/$defs/Name' }, true, { maxLength: 9 }], resolve)).toEqual({
      type: 'string',
      minLength: 2,
      maxLength: 9,
    })
    expect(mergeSchemas([{ type: 'string' }, false], resolve)).toBe(false)
  })
})

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
