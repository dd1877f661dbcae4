import { describe, expect, it } from 'vitest'
import Type from 'typebox'
import {
  atPointer,
  createResolver,
  isObject,
  modelName,
  propertiesOf,
  typesOf,
  type Schema,
  setEntry,
} from '../../../src/engine/schema/schema.ts'
import {
  itemsOf,
  kindOf,
  numberOf,
  requiredOf,
  schemaEntriesOf,
  schemaOf,
  schemasOf,
  textOf,
} from '../../../src/engine/schema/keywords.ts'

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

describe('the readers of keywords', () => {
  it('give what a keyword holds, and nothing where it holds something else', () => {
    expect(schemaOf({ items: { type: 'null' } }, 'items')).toEqual({ type: 'null' })
    expect(schemaOf({ items: false }, 'items')).toBe(false)
    expect(schemaOf({ items: [true] }, 'items')).toBeUndefined()
    expect(schemasOf({ anyOf: [true] }, 'anyOf')).toEqual([true])
    expect(schemasOf({ anyOf: {} }, 'anyOf')).toBeUndefined()
    expect(schemaEntriesOf({ patternProperties: { '^a': true } }, 'patternProperties')).toEqual([
      ['^a', true],
    ])
    expect(schemaEntriesOf({ patternProperties: 1 }, 'patternProperties')).toEqual([])
    expect(numberOf({ minItems: 0 }, 'minItems')).toBe(0)
    expect(numberOf({ minItems: '0' }, 'minItems')).toBeUndefined()
    expect(textOf({ format: '' }, 'format')).toBe('')
    expect(textOf({ format: null }, 'format')).toBeUndefined()
    expect(requiredOf({ required: ['a'] })).toEqual(['a'])
    expect(requiredOf({ required: true })).toEqual([])
  })
})

describe('itemsOf', () => {
  it('reads tuples as 2020-12, older drafts and TypeBox write them', () => {
    const first = [{ type: 'string' }, { type: 'integer' }]
    expect(itemsOf({ prefixItems: first, items: false })).toEqual({ first, rest: false })
    expect(itemsOf({ items: first, additionalItems: false })).toEqual({ first, rest: false })
    expect(itemsOf({ items: first })).toEqual({ first, rest: true })
    expect(itemsOf({ items: { type: 'null' } })).toEqual({ first: [], rest: { type: 'null' } })
    expect(itemsOf({})).toEqual({ first: [], rest: true })
    expect(itemsOf(Type.Tuple([Type.String(), Type.Integer()]) as unknown as Schema)).toMatchObject({
      first,
      rest: false,
    })
  })
})

describe('kindOf', () => {
  it.for([
    [{ type: 'integer' }, 'integer'],
    [{ type: ['null', 'string'] }, 'null'],
    [{ properties: {} }, 'object'],
    [{ propertyNames: {} }, 'object'],
    [{ items: true }, 'array'],
    [{ multipleOf: 2 }, 'number'],
    [{ pattern: 'x' }, 'string'],
    [{}, 'string'],
  ] as const)('of %j is %s', ([schema, kind]) => {
    expect(kindOf(schema)).toBe(kind)
  })
})

describe('setEntry', () => {
  it('gives an object an entry of its own, whatever its name', () => {
    const value = {}
    setEntry(value, 'a', 1)
    setEntry(value, '__proto__', { polluted: true })
    setEntry(value, '__proto__', 2)
    expect(Object.entries(value)).toEqual([
      ['a', 1],
      ['__proto__', 2],
    ])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})
