import { describe, expect, it } from 'vitest'
import {
  atPointer,
  createResolver,
  isObject,
  modelName,
  propertiesOf,
  typesOf,
  type Schema,
} from '../../../src/engine/schema/schema.ts'

describe('isObject', () => {
  it.for([
    [{}, true],
    [Object.create(null), true],
    [[], false],
    [null, false],
    ['x', false],
    [undefined, false],
  ] as const)('says of %j: %s', ([value, expected]) => {
    expect(isObject(value)).toBe(expected)
  })
})

describe('modelName', () => {
  it('is the title, else the name, else the fallback', () => {
    expect(modelName({ title: 'User', $id: 'u' })).toBe('User')
    expect(modelName({ $id: 'u' })).toBe('u')
    expect(modelName({})).toBe('the model')
    expect(modelName({ title: 7 }, 'Order')).toBe('Order')
  })
})

describe('typesOf', () => {
  it.for([
    [{ type: 'string' }, ['string']],
    [{ type: ['string', 'null', 3] }, ['string', 'null']],
    [{}, []],
  ] as const)('of %j is %j', ([schema, types]) => {
    expect(typesOf(schema)).toEqual(types)
  })
})

describe('propertiesOf', () => {
  it('keeps the declared order, and a property called __proto__', () => {
    const schema = JSON.parse('{"properties":{"b":true,"__proto__":{"type":"null"},"a":false}}') as Schema
    expect(propertiesOf(schema)).toEqual([
      ['b', true],
      ['__proto__', { type: 'null' }],
      ['a', false],
    ])
    expect(propertiesOf({ properties: 'none' })).toEqual([])
  })
})

describe('createResolver', () => {
  const name = { $anchor: 'name', type: 'string' }
  const root = {
    title: 'Root',
    $defs: {
      'a/b ~': name,
      Node: { $id: 'Node', properties: { up: { $anchor: 'up', type: 'integer' } } },
      yes: true,
      no: false,
    },
    list: [{ type: 'null' }],
  }
  const resolve = createResolver(root)

  it.for([
    ['#', root],
    ['', root],
    ['#/$defs/a~1b%20~0', name],
    ['#/$defs/a~1b ~0', name],
    ['#/list/0', { type: 'null' }],
    ['#name', name],
    ['Node', root.$defs.Node],
    ['Node#', root.$defs.Node],
    ['Node#/properties/up', root.$defs.Node.properties.up],
    ['Node#up', root.$defs.Node.properties.up],
    ['#/$defs/yes', {}],
    ['#/$defs/no', { not: {} }],
  ] as const)('finds %s', ([reference, expected]) => {
    expect(resolve(reference)).toEqual(expected)
    expect(resolve(reference)).toBe(resolve(reference))
  })

  it.for(['#/$defs/c', '#/$defs/constructor', '#nobody', 'Nobody', 'Nobody#/x', '#/title', '#/$defs/%zz'])(
    'refuses %s, which is not there',
    (reference) => {
      expect(() => resolve(reference)).toThrow(`Root refers to ${reference}, which is not there`)
    },
  )
})

describe('atPointer', () => {
  it('reads nothing that a value does not have itself', () => {
    expect(atPointer({ a: [{ b: 1 }] }, '/a/0/b')).toBe(1)
    expect(atPointer({ a: 1 }, '')).toEqual({ a: 1 })
    expect(atPointer({ a: 1 }, '/__proto__')).toBeUndefined()
    expect(atPointer({ a: null }, '/a/b')).toBeUndefined()
    expect(atPointer({ 'a%': 1 }, '/a%')).toBe(1)
  })
})
