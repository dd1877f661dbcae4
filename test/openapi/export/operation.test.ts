import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { ErrorCase } from '../../../src/engine/error-case.ts'
import { PageTable } from '../../../src/engine/fixtures/page-table.ts'
import { createRoute, type Method } from '../../../src/engine/route.ts'
import { list } from '../../../src/engine/schema/list.ts'
import type { Parameter, RequestBody } from '../../../src/openapi/export/document.ts'
import { summaryOf, takeOperationId } from '../../../src/openapi/export/operation.ts'
import { toOpenApi } from '../../../src/openapi/export/to-openapi.ts'
import { operationOf, operationIn, routes, documentOf } from '../documents.ts'

describe('operationOf', () => {
  it('gives what the route says of itself', () => {
    const texts = { summary: 'List users', description: 'All of them', tags: ['users', 'admin'] }
    expect(operationOf('GET', '/users', texts)).toEqual({
      operationId: 'getUsers',
      ...texts,
      responses: { 200: { description: 'OK' } },
    })
  })

  it('makes a summary where the route has none', () => {
    expect(operationOf('GET', '/users').summary).toBe('Get users')
  })

  it('asks for a bearer token where the route does', () => {
    expect(operationOf('GET', '/users', { bearerTokens: ['t'] }).security).toEqual([{ bearerAuth: [] }])
    expect(operationOf('GET', '/users', { bearerTokens: [] })).not.toHaveProperty('security')
  })
})

const parametersOf = (...args: Parameters<typeof operationOf>): readonly Parameter[] | undefined =>
  operationOf(...args).parameters

describe('parametersOf', () => {
  it('gives path parameters the type the input model has for them, and texts otherwise', () => {
    const input = Type.Object({ id: Type.Integer({ minimum: 1, description: 'Its number' }) })
    expect(parametersOf('GET', '/orgs/{org}/users/{id}', { input })).toEqual([
      { name: 'org', in: 'path', required: true, schema: { type: 'string' } },
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'Its number',
        schema: { type: 'integer', minimum: 1, description: 'Its number' },
      },
    ])
  })

  it('gives the other fields of a GET as query parameters', () => {
    const input = Type.Object({
      id: Type.String(),
      name: Type.String({ description: 'Part of the name' }),
      limit: Type.Integer({ default: 10 }),
      tag: Type.Optional(Type.Array(Type.String())),
      old: Type.Optional(Type.Boolean({ deprecated: true })),
    })
    expect(parametersOf('GET', '/users/{id}', { input })?.slice(1)).toEqual([
      {
        name: 'name',
        in: 'query',
        required: true,
        description: 'Part of the name',
        schema: { type: 'string', description: 'Part of the name' },
      },
      { name: 'limit', in: 'query', schema: { type: 'integer', default: 10 } },
      {
        name: 'tag',
        in: 'query',
        schema: { type: 'array', items: { type: 'string' } },
        style: 'form',
        explode: true,
      },
      { name: 'old', in: 'query', deprecated: true, schema: { type: 'boolean', deprecated: true } },
    ])
  })

  it('has path parameters alone for a method with a body', () => {
    const input = Type.Object({ id: Type.Integer(), name: Type.String() })
    expect(parametersOf('PUT', '/users/{id}', { input })).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
    ])
    expect(parametersOf('POST', '/users', { input })).toBeUndefined()
  })

  it('gives the token of a page table unless the input model does', () => {
    const output = { type: 'array', items: {} }
    const pageTable = new PageTable({ pages: { '': [] }, tokenField: 'after' })
    const input = Type.Object({ after: Type.Optional(Type.String()) })
    expect(parametersOf('GET', '/users', { output, pageTable })).toEqual([
      { name: 'after', in: 'query', description: expect.any(String), schema: { type: 'string' } },
    ])
    expect(parametersOf('GET', '/users', { input, output, pageTable })).toEqual([
      { name: 'after', in: 'query', schema: { type: 'string' } },
    ])
  })

  it('takes the names of the document for the parameters of a path it has under other names', () => {
    const input = Type.Object({ user: Type.Integer() })
    const document = toOpenApi(routes(['GET', '/users/{id}'], ['DELETE', '/users/{user}', { input }]))
    expect(Object.keys(document.paths)).toEqual(['/users/{id}'])
    expect(operationIn(document, 'DELETE', '/users/{id}').parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
    ])
  })
})

const NewUser = Type.Object({ name: Type.String(), age: Type.Optional(Type.Integer()) })
const bodyOf = (...args: Parameters<typeof operationOf>): RequestBody | undefined =>
  operationOf(...args).requestBody
const json = (schema: unknown): unknown => ({ 'application/json': { schema } })

describe('requestBodyOf', () => {
  it.for(['POST', 'PUT', 'PATCH'] as const)('requires the input model as the body of a %s', (method) => {
    expect(bodyOf(method, '/users', { input: NewUser })).toEqual({ required: true, content: json(NewUser) })
  })

  it('requires a body even when all of its fields are optional, as the gateway does', () => {
    expect(bodyOf('POST', '/users', { input: Type.Partial(NewUser) })?.required).toBe(true)
  })

  it('lets a DELETE do without', () => {
    expect(bodyOf('DELETE', '/users', { input: NewUser })).toEqual({ content: json(NewUser) })
  })

  it('is not there for a GET, nor without an input model, nor where the path gives all fields', () => {
    const input = Type.Object({ id: Type.Integer() })
    expect(bodyOf('GET', '/users', { input: NewUser })).toBeUndefined()
    expect(bodyOf('POST', '/users')).toBeUndefined()
    expect(bodyOf('PUT', '/users/{id}', { input })).toBeUndefined()
    expect(bodyOf('DELETE', '/users/{id}', { input })).toBeUndefined()
  })

  it('leaves out what the path gives', () => {
    const input = Type.Object({ id: Type.Integer(), name: Type.String() }, { additionalProperties: false })
    expect(bodyOf('PUT', '/users/{id}', { input })?.content).toEqual(
      json({
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: { name: { type: 'string' } },
      }),
    )
  })

  it('names a body without path fields apart from the whole model', () => {
    const User = Type.Object({ id: Type.Integer(), name: Type.String() }, { title: 'User' })
    const document = toOpenApi(
      routes(
        ['POST', '/users', { input: User }],
        ['PUT', '/users/{id}', { input: User }],
        ['PATCH', '/users/{id}', { input: User }],
      ),
    )
    const references = [
      operationIn(document, 'POST', '/users'),
      operationIn(document, 'PUT', '/users/{id}'),
      operationIn(document, 'PATCH', '/users/{id}'),
    ].map(({ requestBody }) => requestBody?.content['application/json']?.schema)
    expect(references).toEqual([
      { $ref: '#/components/schemas/User' },
      { $ref: '#/components/schemas/UserBody' },
      { $ref: '#/components/schemas/UserBody' },
    ])
    expect(document.components?.schemas?.['UserBody']).toMatchObject({
      title: 'UserBody',
      required: ['name'],
    })
  })

  it('does not require a body of a model that declares no fields', () => {
    const input = { type: 'object', additionalProperties: { type: 'integer' } }
    expect(bodyOf('POST', '/counts', { input })).toEqual({ content: json(input) })
    const union = {
      anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'string' } } }],
    }
    expect(bodyOf('POST', '/counts', { input: union })).toEqual({ content: json(union) })
  })

  it('keeps the meaning of references in a body without path fields', () => {
    const input = {
      $defs: { Name: { type: 'string' } },
      type: 'object',
      properties: { id: { type: 'string' }, name: { $ref: '#/$defs/Name' } },
    }
    const document = documentOf('PUT', '/users/{id}', { input })
    expect(operationIn(document, 'PUT', '/users/{id}').requestBody?.content).toEqual(
      json({ type: 'object', properties: { name: { $ref: '#/components/schemas/Name' } } }),
    )
    expect(document.components?.schemas?.['Name']).toEqual({ type: 'string' })
  })
})

describe('simOptionsOf', () => {
  it('names the options that are data as data files do', () => {
    const fields = { properties: { status: { type: 'string' }, n: { type: 'integer' } } }
    const operation = operationOf('GET', '/x', {
      input: fields,
      output: list(fields),
      listCount: 'n',
      errorRate: 0.1,
      errorCodes: [503],
      latencyMs: 50,
      jitterMs: 10,
      rateLimit: 20,
      filterBy: 'status',
      seedFrom: 'n',
      scenario: [{ status: 503, detail: 'busy' }, { status: 200 }],
    })
    expect(operation['x-sim-options']).toEqual({
      list_count: 'n',
      error_rate: 0.1,
      error_codes: [503],
      latency_ms: 50,
      jitter_ms: 10,
      rate_limit: 20,
      filter_by: 'status',
      seed_from: 'n',
      scenario: [{ status: 503, detail: 'busy' }, { status: 200 }],
    })
  })

  it('gives only those that were set', () => {
    expect(operationOf('GET', '/x', { errorRate: 0 })['x-sim-options']).toEqual({ error_rate: 0 })
    const errors = [ErrorCase({ when: () => true, status: 400 })]
    expect(operationOf('GET', '/x', { errors, bearerTokens: ['t'] })).not.toHaveProperty('x-sim-options')
  })
})

describe('the name of an operation', () => {
  it.for<[Method, string, string, string]>([
    ['GET', '/users', 'getUsers', 'Get users'],
    ['GET', '/users/{id}', 'getUsersById', 'Get users by id'],
    ['POST', '/orgs/{org_id}/user-groups', 'postOrgsByOrgIdUserGroups', 'Post orgs by org id user groups'],
    ['DELETE', '/files/{name}.{ext}', 'deleteFilesByNameByExt', 'Delete files by name by ext'],
    ['GET', '/', 'getRoot', 'Get root'],
    ['PUT', '/größe/{größe}', 'putGrößeByGröße', 'Put größe by größe'],
  ])('is made of method and path for %s %s', ([method, path, id, summary]) => {
    const route = createRoute(method, path, {})
    expect(takeOperationId(route, new Set())).toBe(id)
    expect(summaryOf(route)).toBe(summary)
  })

  it('is not given twice', () => {
    const taken = new Set<string>()
    const ids = ['/a-b', '/a/b', '/a_b'].map((path) => takeOperationId(createRoute('GET', path, {}), taken))
    expect(ids).toEqual(['getAB', 'getAB2', 'getAB3'])
  })
})
