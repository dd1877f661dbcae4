import { describe, expect, it } from 'vitest'
import { createFold, flatten, mergeSchemas, VERIFY } from '../../../src/engine/schema/merge.ts'
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
