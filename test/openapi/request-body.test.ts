import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import type { RequestBody } from '../../src/openapi/document.ts'
import { toOpenApi } from '../../src/openapi/to-openapi.ts'
import { documentOf, operationIn, operationOf, routes } from './documents.ts'

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
