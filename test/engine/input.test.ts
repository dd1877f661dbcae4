import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../src/message.ts'
import { createInputReader, type Input } from '../../src/engine/input.ts'
import type { Model } from '../../src/engine/schema/schema.ts'
import { createRoute, type Method } from '../../src/engine/route.ts'
import { InputInvalid, type InputIssue } from '../../src/errors.ts'

interface Sent {
  readonly search?: string
  readonly body?: unknown
  readonly params?: Record<string, string>
}

function readerOf(method: Method, path: string, input?: Model): (sent?: Sent) => Input {
  const read = createInputReader(createRoute(method, path, input === undefined ? {} : { input }))
  return ({ search = '', body, params = {} } = {}) => {
    const call: HttpRequest = { method, scheme: 'http', host: 'x', path, search, headers: {}, body }
    return read(call, params)
  }
}

function issuesOf(read: () => unknown): readonly InputIssue[] {
  try {
    read()
  } catch (error) {
    if (error instanceof InputInvalid) return error.issues
    throw error
  }
  throw new Error('The input was accepted')
}

const Query = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  tags: Type.Optional(Type.Array(Type.Integer())),
  active: Type.Optional(Type.Boolean()),
  size: Type.String({ default: 'medium' }),
})

describe('the input of a GET', () => {
  const read = readerOf('GET', '/x/{id}', Query)

  it('is the query and the path, read as the model’s types, with defaults', () => {
    expect(read({ search: 'tags=1&tags=2&active=on', params: { id: '7' } })).toEqual({
      id: 7,
      tags: [1, 2],
      active: true,
      size: 'medium',
    })
  })

  it('takes the path’s value before the query’s', () => {
    expect(read({ search: 'id=8&size=s', params: { id: '7' } })).toEqual({ id: 7, size: 's' })
  })

  it('ignores names that the model does not have', () => {
    expect(read({ search: '_=123&utm=x', params: { id: '7', other: 'y' } })).toEqual({
      id: 7,
      size: 'medium',
    })
  })

  it('gives each issue its type, place, message and value', () => {
    const issues = issuesOf(() => read({ search: 'tags=1&tags=x&active=maybe', params: { id: '0' } }))
    expect(issues.toSorted((a, b) => a.type.localeCompare(b.type))).toEqual([
      { type: 'greater_than_equal', loc: ['path', 'id'], msg: 'Value must be >= 1', input: 0 },
      { type: 'type_error', loc: ['query', 'tags', 1], msg: 'Value must be integer', input: 'x' },
      { type: 'type_error', loc: ['query', 'active'], msg: 'Value must be boolean', input: 'maybe' },
    ])
    expect(issuesOf(() => read())).toEqual([
      { type: 'missing', loc: ['query', 'id'], msg: 'Field required', input: { size: 'medium' } },
    ])
  })

  it('does not read the body', () => {
    expect(read({ params: { id: '7' }, body: [1] })).toEqual({ id: 7, size: 'medium' })
  })
})

describe('the input of a closed or open model', () => {
  it('refuses unknown names where additionalProperties is false', () => {
    const read = readerOf('GET', '/x', { type: 'object', properties: { a: {} }, additionalProperties: false })
    expect(issuesOf(() => read({ search: 'b=1' }))).toEqual([
      { type: 'extra_forbidden', loc: ['query', 'b'], msg: 'Unknown field', input: '1' },
    ])
  })

  it('keeps and reads what additionalProperties and patternProperties speak of', () => {
    const read = readerOf('GET', '/x', {
      type: 'object',
      patternProperties: { '^is_': { type: 'boolean' } },
      additionalProperties: { type: 'integer' },
    })
    expect(read({ search: 'is_new=yes&n=7' })).toEqual({ is_new: true, n: 7 })
    expect(issuesOf(() => read({ search: 'n=x' }))).toMatchObject([{ loc: ['query', 'n'], input: 'x' }])
  })

  it('keeps everything where the model names no field', () => {
    expect(readerOf('POST', '/x', { type: 'object' })({ body: { a: 1 } })).toEqual({ a: 1 })
  })

  it('knows the fields of every member of a union', () => {
    const read = readerOf('GET', '/x', {
      anyOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
        { type: 'object', required: ['b'], properties: { b: { type: 'boolean' } } },
      ],
    })
    expect(read({ search: 'a=1&c=2' })).toEqual({ a: 1 })
    expect(read({ search: 'b=no' })).toEqual({ b: false })
    expect(issuesOf(() => read({ search: 'c=1' })).map(({ loc }) => loc[0])).toContain('query')
  })
})

describe('the input of other methods', () => {
  it('is the JSON body, which is not coerced, and the path, which is', () => {
    const read = readerOf('PUT', '/x/{id}', Query)
    expect(read({ body: { size: 's', active: false, more: 1 }, params: { id: '7' } })).toEqual({
      id: 7,
      size: 's',
      active: false,
    })
    expect(issuesOf(() => read({ body: { active: 'false' }, params: { id: 'x' } }))).toEqual([
      { type: 'type_error', loc: ['path', 'id'], msg: 'Value must be integer', input: 'x' },
      { type: 'type_error', loc: ['body', 'active'], msg: 'Value must be boolean', input: 'false' },
    ])
  })

  it('does not read the query', () => {
    expect(readerOf('POST', '/x', Query)({ body: { id: 1 }, search: 'size=s' })).toEqual({
      id: 1,
      size: 'medium',
    })
  })

  it('fills in defaults inside the body', () => {
    const read = readerOf(
      'POST',
      '/x',
      Type.Object({ page: Type.Object({ limit: Type.Integer({ default: 10 }) }) }),
    )
    expect(read({ body: { page: {} } })).toEqual({ page: { limit: 10 } })
    expect(issuesOf(() => read({ body: {} }))).toMatchObject([
      { loc: ['body', 'page'], type: 'missing', input: {} },
    ])
  })

  it.for([undefined, null])('needs a body where the path does not give every field: not %s', (body) => {
    expect(issuesOf(() => readerOf('POST', '/x', Query)({ body }))).toEqual([
      { type: 'missing', loc: ['body'], msg: 'Field required: a JSON body', input: null },
    ])
  })

  it.for([[[1, 2]], ['text'], [7], [false]])('must be an object, not %j', ([body]) => {
    expect(issuesOf(() => readerOf('PATCH', '/x', Query)({ body }))).toEqual([
      { type: 'object_type', loc: ['body'], msg: 'Value must be object', input: body },
    ])
  })

  it('needs no body for a DELETE, or where the path gives every field', () => {
    const Id = Type.Object({ id: Type.Integer() })
    expect(readerOf('DELETE', '/x/{id}', Query)({ params: { id: '7' } })).toEqual({ id: 7, size: 'medium' })
    expect(readerOf('DELETE', '/x/{id}', Query)({ params: { id: '7' }, body: { size: 's' } })).toEqual({
      id: 7,
      size: 's',
    })
    expect(readerOf('POST', '/x/{id}', Id)({ params: { id: '7' } })).toEqual({ id: 7 })
  })
})

describe('the input of a route without a model', () => {
  it('is the path’s parameters, as texts', () => {
    expect(readerOf('GET', '/x/{id}')({ params: { id: '007' }, search: 'a=1' })).toEqual({ id: '007' })
    expect(readerOf('POST', '/x/{id}')({ params: { id: '7' }, body: [1, 2] })).toEqual({ id: '7' })
  })
})

describe('a field called __proto__', () => {
  it('changes no prototype', () => {
    const open = JSON.parse(
      '{"type":"object","additionalProperties":{},"properties":{"__proto__":{}}}',
    ) as Model
    const read = readerOf('POST', '/x/{__proto__}', open)
    const body = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"polluted":1}}') as object
    for (const input of [read({ body }), readerOf('GET', '/x', open)({ search: '__proto__=polluted' })]) {
      expect(Object.getPrototypeOf(input)).toBe(Object.prototype)
      expect(Object.keys(input)).toContain('__proto__')
    }
    expect('polluted' in {}).toBe(false)
    expect(issuesOf(() => readerOf('GET', '/x', Query)({ search: '__proto__=x' }))).toMatchObject([
      { loc: ['query', 'id'] },
    ])
  })
})
