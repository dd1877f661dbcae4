import { describe, expect, it } from 'vitest'
import { modelName, nameParameters, type Segment, singular } from '../../../src/recording/inference/names.ts'

describe('parameter names', () => {
  const users: Segment = { literal: 'users' }
  const value = (field: string): Segment => ({ field, kind: 'word' })

  it.for<[readonly Segment[], readonly (string | undefined)[]]>([
    [
      [users, value('')],
      [undefined, 'id'],
    ],
    [
      [users, value('login')],
      [undefined, 'login'],
    ],
    [
      [users, value('user_id')],
      [undefined, 'id'],
    ],
    [
      [users, value(''), { literal: 'posts' }, value('id')],
      [undefined, 'user_id', undefined, 'id'],
    ],
    [
      [{ literal: 'days' }, { field: 'at', kind: 'date' }],
      [undefined, 'date'],
    ],
    [
      [value(''), value(''), value('')],
      ['id', 'id_2', 'id_3'],
    ],
    [
      [users, value('a b')],
      [undefined, 'id'],
    ],
  ])('names %j', ([segments, names]) => {
    expect(nameParameters(segments)).toEqual(names)
  })

  it.for([
    ['users', 'user'],
    ['order-items', 'order_item'],
    ['orderItems', 'order_item'],
    ['categories', 'category'],
    ['boxes', 'box'],
    ['status', 'status'],
    ['addresses', 'address'],
    ['v1', 'v1'],
  ])('makes %s %s', ([plural = '', one]) => {
    expect(singular(plural)).toBe(one)
  })
})

describe('model name', () => {
  it.for([
    ['/api/order-items/{id}', 'OrderItem'],
    ['/users', 'User'],
    ['/{id}', 'Root'],
    ['/', 'Root'],
    ['/2fa', 'Model2fa'],
  ])('calls the model of %s %s', ([path = '', name]) => {
    expect(modelName(path)).toBe(name)
  })
})
