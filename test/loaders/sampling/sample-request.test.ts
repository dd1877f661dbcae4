import { describe, expect, it } from 'vitest'
import { createSampleRequest } from '../../../src/loaders/sampling/sample-request.ts'
import { createRoute, type Method } from '../../../src/engine/route.ts'

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
