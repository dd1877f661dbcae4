import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { toOpenApi } from '../../../src/openapi/export/to-openapi.ts'
import { bodyOf, operationIn, responsesOf, routes } from '../documents.ts'

const User = Type.Object({ id: Type.String() }, { title: 'User' })

describe('responsesOf', () => {
  it('documents the success under the status the gateway gives it', () => {
    const statusOf = (...args: Parameters<typeof responsesOf>) => Object.entries(responsesOf(...args))[0]
    expect(statusOf('GET', '/x')).toEqual(['200', { description: 'OK' }])
    expect(statusOf('POST', '/x', { status: 201 })).toEqual(['201', { description: 'Created' }])
    expect(statusOf('GET', '/x', { status: 299 })).toEqual(['299', { description: 'Success' }])
    expect(statusOf('DELETE', '/x')).toEqual(['204', { description: 'No Content' }])
    expect(statusOf('DELETE', '/x', { output: User })?.[0]).toBe('200')
    expect(statusOf('DELETE', '/x/{id}', { output: User }, { stateful: true })).toEqual([
      '204',
      { description: 'No Content' },
    ])
  })

  it('shows the output model and a sampled answer', () => {
    const [route] = routes(['GET', '/users/{id}', { output: User }])
    const document = toOpenApi(
      route === undefined ? [] : [route],
      {},
      new Map([['GET /users/{id}', { id: '1' }]]),
    )
    expect(bodyOf(operationIn(document, 'GET', '/users/{id}').responses[200])).toEqual({
      schema: { $ref: '#/components/schemas/User' },
      example: { id: '1' },
    })
  })

  it('leaves out the body of a status that has none', () => {
    expect(responsesOf('GET', '/x', { status: 204, output: User })).toEqual({
      204: { description: 'No Content' },
    })
  })

  it('documents the headers of the success, and its quota where there is a limit', () => {
    const headers = { ETag: '"1"', 'content-type': 'text/plain' }
    const { 200: success } = responsesOf('GET', '/x', { headers, rateLimit: 1 })
    expect(success?.headers).toMatchObject({ ETag: { schema: { type: 'string' }, example: '"1"' } })
    expect(Object.keys(success?.headers ?? {})).toEqual([
      'ETag',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
    ])
  })
})
