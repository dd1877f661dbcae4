import { describe, expect, it } from 'vitest'
import { modelName, nameParameters, type Segment, singular } from '../../../src/recording/inference/names.ts'

describe('parameter names', () => {
  // `{login}` is a value that was seen in the field `login`.
  const segmentOf = (text: string): Segment => {
    const [, field] = /^\{(.*)\}$/.exec(text) ?? []
    if (field === undefined) return { literal: text }
    return field === 'at' ? { field, kind: 'date' } : { field, kind: 'word' }
  }

  it.for([
    ['users/{}', '/id'],
    ['users/{login}', '/login'],
    ['users/{user_id}', '/id'],
    ['users/{}/posts/{id}', '/user_id//id'],
    ['days/{at}', '/date'],
    ['{}/{}/{}', 'id/id_2/id_3'],
    ['users/{a b}', '/id'],
  ])('names %s', ([path = '', names]) => {
    expect(nameParameters(path.split('/').map(segmentOf)).join('/')).toBe(names)
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
