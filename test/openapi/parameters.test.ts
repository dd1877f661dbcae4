import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { PageTable } from '../../src/engine/fixtures/page-table.ts'
import type { Parameter } from '../../src/openapi/document.ts'
import { toOpenApi } from '../../src/openapi/to-openapi.ts'
import { operationIn, operationOf, routes } from './documents.ts'

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

  it('tells the token of a page table unless the input model does', () => {
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
