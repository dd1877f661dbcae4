import { describe, expect, it } from 'vitest'
import { createRoute } from '../../../src/engine/route.ts'
import type { Operation, Parameter } from '../../../src/engine/operation.ts'
import { declaredInput } from '../../../src/recording/drift/declared-input.ts'

const Input = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    page: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['id', 'page'],
}

describe('declaredInput', () => {
  it('reads the query as the model asks for, and leaves the path alone', () => {
    const { query, body } = declaredInput(createRoute('GET', '/users/{id}', { input: Input }))
    expect(query?.({ page: '2', tags: 'a' })).toEqual([])
    expect(query?.({ page: 'two', sort: 'up' })).toMatchObject([
      { change: 'type changed', pointer: '/page' },
      { change: 'field added', pointer: '/sort' },
    ])
    expect(query?.({})).toMatchObject([{ change: 'field removed', pointer: '/page' }])
    expect(body).toBeUndefined()
  })

  it('compares the body of other methods', () => {
    const { query, body } = declaredInput(createRoute('POST', '/users/{id}', { input: Input }))
    expect(body?.({ page: 2 })).toEqual([])
    expect(body?.({ page: '2' })).toMatchObject([{ change: 'type changed', pointer: '/page' }])
    expect(query).toBeUndefined()
  })

  it('says nothing of a route without an input model', () => {
    expect(declaredInput(createRoute('GET', '/users', {}))).toEqual({})
  })

  it('knows the parameters of a description, its keys and the parts of objects', () => {
    const parameter = (name: string, more: Partial<Parameter> = {}): Parameter => ({
      ...{ name, in: 'query', required: false, style: 'form', explode: true, model: { type: 'integer' } },
      ...more,
    })
    const operation: Operation = {
      place: '',
      parameters: [
        parameter('page', { required: true }),
        parameter('filter', { style: 'deepObject', model: { type: 'object' } }),
        parameter('X-Id', { in: 'header' }),
      ],
      responses: [],
      security: [[{ name: 'key', kind: 'apiKey', in: 'query', field: 'api_key' }]],
    }
    const { query } = declaredInput({ ...createRoute('GET', '/users', {}), operation })
    expect(query?.({ page: '1', api_key: 'k', 'filter[state]': 'open' })).toEqual([])
    expect(query?.({ page: 'x', 'X-Id': '1' })).toMatchObject([
      { change: 'type changed', pointer: '/page' },
      { change: 'field added', pointer: '/X-Id' },
    ])
    const none = declaredInput({
      ...createRoute('GET', '/users', {}),
      operation: { ...operation, parameters: [], security: [] },
    })
    expect(none.query?.({ any: '1' })).toMatchObject([{ change: 'field added', pointer: '/any' }])
  })
})
