import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../../src/message.ts'
import type { ResponseHeader } from '../../../src/engine/operation.ts'
import { createHeaders, headerText } from '../../../src/openapi/serve/response-headers.ts'
import { contentStream } from '../../../src/engine/random.ts'
import { header, response } from './describing.ts'
import { SAID, type SchemaOrBoolean } from '../../../src/engine/schema/schema.ts'
import { createWriter } from '../../../src/openapi/serve/write-body.ts'

import '../../../src/engine/links/built-in.ts'
import {
  ExampleNotDeclared,
  InputInvalid,
  ItemExists,
  ItemNotFound,
  ResponseInvalid,
} from '../../../src/errors.ts'
import { isServiceError } from '../../../src/openapi/serve/error-answers.ts'
import { createErrorBody } from '../../../src/openapi/serve/error-body.ts'
import { createExamples } from '../../../src/openapi/serve/response-form.ts'
import { described, gatewayOf, inPath, json, media, query, statefulGatewayOf } from './describing.ts'

describe('createErrorBody', () => {
  const model = {
    type: 'object',
    properties: {
      message: { type: 'string' },
      code: { type: 'string', enum: ['a'] },
      status: { type: 'integer' },
    },
  }

  it('gives what the error says where the model can hold it', () => {
    const fill = createErrorBody(model)
    expect(fill({ message: 'x', code: 'a', status: 1 }, new ItemNotFound(), 404)).toEqual({
      message: 'Not found',
      code: 'a',
      status: 404,
    })
    expect(fill({ code: 'a' }, new ItemNotFound(), 404)).toEqual({ code: 'a' })
  })

  it('has a status that is a text be that of the answer, unless the model shows another', () => {
    const said = { type: 'string', [SAID]: { examples: ['failed'], defaults: [] } }
    const fill = (status: object): unknown =>
      createErrorBody({ properties: { status } })({ status: 'failed' }, new ItemNotFound(), 404)
    expect(fill({ type: 'string' })).toEqual({ status: '404' })
    expect(fill(said)).toEqual({ status: 'failed' })
    expect(fill({ enum: ['failed', 'done'] })).toEqual({ status: 'failed' })
  })

  it.each(['errors', 'details'])('says in a list of %s that one thing is wrong', (name) => {
    const nested = {
      type: 'object',
      properties: { error: { type: 'object', properties: { [name]: { type: 'array', items: model } } } },
    }
    const body = { error: { [name]: [{ message: 'x' }, { message: 'y' }] } }
    expect(createErrorBody(nested)(body, new ItemNotFound(), 404)).toEqual({
      error: { [name]: [{ message: 'Not found' }] },
    })
  })
})

describe('an error whose body is described for several statuses alike', () => {
  const entry = {
    type: 'object',
    required: ['message'],
    properties: { message: { type: 'string', 'x-sim-said': { examples: ['No input'], defaults: [] } } },
  }
  const list = { type: 'array', minItems: 1, maxItems: 5, items: entry }
  const problem = {
    $ref: '#/$defs/Problem',
    $defs: { Problem: { type: 'object', required: ['errors'], properties: { errors: list } } },
  }
  const item = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
  const answered = async (...statuses: readonly number[]): Promise<unknown> => {
    const responses = [json(200, item), ...statuses.map((status) => json(status, problem))]
    await using app = statefulGatewayOf(
      [
        described('GET', '/pets', [json(200, { type: 'array', items: item })]),
        described('GET', '/pets/{id}', responses, { parameters: [inPath('id', { type: 'integer' })] }),
      ],
      { stateful: true },
    )
    return (await app.inject('/pets/4711')).json()
  }

  it('says what is wrong, once', async () => {
    expect(await answered(400, 404)).toEqual({ errors: [{ message: 'Not found' }] })
    expect(await answered(404)).toEqual({ errors: [{ message: 'No input' }] })
  })
})

describe('isServiceError', () => {
  it('is true of what a real service would say of its items', () => {
    const errors = [new ItemNotFound(), new ItemExists('/pets', '1'), new InputInvalid([])]
    expect(errors.map((error) => isServiceError(error))).toEqual([true, true, true])
    const others = [new ResponseInvalid('x'), new ExampleNotDeclared('GET /', 'a', []), new Error('x')]
    expect(others.map((error) => isServiceError(error))).toEqual([false, false, false])
  })
})

const model = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }

describe('createExamples', () => {
  it('has the first that fits, as a value or as its JSON text', () => {
    const examples = { bad: { a: 'x' }, text: '{"a":1}', good: { a: 2 } }
    const { usual, named } = createExamples('application/json', media(model, examples), 'GET /')
    expect(usual).toEqual({ name: 'text', value: { a: 1 } })
    expect(named('good').value).toEqual({ a: 2 })
    expect(named('bad').value).toEqual({ a: 'x' })
  })

  it('takes any text for a document that is not JSON', () => {
    expect(createExamples('application/xml', media(model, { one: '<a/>' }), 'GET /').usual?.value).toBe(
      '<a/>',
    )
    expect(createExamples('application/json', media(model, { one: '<a/>' }), 'GET /').usual).toBeUndefined()
  })

  it('takes any value where there is no model', () => {
    expect(createExamples('application/json', media(undefined, { one: [1] }), 'GET /').usual?.value).toEqual([
      1,
    ])
  })

  it('leaves a model with links to them, but has what is requested by name', () => {
    const linked = { type: 'object', properties: { a: { 'x-sim-link': { fromInput: 'a' } } } }
    const { usual, named } = createExamples('application/json', media(linked, { one: { a: 1 } }), 'GET /')
    expect([usual, named('one').value]).toEqual([undefined, { a: 1 }])
  })

  it('names the examples there are when another is requested', () => {
    const { named } = createExamples('application/json', media(model, { one: {}, two: {} }), 'GET /pets')
    expect(() => named('three')).toThrow(
      "GET /pets has no example 'three' for this response; it has one, two",
    )
    expect(() => createExamples('application/json', media(model), 'GET /').named('x')).toThrow('it has none')
  })
})

const call: HttpRequest = { method: 'GET', scheme: 'http', host: 'a', path: '/', search: '', headers: {} }

function made(status: number, ...headers: ResponseHeader[]): Record<string, string> {
  return createHeaders(response(200, {}, headers), status, 'GET /')(call, {}, () => contentStream(1, 'GET /'))
}

describe('createHeaders', () => {
  it('makes those that are optional as well, of an example that fits or of their model', () => {
    const id = header('X-Id', { required: true, model: { type: 'integer', const: 7 } })
    const optional = header('X-Else', { model: { enum: ['b'] } })
    expect(made(200, id, optional, header('X-Says', { example: 'hi' }))).toEqual({
      'x-id': '7',
      'x-else': 'b',
      'x-says': 'hi',
    })
    const bad = header('X-Id', { model: { type: 'integer' }, example: 'seven' })
    expect(made(200, bad)['x-id']).toMatch(/^\d+$/)
  })

  it('makes up nothing that would change how a client goes on', () => {
    expect(made(200, header('Set-Cookie'), header('Cache-Control'), header('ETag'))).toEqual({})
    const quota = [header('RateLimit-Limit'), header('X-RateLimit-Remaining'), header('Retry-After')]
    expect(made(200, ...quota)).toEqual({
      'ratelimit-limit': '1000',
      'x-ratelimit-remaining': '999',
      'retry-after': '1',
    })
    expect(Date.parse(made(200, header('Last-Modified'))['last-modified'] ?? '')).toBeGreaterThan(0)
  })

  it('leaves alone what the transport and the body decide, and links', () => {
    const names = ['Content-Type', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Link']
    expect(made(200, ...names.map((name) => header(name, { required: true, example: 'x' })))).toEqual({})
  })

  it('always has the place that a redirect leads to', () => {
    const location = header('Location', { model: { type: 'string', format: 'uri' } })
    expect(made(302, location)['location']).toMatch(/^https?:/)
    expect(made(201, location)).toEqual({})
  })
})

describe('headerText', () => {
  it.for([
    ['a\r\nX-Evil: b', 'aX-Evil: b'],
    [['a', 1, null], 'a,1,null'],
    [{ a: 1, b: [2] }, 'a,1,b,[2]'],
    ['Zürich 東京', 'Zürich '],
    [true, 'true'],
  ] as const)('writes %j', ([value, text]) => {
    expect(headerText(value)).toBe(text)
  })
})

function text(type: string, value: unknown, model: SchemaOrBoolean = true): string {
  return Buffer.from(createWriter(type, model)(value).data).toString()
}

describe('a body writer', () => {
  it.for([
    ['application/json', 'a', '"a"'],
    ['application/problem+json', null, 'null'],
    ['text/plain', 'a', 'a'],
    ['text/csv', [1], '[1]'],
    ['application/x-ndjson', [{ a: 1 }, 'b'], '{"a":1}\n"b"\n'],
    ['application/x-ndjson', { a: 1 }, '{"a":1}\n'],
    ['application/x-ndjson', '{"a":1}\n', '{"a":1}\n'],
    [
      'text/event-stream',
      [{ data: 'a\nb', id: 7, event: 'x' }, 1],
      'event: x\nid: 7\ndata: a\ndata: b\n\ndata: 1\n\n',
    ],
    ['text/event-stream', 'data: raw\n\n', 'data: raw\n\n'],
    [
      'application/x-www-form-urlencoded',
      { a: 'x y', b: [1, 2], c: { d: 1 }, e: null },
      'a=x+y&b=1&b=2&c=%7B%22d%22%3A1%7D&e=',
    ],
    ['application/x-www-form-urlencoded', 'a=1', 'a=1'],
    ['application/xml', '<a/>', '<a/>'],
    ['image/png', 'bytes', 'bytes'],
  ] as const)('writes %s of %j', ([type, value, written]) => {
    expect(text(type, value)).toBe(written)
  })

  it('decodes base64, where the model says that it is', () => {
    expect(text('image/png', 'aGk=', { type: 'string', contentEncoding: 'base64' })).toBe('hi')
    expect(text('image/png', 'not base64!', { type: 'string', format: 'byte' })).toBe('not base64!')
    expect(text('image/png', 'aGk=', { type: 'string', format: 'binary' })).toBe('aGk=')
  })
})

it('has the values of a list that an error is said in', async () => {
  const problem = { type: 'object', required: ['code'], properties: { code: { type: 'string' } } }
  const Failure = {
    type: 'object',
    required: ['message', 'errors'],
    properties: { message: { type: 'string' }, errors: { type: 'array', items: problem } },
  }
  const q = { ...query('q', { type: 'string' }), required: true }
  const parameters = [q, query('limit', { type: 'integer' }), query('offset', { type: 'integer' })]
  const responses = [json(200, { type: 'object' }), json(422, Failure)]
  const app = gatewayOf([described('GET', '/found', responses, { parameters })])
  const answer = await app.inject('/found')
  await app.close()
  expect([answer.statusCode, answer.json<{ message: string }>().message]).toEqual([
    422,
    'query.q: Field required',
  ])
})

it('shows an example of a list as its first page to who asks for that, however long it is', async () => {
  const list = {
    type: 'object',
    properties: { rows: { type: 'array', items: {} }, total: { type: 'integer' } },
  }
  const example = { rows: Array.from({ length: 12 }, (_, index) => index), total: 90 }
  const app = gatewayOf([
    described('GET', '/report', [json(200, list, { usual: example })], {
      parameters: [query('page', { type: 'integer' }), query('limit', { type: 'integer' })],
    }),
  ])
  const at = async (search: string): Promise<unknown> => (await app.inject(`/report?${search}`)).json()
  expect(await at('page=1')).toEqual(example)
  expect(await at('page=2')).toEqual({ rows: [], total: 12 })
  expect(await at('page=1&limit=5')).toEqual({ rows: [0, 1, 2, 3, 4], total: 12 })
  await app.close()
})
