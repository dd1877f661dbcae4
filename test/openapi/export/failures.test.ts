import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { ErrorCase, ScenarioStep } from '../../../src/engine/error-case.ts'
import { PageTable } from '../../../src/engine/fixtures/page-table.ts'
import { FromJsonFixture } from '../../../src/engine/links/from-json-fixture.ts'
import { list } from '../../../src/engine/schema/list.ts'
import type { Response } from '../../../src/openapi/export/document.ts'
import { bodyOf, responsesOf } from '../documents.ts'

const User = Type.Object({ id: Type.String(), name: Type.String() })
const refersTo = (name: string) => ({ schema: { $ref: `#/components/schemas/${name}` } })
const toldIn = (responses: Readonly<Record<string, Response>>): Record<string, string> =>
  Object.fromEntries(Object.entries(responses).map(([status, { description }]) => [status, description]))

describe('failuresOf', () => {
  it('has none for an open GET without a model', () => {
    expect(toldIn(responsesOf('GET', '/x'))).toEqual({ 200: 'OK' })
  })

  it('tells 401 with its challenge for a route with bearer tokens', () => {
    const responses = responsesOf('GET', '/x', { bearerTokens: ['t'] })
    expect(responses[401]).toMatchObject({
      description: 'Unauthorized',
      headers: { 'WWW-Authenticate': { schema: { type: 'string', const: 'Bearer' } } },
    })
    expect(bodyOf(responses[401])).toMatchObject({
      ...refersTo('Error'),
      example: { detail: 'Unauthorized' },
    })
    expect(responsesOf('GET', '/x', { bearerTokens: [] })[401]).toBeUndefined()
  })

  it('tells 429 with its headers for a route with a limit', () => {
    const responses = responsesOf('GET', '/x', { rateLimit: 5 })
    expect(Object.keys(responses[429]?.headers ?? {})).toEqual([
      'Retry-After',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
    ])
    expect(bodyOf(responses[429])?.example).toEqual({ detail: 'Rate limit exceeded (simulated)' })
    expect(responsesOf('GET', '/x', { rateLimit: 0 })[429]).toBeUndefined()
  })

  it('tells 422 for a route that can refuse input', () => {
    const responses = responsesOf('POST', '/x', { input: User })
    expect(bodyOf(responses[422])).toEqual(refersTo('ValidationError'))
  })

  it('tells the codes of random failures, 404 and 500 unless others are given', () => {
    const told = (errorCodes?: readonly number[], errorRate = 0.5) =>
      toldIn(responsesOf('GET', '/x', { errorRate, ...(errorCodes && { errorCodes }) }))
    const [OK, error] = [{ 200: 'OK' }, 'Simulated error']
    expect(told()).toEqual({ ...OK, 404: error, 500: error })
    expect(told([])).toEqual({ ...OK, 404: error, 500: error })
    expect(told([503, 503, 418])).toEqual({ ...OK, 418: error, 503: error })
    expect(told([503], 0)).toEqual(OK)
  })

  it('shows bodies that have a form of their own', () => {
    const errors = [ErrorCase({ when: () => true, status: 410, body: { error: 7 } })]
    expect(bodyOf(responsesOf('GET', '/x', { errors })[410])).toEqual({ schema: true, example: { error: 7 } })
  })

  it('shows the details of mapped errors', () => {
    const when = (): boolean => true
    const responses = responsesOf('GET', '/x', {
      errors: [
        ErrorCase({ when, status: 404, detail: 'No such user' }),
        ErrorCase({ when, status: 409, detail: { reason: 'taken' } }),
        ErrorCase({ when, status: 409 }),
      ],
    })
    expect(bodyOf(responses[404])).toEqual({ ...refersTo('Error'), example: { detail: 'No such user' } })
    expect(bodyOf(responses[409])?.examples).toEqual({
      mapped_error: { summary: 'Mapped error', value: { detail: { reason: 'taken' } } },
      mapped_error_2: { summary: 'Mapped error', value: { detail: 'Invalid request' } },
    })
  })

  it('tells the steps of a scenario that do not go on', () => {
    const responses = responsesOf('GET', '/x', {
      scenario: [
        ScenarioStep({ status: 503, detail: 'busy' }),
        ScenarioStep({ status: 200 }),
        ScenarioStep({ status: 202 }),
      ],
    })
    expect(toldIn(responses)).toEqual({ 200: 'OK', 202: 'Scenario step', 503: 'Scenario step' })
    expect(bodyOf(responses[202])?.example).toEqual({ detail: 'Simulated error' })
  })

  it('tells 400 for a page table', () => {
    const pageTable = new PageTable({ pages: { '': [] } })
    const responses = responsesOf('GET', '/x', { output: list(User), pageTable })
    expect(bodyOf(responses[400])?.example).toEqual({ detail: 'Invalid page token' })
  })

  it('tells 404 for what a stateful route does not find, and how when errors are verbose', () => {
    const options = { output: User }
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const { 404: missing } = responsesOf(method, '/orgs/{org}/users/{id}', options, { stateful: true })
      expect(bodyOf(missing)?.example).toEqual({ detail: 'Not found' })
    }
    const verbose = responsesOf('GET', '/users/{id}', options, { stateful: true, verboseErrors: true })
    expect(bodyOf(verbose[404])?.example).toEqual({
      detail: { detail: 'Not found', collection: '/users', id_field: 'id', id_value: 'unknown' },
    })
    const without = responsesOf('DELETE', '/users/{user}', {}, { stateful: true, verboseErrors: true })
    expect(bodyOf(without[404])?.example).toMatchObject({ detail: { id_field: 'id' } })
    expect(responsesOf('GET', '/users/{id}', options)[404]).toBeUndefined()
  })

  it('tells what keeps a stateful route from storing', () => {
    const told = (...args: Parameters<typeof responsesOf>) => Object.keys(responsesOf(...args))
    expect(told('POST', '/users', { output: User }, { stateful: true })).toEqual(['200', '409', '422', '507'])
    expect(told('PUT', '/users/{id}', { output: User }, { stateful: true })).toEqual(['200', '422', '507'])
  })

  it('tells a fixture miss', () => {
    const output = Type.Object({
      name: Type.String(FromJsonFixture('a.json', { pointer: 'a', strict: true })),
    })
    const responses = responsesOf('GET', '/x', { output, errorRate: 1, errorCodes: [500] })
    expect(toldIn(responses)).toEqual({ 200: 'OK', 500: 'Simulated error; Fixture miss' })
  })

  it('does not let one reason hide another', () => {
    const errors = [ErrorCase({ when: () => true, status: 404, detail: 'gone' })]
    const responses = responsesOf(
      'GET',
      '/users/{id}',
      { output: User, errors, errorRate: 1 },
      { stateful: true },
    )
    expect(responses[404]?.description).toBe('Mapped error; Simulated error; Not found')
    expect(Object.keys(bodyOf(responses[404])?.examples ?? {})).toEqual([
      'mapped_error',
      'simulated_error',
      'not_found',
    ])
  })
})
