import { describe, expect, it } from 'vitest'
import type { Schema } from '../../../../src/engine/schema/schema.ts'
import { itemShapeOf } from '../../../../src/openapi/serve/resource/item-shape.ts'

const evidence = { parameter: 'id', singular: 'pet', model: true }
const Pet: Schema = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } }
const holding = (properties: object): Schema => ({ type: 'object', properties, $defs: { Pet } })
const shapeOf = (model: Schema) => {
  const shape = itemShapeOf(model, evidence)
  return shape && [shape.field, [...shape.fields.keys()]]
}

describe('itemShapeOf', () => {
  it.for([
    ['an item', Pet, undefined],
    ['a wrapped item', holding({ pet: { $ref: '#/$defs/Pet' } }), 'pet'],
    [
      'an item beside other things',
      holding({ data: { $ref: '#/$defs/Pet' }, meta: { type: 'object' } }),
      'data',
    ],
    ['an only object', holding({ thing: { $ref: '#/$defs/Pet' } }), 'thing'],
  ] as const)('finds %s', ([, model, field]) => {
    expect(shapeOf(model)).toEqual([field, ['id', 'name']])
  })

  it('takes an object that wraps nothing for the item', () => {
    expect(shapeOf(holding({ owner: Pet, colour: { type: 'string' } }))).toEqual([
      undefined,
      ['owner', 'colour'],
    ])
    expect(shapeOf({ type: 'object' })).toEqual([undefined, []])
  })

  it('finds the fields of every member of a union', () => {
    expect(shapeOf({ oneOf: [Pet, holding({ id: {}, bark: {} })] })).toEqual([
      undefined,
      ['id', 'name', 'bark'],
    ])
  })

  it.for([{ type: 'array' }, { type: 'string' }, { allOf: [false] }])('finds no item in %j', (model) => {
    expect(shapeOf(model)).toBeUndefined()
  })
})
