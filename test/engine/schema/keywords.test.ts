import Type from 'typebox'
import { describe, expect, it } from 'vitest'
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
import type { Schema } from '../../../src/engine/schema/schema.ts'

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
