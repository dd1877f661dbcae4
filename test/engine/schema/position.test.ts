import { describe, expect, it } from 'vitest'
import {
  below,
  itemOf,
  positionName,
  positionWithin,
  lastName,
  plainName,
} from '../../../src/engine/schema/position.ts'

const at = { model: 'Order', field: 'lines[].product' }

describe('a position', () => {
  it('names fields and items below another', () => {
    expect(below({ model: 'M', field: '' }, 'a')).toEqual({ model: 'M', field: 'a' })
    expect(below(at, 'name')).toEqual({ model: 'Order', field: 'lines[].product.name' })
    expect(itemOf({ model: 'M', field: 'a' })).toEqual({ model: 'M', field: 'a[]' })
    expect(itemOf({ model: 'M', field: 'a' }, 0)).toEqual({ model: 'M', field: 'a[0]' })
  })

  it('is shown as model and field', () => {
    expect([positionName(at), positionName({ model: 'M', field: '' })]).toEqual([
      'Order.lines[].product',
      'M',
    ])
  })
})

describe('positionWithin', () => {
  const object = { type: 'object' }

  it('is the same position for a schema that has no name', () => {
    expect(positionWithin(object, object, at)).toBe(at)
    const text = { type: 'string', title: 'Product name' }
    expect(positionWithin(text, text, at)).toBe(at)
  })

  it('is that of a model of its own for an object with a title or a reference to one', () => {
    const titled = { type: 'object', title: 'Product' }
    expect(positionWithin(titled, titled, at)).toEqual({ model: 'Product', field: '' })
    expect(positionWithin({ $ref: '#/$defs/P' }, titled, at)).toEqual({ model: 'Product', field: '' })
    expect(positionWithin({ $ref: '#/$defs/P' }, object, at)).toEqual({ model: 'P', field: '' })
    expect(positionWithin({ $ref: 'Node' }, object, at)).toEqual({ model: 'Node', field: '' })
    expect(positionWithin({ allOf: [true, { $ref: '#/components/schemas/Q' }] }, object, at)).toEqual({
      model: 'Q',
      field: '',
    })
  })

  it('keeps only the last name for any other part, which is the same wherever it is reached from', () => {
    expect(positionWithin({ $ref: '#/$defs/Name' }, { type: 'string' }, at)).toEqual({
      model: 'Order',
      field: 'product',
    })
    expect(positionWithin({ $ref: '#' }, object, at)).toEqual({ model: 'Order', field: 'product' })
    const nested = { model: 'M', field: 'a.b[0][][]' }
    expect(positionWithin({ $ref: '#/$defs/L' }, { type: 'array' }, nested)).toEqual({
      model: 'M',
      field: 'b[]',
    })
  })
})

describe('lastName', () => {
  it('is the name of the field itself', () => {
    expect(['a', 'a.b_c', 'a.b[]', 'a[].b[0][]', ''].map(lastName)).toEqual(['a', 'b_c', 'b', 'b', ''])
  })
})

describe('plainName', () => {
  it('is the same for all spellings', () => {
    expect(new Set(['firstName', 'first_name', 'First-Name', 'user.firstName'].map(plainName))).toEqual(
      new Set(['firstname']),
    )
  })

  it('is in the singular for the items of a list', () => {
    const names = ['tags[]', 'cities[]', 'addresses[]', 'boxes[]', 'branches[]', 'status[]', 'data[]', 'news']
    expect(names.map(plainName)).toEqual(['tag', 'city', 'address', 'box', 'branch', 'statu', 'data', 'news'])
  })
})
