import { describe, expect, it } from 'vitest'
import { createResolver, type Schema } from '../../../src/engine/schema/schema.ts'
import { createTreeReaders, type TextTree } from '../../../src/openapi/serve/text-tree.ts'

function readerOf(schema: Schema) {
  return createTreeReaders(createResolver(schema))(schema)
}

function tree(value: unknown): TextTree {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(tree)
  return new Map(Object.entries(value as object).map(([name, each]) => [name, tree(each)]))
}

const integers = { type: 'array', items: { type: 'integer' } }
const self: Schema = {
  $ref: '#/$defs/Node',
  $defs: {
    Node: { type: 'object', properties: { value: { type: 'integer' }, next: { $ref: '#/$defs/Node' } } },
  },
}

describe('a text tree', () => {
  it.for([
    [{ type: 'integer' }, '5', 5],
    [{ type: 'integer' }, ['4', '5'], 5],
    [{}, '5', '5'],
    [{}, ['a', { b: 'c' }], ['a', { b: 'c' }]],
    [{}, { a: ['1', '2'] }, { a: ['1', '2'] }],
    [integers, ['1', '2'], [1, 2]],
    [integers, { '0': '1', '1': '2' }, [1, 2]],
    [integers, { '10': '3', '9': '2' }, [2, 3]],
    [integers, { '': ['1', '2'] }, [1, 2]],
    [integers, { a: '1' }, { a: '1' }],
    [{ type: ['null', 'array'], items: { type: 'integer' } }, ['1'], [1]],
    [
      { type: 'array', prefixItems: [{ type: 'integer' }], items: { type: 'boolean' } },
      ['1', '1'],
      [1, true],
    ],
    [{ anyOf: [{ type: 'string' }, integers] }, '1', '1'],
    [{ anyOf: [{ type: 'string' }, integers] }, ['1'], [1]],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, { a: '1' }, { a: 1 }],
    [
      { type: 'object', patternProperties: { '^n': { type: 'integer' } } },
      { n: '1', m: '1' },
      { n: 1, m: '1' },
    ],
    [{ allOf: [{ properties: { a: { type: 'integer' } } }] }, { a: '1' }, { a: 1 }],
    [
      self,
      { value: '1', next: { value: '2', next: { value: '3' } } },
      { value: 1, next: { value: 2, next: { value: 3 } } },
    ],
    [{ type: 'object' }, { __proto__x: '1' }, { __proto__x: '1' }],
  ] as const)('of %j from %j is %j', ([schema, written, value]) => {
    expect(readerOf(schema).read(tree(written))).toEqual(value)
  })

  it('keeps what is read already', () => {
    expect(readerOf(integers).read([{ value: { a: 1 } }, '2'])).toEqual([{ a: 1 }, 2])
  })

  it('gives nobody another prototype', () => {
    const named = new Map([['__proto__', new Map([['x', '1']])]])
    const read = readerOf({ type: 'object' }).read(named)
    expect([read, Object.hasOwn(read as object, '__proto__')]).toEqual([{}, false])
  })

  it.for([
    [{}, ['text']],
    [true, ['text']],
    [{ type: 'boolean' }, ['text']],
    [integers, ['list']],
    [{ properties: {} }, ['object']],
    [{ type: ['null', 'object', 'array'] }, ['list', 'object']],
    [{ oneOf: [integers, { type: 'string' }, { type: 'object' }] }, ['text', 'list', 'object']],
  ] as const)('of %j has the shapes %j', ([schema, shapes]) => {
    expect(createTreeReaders(createResolver({}))(schema).shapes).toEqual(shapes)
  })
})
