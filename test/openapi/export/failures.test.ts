import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { ErrorCase, ScenarioStep } from '../../../src/engine/error-case.ts'
import { PageTable } from '../../../src/engine/fixtures/page-table.ts'
import { FromJsonFixture } from '../../../src/engine/links/from-json-fixture.ts'
import { list } from '../../../src/engine/schema/list.ts'
import type { Response } from '../../../src/openapi/export/document.ts'
import { bodyOf, responsesOf, schema } from '../documents.ts'
import { createChecker } from '../../../src/engine/schema/checker.ts'
import {
  ERROR,
  VALIDATION_ERROR,
  storeUseOf,
  holdsStrictFixture,
} from '../../../src/openapi/export/failures.ts'
import {
  InputInvalid,
  ItemExists,
  ItemNotFound,
  PageTokenInvalid,
  RateLimited,
  SimulatedFailure,
  StoreFull,
  Unauthorized,
} from '../../../src/errors.ts'
import type { RouteOptions } from '../../../src/engine/route-options.ts'
import { createRoute, type Method } from '../../../src/engine/route.ts'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { FromNestedFixture } from '../../../src/engine/links/from-nested-fixture.ts'
import type { Link } from '../../../src/engine/links/link.ts'
import { WhenInput } from '../../../src/engine/links/when-input.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'

const User = schema(Type.Object({ id: Type.String(), name: Type.String() }))
const refersTo = (name: string) => ({ schema: { $ref: `#/components/schemas/${name}` } })
const descriptionsOf = (responses: Readonly<Record<string, Response>>): Record<string, string> =>
  Object.fromEntries(Object.entries(responses).map(([status, { description }]) => [status, description]))

describe('failuresOf', () => {
  it('has none for an open GET without a model', () => {
    expect(descriptionsOf(responsesOf('GET', '/x'))).toEqual({ 200: 'OK' })
  })

  it('names 401 with its challenge for a route with bearer tokens', () => {
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

  it('names 429 with its headers for a route with a limit', () => {
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

  it('names 422 for a route that can refuse input', () => {
    const responses = responsesOf('POST', '/x', { input: User })
    expect(bodyOf(responses[422])).toEqual(refersTo('ValidationError'))
  })

  it('leaves 422 to a route whose own answer that is', () => {
    const headers = { 'content-type': 'application/problem+json' }
    const { description, content } =
      responsesOf('POST', '/x', { status: 422, output: User, headers })[422] ?? {}
    expect([description, Object.keys(content ?? {})]).toEqual([
      'Unprocessable Entity',
      ['application/problem+json'],
    ])
  })

  it.for([
    [undefined, 0.5, { 404: 'Simulated error', 500: 'Simulated error' }],
    [[], 0.5, { 404: 'Simulated error', 500: 'Simulated error' }],
    [[503, 503, 418], 0.5, { 418: 'Simulated error', 503: 'Simulated error' }],
    [[503], 0, {}],
  ] as const)('names, of the codes %j at the rate %d, %j', ([errorCodes, errorRate, errors]) => {
    const responses = responsesOf('GET', '/x', { errorRate, ...(errorCodes && { errorCodes }) })
    expect(descriptionsOf(responses)).toEqual({ 200: 'OK', ...errors })
  })

  it('shows bodies that have a form of their own', () => {
    const errors = [ErrorCase({ when: () => true, status: 410, body: { error: 7 } })]
    expect(bodyOf(responsesOf('GET', '/x', { errors })[410])).toEqual({ schema: {}, example: { error: 7 } })
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

  it('names the steps of a scenario that do not go on', () => {
    const responses = responsesOf('GET', '/x', {
      scenario: [
        ScenarioStep({ status: 503, detail: 'busy' }),
        ScenarioStep({ status: 200 }),
        ScenarioStep({ status: 202 }),
      ],
    })
    expect(descriptionsOf(responses)).toEqual({ 200: 'OK', 202: 'Scenario step', 503: 'Scenario step' })
    expect(bodyOf(responses[202])?.example).toEqual({ detail: 'Simulated error' })
  })

  it('names 400 for a page table', () => {
    const pageTable = new PageTable({ pages: { '': [] } })
    const responses = responsesOf('GET', '/x', { output: list(User), pageTable })
    expect(bodyOf(responses[400])?.example).toEqual({ detail: 'Invalid page token' })
  })

  it('names 404 for what a stateful route does not find, and how when errors are verbose', () => {
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

  it.for([
    ['POST', '/users', ['200', '409', '422', '507']],
    ['PUT', '/users/{id}', ['200', '422', '507']],
  ] as const)('names what keeps a stateful %s of %s from storing', ([method, path, statuses]) => {
    expect(Object.keys(responsesOf(method, path, { output: User }, { stateful: true }))).toEqual(statuses)
  })

  it('names a fixture miss', () => {
    const output = Type.Object({
      name: Type.String(FromJsonFixture('a.json', { pointer: 'a', strict: true })),
    })
    const responses = responsesOf('GET', '/x', { output, errorRate: 1, errorCodes: [500] })
    expect(descriptionsOf(responses)).toEqual({ 200: 'OK', 500: 'Simulated error; Fixture miss' })
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

describe('the schemas of errors', () => {
  it.for([
    new Unauthorized(),
    new RateLimited({}),
    new PageTokenInvalid(),
    new SimulatedFailure(418, { any: ['value'] }),
    new ItemNotFound(),
    new ItemNotFound({ collection: '/users', id_field: 'id', id_value: '1' }),
    new ItemExists('/users', '1'),
    new StoreFull('/users', 1),
  ])('fit the body of $name', (error) => {
    expect(createChecker(ERROR).check(error.body)).toEqual([])
  })

  it('fit the body of InputInvalid', () => {
    const issue = { type: 'missing', loc: ['body', 'items', 0], msg: 'Field required', input: null }
    expect(createChecker(VALIDATION_ERROR).check(new InputInvalid([issue]).body)).toEqual([])
  })
})

const pageTable = new PageTable({ pages: { '': [] } })

describe('storeUseOf', () => {
  it.for<[Method, string, RouteOptions, string | undefined]>([
    ['GET', '/users', { output: list(User) }, undefined],
    ['GET', '/users', { output: User }, undefined],
    ['GET', '/users/{id}', { output: User }, 'find'],
    ['GET', '/users/{id}', { output: list(User) }, undefined],
    ['GET', '/users/{id}', {}, undefined],
    ['POST', '/users', { output: User }, 'create'],
    ['POST', '/users/{id}', { output: User }, 'create'],
    ['POST', '/users', { output: list(User) }, undefined],
    ['PUT', '/users/{id}', { output: User }, 'replace'],
    ['PUT', '/users', { output: User }, undefined],
    ['PATCH', '/users/{id}', { output: User }, 'overlay'],
    ['DELETE', '/users/{id}', {}, 'remove'],
    ['DELETE', '/users/{id}', { output: User }, 'remove'],
    ['DELETE', '/users', {}, undefined],
    ['DELETE', '/users/{id}', { output: list(User), pageTable }, undefined],
  ])('of %s %s with %j is %s', ([method, path, options, does]) => {
    const route = createRoute(method, path, options)
    expect(storeUseOf(route, [route])?.does).toBe(does)
  })
})

const strict = { pointer: 'a', strict: true }
const named = (link: Link): Schema => schema(Type.Object({ name: Type.String(link) }, { title: 'User' }))
const tree = (link: Link | object): Schema =>
  schema(Type.Cyclic({ A: Type.Object({ a: Type.Ref('A'), b: Type.String({ ...link }) }) }, 'A'))

describe('holdsStrictFixture', () => {
  it.for<[string, Schema | undefined, boolean]>([
    ['a strict fixture', named(FromJsonFixture('a.json', strict)), true],
    ['a strict nested fixture', named(FromNestedFixture('a.json', strict)), true],
    ['one in a list of models', list(named(FromJsonFixture('a.json', strict))), true],
    ['one behind a condition', named(WhenInput('a', 1, FromJsonFixture('a.json', strict))), true],
    [
      'one behind a reference',
      { $ref: '#/$defs/A', $defs: { A: named(FromJsonFixture('a.json', strict)) } },
      true,
    ],
    ['one in a data file', named({ 'x-sim-link': { fromJsonFixture: ['a.json', strict] } }), true],
    ['one in a model that contains itself', tree(FromJsonFixture('a.json', strict)), true],
    [
      'one nobody refers to',
      { type: 'string', $defs: { A: named(FromJsonFixture('a.json', strict)) } },
      false,
    ],
    ['a lenient fixture', named(FromJsonFixture('a.json', { pointer: 'a' })), false],
    ['a model that contains itself', tree({}), false],
    ['another link', named(FromInput('strict')), false],
    ['an example of one', { type: 'object', default: { 'x-sim-link': 'text' } }, false],
    ['nothing', undefined, false],
  ])('finds, in %s, what is there', ([, model, expected]) => {
    expect(holdsStrictFixture(model)).toBe(expected)
  })
})
