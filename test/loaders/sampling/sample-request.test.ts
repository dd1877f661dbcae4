import { describe, expect, it } from 'vitest'
import { PageTable } from '../../../src/engine/fixtures/page-table.ts'
import type { RouteOptions } from '../../../src/engine/route-options.ts'
import { createRoute, type Method } from '../../../src/engine/route.ts'
import { PageParams, list } from '../../../src/engine/schema/list.ts'
import { createSampleInput, createSampleRequest } from '../../../src/loaders/sampling/sample-request.ts'

const input = { type: 'object' }
const request = (
  method: Method,
  path: string,
  fields: object,
  parameters: Record<string, string> = {},
  options = {},
) => createSampleRequest(createRoute(method, path, { input, ...options }), fields as never, parameters)

describe('a sample request', () => {
  it('carries the input of a GET in the query', () => {
    const fields = { id: 'bound', q: 'a b&c', n: 1, many: ['x', 'y'], none: null }
    expect(request('GET', '/x/{id}', fields, { id: 'a/b é' })).toEqual({
      method: 'GET',
      url: '/x/a%2Fb%20%C3%A9?q=a+b%26c&n=1&many=x&many=y&none=null',
      headers: {},
    })
    expect(request('GET', '/x', {}).url).toBe('/x')
  })

  it.for(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'carries the input of a %s in a JSON body',
    (method) => {
      expect(request(method, '/x/{id}', { id: 1, a: [1] }, { id: '1' })).toEqual({
        method,
        url: '/x/1',
        headers: { 'content-type': 'application/json' },
        payload: '{"a":[1]}',
      })
    },
  )

  it('has no body where there is no model, nor for a DELETE without fields', () => {
    expect(request('POST', '/x', {}, {}, { input: undefined })).toEqual({
      method: 'POST',
      url: '/x',
      headers: {},
    })
    expect(request('DELETE', '/x/{id}', { id: 1 }, { id: '1' })).not.toHaveProperty('payload')
    expect(request('POST', '/x', {})).toHaveProperty('payload', '{}')
  })

  it('carries a token that opens the route', () => {
    const { headers } = request('GET', '/x', {}, {}, { bearerTokens: ['first', 'second'] })
    expect(headers).toEqual({ authorization: 'Bearer first' })
  })

  it('escapes what a URL cannot hold in the path itself', () => {
    expect(request('GET', '/café 𝄞/%20', {}).url).toBe('/caf%C3%A9%20%F0%9D%84%9E/%20')
  })
})

const text = { type: 'string', minLength: 1 }

function sample(method: Method, path: string, options: RouteOptions, attempt = 0): unknown {
  return createSampleInput(createRoute(method, path, options), 1)(attempt)
}

describe('the sample input', () => {
  it('of a route without a model is empty', () => {
    expect(sample('POST', '/x', {})).toEqual({})
  })

  it('of a GET has what must be given and nothing else', () => {
    const input = {
      type: 'object',
      properties: { a: text, b: text, c: { ...text, default: 'c' }, id: text },
      required: ['a', 'c'],
    }
    expect(Object.keys(sample('GET', '/x/{id}', { input }) as object).toSorted()).toEqual(['a', 'id'])
    expect(sample('GET', '/x', { input: PageParams })).toEqual({})
  })

  it('of a GET has everything where the model does not let it go', () => {
    const input = { type: 'object', properties: { a: text, b: text }, minProperties: 2 }
    expect(Object.keys(sample('GET', '/x', { input }) as object)).toEqual(['a', 'b'])
  })

  it('of other methods has every field', () => {
    const input = { type: 'object', properties: { a: text, b: text } }
    expect(Object.keys(sample('PATCH', '/x', { input }) as object)).toEqual(['a', 'b'])
  })

  it('asks for few items and for the first page', () => {
    const input = {
      type: 'object',
      properties: { count: { type: 'integer' }, token: { type: 'string' } },
      required: ['count', 'token'],
    }
    const pageTable = new PageTable({ pages: { '': [] }, tokenField: 'token' })
    expect(
      sample('GET', '/x', { input, output: list({ type: 'object' }), listCount: 'count', pageTable }),
    ).toEqual({
      count: 3,
      token: '',
    })
  })

  it('keeps the model where few items are too few', () => {
    const input = {
      type: 'object',
      properties: { count: { type: 'integer', minimum: 7, maximum: 7 } },
      required: ['count'],
    }
    expect(sample('GET', '/x', { input, output: list({}), listCount: 'count' })).toEqual({ count: 7 })
  })

  it('is another one for another attempt, and the same for the same', () => {
    const input = { type: 'object', properties: { a: { type: 'string', format: 'uuid' } }, required: ['a'] }
    expect(sample('GET', '/x', { input }, 0)).toEqual(sample('GET', '/x', { input }, 0))
    expect(sample('GET', '/x', { input }, 0)).not.toEqual(sample('GET', '/x', { input }, 1))
  })

  it('is none where nothing fits', () => {
    const input = {
      type: 'object',
      properties: { a: { type: 'integer', minimum: 1, maximum: 3, not: { enum: [1, 2, 3] } } },
      required: ['a'],
    }
    expect(sample('POST', '/x', { input })).toBeUndefined()
  })
})
