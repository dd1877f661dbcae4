import { describe, expect, it } from 'vitest'
import { distinct, oneLine, routeProblem } from '../../src/loaders/problem.ts'

describe('a problem of a route', () => {
  it.for([
    ['User.name: is wrong', { model: 'User', field: 'name' }],
    ['GET /x: User.address.city: is wrong', { model: 'User', field: 'address.city' }],
    ['User: is wrong', { model: 'User' }],
    ['the model.name: is wrong', { model: 'the model', field: 'name' }],
    ['the answer does not fit User: 0.name: Field required', { model: 'User', field: '0.name' }],
    ['no answer could be sampled: answered 404', {}],
    ['it is wrong', {}],
  ] as const)('finds route, model and field of %j', ([message, place]) => {
    const own = message.replace('GET /x: ', '')
    expect(routeProblem('link', 'GET /x', message)).toEqual({
      kind: 'link',
      route: 'GET /x',
      ...place,
      message: `GET /x: ${own}`,
    })
  })

  it('is one line', () => {
    expect(routeProblem('answer', 'GET /x', 'a\n   b\n').message).toBe('GET /x: a b')
    expect(oneLine(' a\r\n b ')).toBe('a b')
  })

  it('is reported once', () => {
    const [a, b] = [routeProblem('answer', 'GET /x', 'a'), routeProblem('answer', 'GET /x', 'b')]
    expect(distinct([a, b, a])).toEqual([a, b])
  })
})
