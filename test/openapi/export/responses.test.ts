import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { toOpenApi } from '../../../src/openapi/export/to-openapi.ts'
import { bodyOf, operationIn, responsesOf, routes } from '../documents.ts'
import { joinResponses } from '../../../src/openapi/export/responses.ts'

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

  it('has the body under the type that the route gives it', () => {
    const headers = { 'Content-Type': 'application/scim+json; charset=utf-8' }
    const { 200: success } = responsesOf('GET', '/x', { headers, output: User })
    expect(Object.keys(success?.content ?? {})).toEqual(['application/scim+json'])
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

const text = { type: 'string' }

describe('joinResponses', () => {
  it('says each reason of a status once', () => {
    const reasons = ['Not found', 'Simulated error', 'Not found'].map((description) => ({
      status: 404,
      description,
    }))
    expect(joinResponses(reasons)).toEqual({ 404: { description: 'Not found; Simulated error' } })
  })

  it('joins headers, and bodies where they differ', () => {
    const responses = joinResponses([
      { status: 200, description: 'OK', body: text, headers: { A: { schema: text } } },
      { status: 200, description: 'OK', body: { type: 'string' }, headers: { B: { schema: text } } },
      { status: 200, description: 'Other', body: { type: 'null' } },
      { status: 200, description: 'Empty' },
    ])
    expect(responses[200]).toEqual({
      description: 'OK; Other; Empty',
      headers: { A: { schema: text }, B: { schema: text } },
      content: { 'application/json': { schema: { anyOf: [text, { type: 'null' }] } } },
    })
  })

  it('shows one example as it is and several by name', () => {
    const mapped = { status: 409, description: 'Mapped error', body: text }
    const one = joinResponses([
      { ...mapped, example: 'a' },
      { ...mapped, example: 'a' },
    ])
    expect(one[409]?.content).toEqual({ 'application/json': { schema: text, example: 'a' } })

    const many = joinResponses([
      { ...mapped, example: 'a' },
      { ...mapped, example: { b: 1 } },
      { ...mapped, example: 'a' },
      { ...mapped, description: 'Scenario step', example: null },
    ])
    expect(many[409]?.content?.['application/json']?.examples).toEqual({
      mapped_error: { summary: 'Mapped error', value: 'a' },
      mapped_error_2: { summary: 'Mapped error', value: { b: 1 } },
      scenario_step: { summary: 'Scenario step', value: null },
    })
  })

  it.for([204, 205, 304])('gives %i no content', (status) => {
    expect(joinResponses([{ status, description: 'None', body: text }])).toEqual({
      [status]: { description: 'None' },
    })
  })
})
