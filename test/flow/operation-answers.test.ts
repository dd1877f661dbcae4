import { XMLParser } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import type { EngineOptions } from '../../src/simulation/engine.ts'
import '../../src/engine/links/built-in.ts'
import { createChecker } from '../../src/engine/schema/checker.ts'
import type { Schema } from '../../src/engine/schema/schema.ts'
import type { RouteDefinition } from '../../src/engine/route.ts'
import { described, gatewayOf, header, json, media, query, response } from '../openapi/serve/describing.ts'
import { send, serve } from './kit.ts'

async function start(routes: readonly RouteDefinition[], options: Partial<EngineOptions> = {}) {
  const { url: origin } = await serve(gatewayOf(routes, options))
  return {
    origin,
    ask: async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
      const answer = await send(method, `${origin}${path}`, undefined, headers)
      return { ...answer, type: answer.headers.get('content-type') }
    },
  }
}

const Pet: Schema = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', minimum: 1 }, name: { type: 'string', minLength: 1 } },
}
const Problem: Schema = { type: 'object', required: ['message'], properties: { message: { type: 'string' } } }
const rex = { id: 1, name: 'Rex' }
const max = { id: 2, name: 'Max' }

describe('the answer of a described operation', () => {
  const pet = described('GET', '/pet', [
    json(404, Problem, { default: { message: 'no such pet' } }),
    json('5XX', Problem),
    json(200, Pet, { misfit: { id: 'x' }, rex, max }),
  ])

  it('is the first example that fits the model, unless generation is preferred', async () => {
    const { ask } = await start([pet])
    expect(await ask('/pet')).toMatchObject({ status: 200, type: 'application/json', body: rex })
    const dynamic = await ask('/pet', { prefer: 'dynamic=true' })
    expect(dynamic.body).not.toEqual(rex)
    expect(createChecker(Pet).fits(dynamic.body)).toBe(true)
    expect(dynamic.headers.get('preference-applied')).toBe('dynamic=true')
  })

  it('is generated first in a dynamic app, and the example where one is preferred', async () => {
    const { ask } = await start([pet], { dynamic: true })
    expect((await ask('/pet')).body).not.toEqual(rex)
    expect((await ask('/pet', { prefer: 'dynamic=false' })).body).toEqual(rex)
    expect((await ask('/pet', { prefer: 'example=max' })).body).toEqual(max)
  })

  it('is the response and the example that a request prefers', async () => {
    const { ask } = await start([pet])
    const missing = await ask('/pet', { prefer: 'foo; bar="a,b", code=404' })
    expect(missing).toMatchObject({ status: 404, body: { message: 'no such pet' } })
    expect(missing.headers.get('preference-applied')).toBe('code=404')
    const both = await ask('/pet', { prefer: 'code=200; example="max"' })
    expect([both.body, both.headers.get('preference-applied')]).toEqual([max, 'code=200, example=max'])
    expect(await ask('/pet', { prefer: 'code=503' })).toMatchObject({ status: 503 })
  })

  it('says which responses and examples there are when another is preferred', async () => {
    const { ask } = await start([pet])
    const code = await ask('/pet', { prefer: 'code=302' })
    expect(code).toMatchObject({ status: 404, body: { error: 'ResponseNotDeclared' } })
    expect(code.body.detail).toContain('404, 5XX, 200')
    const example = await ask('/pet', { prefer: 'example=tom' })
    expect(example).toMatchObject({ status: 404, body: { error: 'ExampleNotDeclared' } })
    expect(example.body.detail).toContain('misfit, rex, max')
  })

  it('is checked against the model of the response that was chosen', async () => {
    const { ask } = await start([pet], { validateResponses: true })
    expect((await ask('/pet', { prefer: 'code=404' })).status).toBe(404)
    expect(await ask('/pet', { prefer: 'example=misfit' })).toMatchObject({
      status: 500,
      body: { error: 'ResponseInvalid' },
    })
  })

  it('has no body where its response has none, nor for HEAD', async () => {
    const { ask } = await start([
      pet,
      described('DELETE', '/pet', [response(204)]),
      described('PUT', '/pet', [json(204, Pet, { rex })]),
      described('POST', '/pet', [response(202)]),
    ])
    for (const [method, status] of [
      ['DELETE', 204],
      ['PUT', 204],
      ['POST', 202],
      ['HEAD', 200],
    ] as const) {
      const { bytes, ...answer } = await ask('/pet', {}, method)
      expect([answer.status, bytes.length]).toEqual([status, 0])
    }
  })

  it('has the headers that are described, and those of the route', async () => {
    const { ask } = await start([
      described(
        'GET',
        '/pet',
        [
          json(200, Pet, {}, [
            header('X-Needed', { required: true, model: { type: 'integer', minimum: 3, maximum: 5 } }),
            header('X-Example', { example: ['a', 'b'], model: { type: 'array' } }),
            header('X-Optional', { model: { enum: ['there'] } }),
            header('Content-Type', { example: 'text/plain' }),
          ]),
        ],
        { options: { headers: { 'x-own': 'yes' } } },
      ),
    ])
    const { headers, type } = await ask('/pet')
    expect(headers.get('x-needed')).toMatch(/^[345]$/)
    expect([headers.get('x-example'), headers.get('x-optional')]).toEqual(['a,b', 'there'])
    expect([headers.get('x-own'), type]).toEqual(['yes', 'application/json'])
  })

  it('redirects where the description says', async () => {
    const location = header('Location', { example: 'https://example.com/there' })
    const { ask } = await start([
      described('GET', '/moved', [response(302, {}, [location]), json('default', Problem)]),
    ])
    const { status, headers } = await ask('/moved')
    expect([status, headers.get('location')]).toEqual([302, 'https://example.com/there'])
  })

  it('follows links in a model rather than an example', async () => {
    const Linked: Schema = {
      type: 'object',
      properties: { name: { type: 'string', 'x-sim-link': { fromInput: 'name' } } },
    }
    const { ask } = await start([
      described('GET', '/pet', [json(200, Linked, { rex: { name: 'Rex' } })], {
        parameters: [query('name', { type: 'string' })],
      }),
    ])
    expect((await ask('/pet?name=Ada')).body).toEqual({ name: 'Ada' })
  })
})

describe('the form of a described answer', () => {
  const bodies = described('GET', '/pet', [
    response(200, {
      'text/plain': media({ type: 'string' }, { default: 'a pet' }),
      'application/xml': media({ ...Pet, xml: { name: 'pet' } }, { default: rex }),
      'application/json': media(Pet, { default: rex }),
      'application/x-ndjson': media({ type: 'array', items: Pet }, { default: [rex, max] }),
      'text/event-stream': media({ type: 'array' }, { default: [{ event: 'born', data: rex }, max] }),
      'application/x-www-form-urlencoded': media(Pet, { default: rex }),
      'image/*': media({ type: 'string', format: 'binary' }),
    }),
  ])

  it.for([
    ['', 'application/json', '{"id":1,"name":"Rex"}'],
    ['*/*', 'application/json', '{"id":1,"name":"Rex"}'],
    ['application/vnd.pets.v3+json', 'application/json', '{"id":1,"name":"Rex"}'],
    ['text/*;q=0.5, application/xml;q=0.4', 'text/plain', 'a pet'],
    ['text/html, application/xml;q=0.9', 'application/xml', '<id>1</id>'],
    ['application/x-ndjson', 'application/x-ndjson', '{"id":1,"name":"Rex"}\n{"id":2,"name":"Max"}\n'],
    ['text/event-stream', 'text/event-stream', 'event: born\ndata: {"id":1,"name":"Rex"}\n\ndata: {"id":2'],
    ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded', 'id=1&name=Rex'],
    ['image/webp', 'image/webp', ''],
    ['image/*', 'image/png', ''],
  ] as const)('is for Accept: %s of the type %s', async ([accept, type, holds]) => {
    const { ask } = await start([bodies], { validateResponses: true })
    const answer = await ask('/pet', { accept })
    expect([answer.status, answer.type]).toEqual([200, type])
    expect(answer.bytes.toString()).toContain(holds)
    expect(answer.bytes.length).toBeGreaterThan(0)
  })

  it('is refused with the types there are', async () => {
    const { ask } = await start([bodies])
    const { status, body } = await ask('/pet', { accept: 'application/pdf' })
    expect([status, body.error]).toEqual([406, 'NotAcceptable'])
    expect(body.detail).toContain('text/plain or application/xml or application/json')
  })

  it('is XML with the names, attributes and wrappers of the model', async () => {
    const model: Schema = {
      $ref: '#/$defs/Pet',
      $defs: {
        Pet: {
          type: 'object',
          xml: { name: 'pet' },
          properties: {
            id: { type: 'integer', xml: { attribute: true } },
            tags: { type: 'array', xml: { wrapped: true }, items: { type: 'string', xml: { name: 'tag' } } },
            urls: { type: 'array', items: { type: 'string', xml: { name: 'url' } } },
          },
        },
      },
    }
    const example = { id: 1, tags: ['a & b', 'c'], urls: ['x', 'y'] }
    const { ask } = await start([
      described('GET', '/pet', [response(200, { 'application/xml': media(model, { example }) })]),
    ])
    const { body } = await ask('/pet')
    expect(new XMLParser({ ignoreAttributes: false }).parse(String(body))).toMatchObject({
      pet: { '@_id': '1', tags: { tag: ['a & b', 'c'] }, url: ['x', 'y'] },
    })
  })
})

describe('the pages of a described list', () => {
  const integer: Schema = { type: 'integer' }
  const list: Schema = { type: 'array', items: Pet }
  const text: Schema = { type: 'string' }
  /** GET /pets with an answer and query parameters. */
  const petsOf = (answer: ReturnType<typeof json>, ...parameters: ReturnType<typeof query>[]) =>
    described('GET', '/pets', [answer], { parameters })

  it('lead by Link from the first to the last, each item once', async () => {
    const { ask, origin } = await start([
      petsOf(
        json(200, list, {}, [header('Link')]),
        query('page', integer),
        query('per_page', { type: 'integer', default: 30 }),
        query('lang', text),
      ),
    ])
    const seen: unknown[] = []
    const sizes: number[] = []
    let next: string | undefined = '/pets?per_page=20&lang=x'
    while (next !== undefined) {
      const { body, headers } = await ask(next)
      seen.push(...(body as unknown[]))
      sizes.push((body as unknown[]).length)
      const link = headers.get('link') ?? ''
      const url: string | undefined = /<([^>]+)>; rel="next"/.exec(link)?.[1]
      expect(url === undefined || url.startsWith(`${origin}/pets?`)).toBe(true)
      next = url?.slice(origin.length)
    }
    expect(sizes.slice(0, -1).every((size) => size === 20)).toBe(true)
    expect(seen.length).toBeGreaterThan(60)
    expect(seen.length).toBeLessThanOrEqual(90)
    expect(new Set(seen.map((item) => JSON.stringify(item))).size).toBe(seen.length)
    expect((await ask('/pets?per_page=100&lang=x')).body).toEqual(seen)
    expect((await ask('/pets?page=99&lang=x')).body).toEqual([])
  })

  it('hold the true total, and where they begin, beside the list', async () => {
    const envelope: Schema = {
      type: 'object',
      required: ['total_count', 'results', 'has_more'],
      properties: {
        total_count: integer,
        limit: integer,
        offset: integer,
        has_more: { type: 'boolean' },
        next: { type: ['string', 'null'], format: 'uri' },
        results: { type: 'array', items: Pet },
      },
    }
    const { ask, origin } = await start([
      petsOf(json(200, envelope), query('limit', integer), query('offset', integer)),
    ])
    type Page = { total_count: number; results: unknown[]; has_more: boolean; next: string | null }
    const all = (await ask('/pets?limit=1000')).body as Page
    expect(all).toMatchObject({ total_count: all.results.length, has_more: false, next: null, offset: 0 })
    const part = (await ask('/pets?limit=4&offset=8')).body as Page
    expect(part).toMatchObject({ total_count: all.total_count, limit: 4, offset: 8, has_more: true })
    expect(part.results).toEqual(all.results.slice(8, 12))
    expect(part.next).toBe(`${origin}/pets?limit=4&offset=12`)
  })

  it.for([
    [
      'page_token',
      { next_page_token: { type: 'string' } },
      (body: Record<string, unknown>) => body['next_page_token'],
    ],
    [
      'cursor',
      { cursor: { type: 'object', properties: { next: { type: ['string', 'null'] } } } },
      (body: Record<string, unknown>) => (body['cursor'] as { next?: unknown } | undefined)?.next,
    ],
  ] as const)('are led through by %s, and end', async ([parameter, properties, nextOf]) => {
    const model: Schema = { type: 'object', required: ['pets'], properties: { pets: list, ...properties } }
    const { ask } = await start([
      petsOf(json(200, model), query(parameter, text), query('page_size', integer)),
    ])
    const seen: unknown[] = []
    let search = '?page_size=7'
    for (let page = 0; page < 20; page++) {
      const { body } = await ask(`/pets${search}`)
      seen.push(...(body as { pets: unknown[] }).pets)
      const next = nextOf(body as Record<string, unknown>)
      if (next === undefined || next === null || next === '') break
      search = `?page_size=7&${parameter}=${encodeURIComponent(next as string)}`
    }
    expect(seen.length).toBeGreaterThan(20)
    expect(new Set(seen.map((item) => JSON.stringify(item))).size).toBe(seen.length)
    expect(await ask(`/pets?${parameter}=nonsense`)).toMatchObject({
      status: 400,
      body: { detail: 'Invalid page token' },
    })
  })

  it('are led through by the last id seen', async () => {
    const model: Schema = {
      type: 'object',
      required: ['data', 'has_more'],
      properties: { data: list, has_more: { type: 'boolean' } },
    }
    const { ask } = await start([
      petsOf(json(200, model), query('starting_after', text), query('limit', integer)),
    ])
    type Page = { data: { id: number }[]; has_more: boolean }
    const all = (await ask('/pets?limit=100')).body as Page
    const second = (await ask(`/pets?limit=5&starting_after=${all.data[4]?.id}`)).body as Page
    expect(second).toEqual({ data: all.data.slice(5, 10), has_more: true })
  })

  it('are those of the example, where it is one', async () => {
    const { ask } = await start([
      petsOf(json(200, list, { default: [rex, max] }), query('page', integer), query('per_page', integer)),
    ])
    expect((await ask('/pets')).body).toEqual([rex, max])
    expect((await ask('/pets?per_page=1&page=2')).body).toEqual([max])
  })

  it('are left alone where the description does not speak of them', async () => {
    const held: Schema = {
      type: 'object',
      required: ['items', 'total'],
      properties: { items: list, total: integer },
    }
    const { ask } = await start([
      described('GET', '/pets', [json(200, list)], {
        parameters: [query('q', text)],
        options: { listCount: 3 },
      }),
      described('GET', '/lists', [json(200, held)], { options: { listCount: 4 } }),
      described('GET', '/lists/{id}', [json(200, held)], { options: { listCount: 4 } }),
      described('GET', '/some', [json(200, { ...list, minItems: 4 })], {
        parameters: [query('page', integer)],
      }),
    ])
    expect((await ask('/pets')).body).toHaveLength(3)
    expect((await ask('/lists')).body).toMatchObject({ total: 4, items: [{}, {}, {}, {}] })
    expect(((await ask('/lists/7')).body as { items: unknown[] }).items.length).toBeLessThan(4)
    expect(((await ask('/some?page=9')).body as unknown[]).length).toBeGreaterThanOrEqual(4)
  })
})
