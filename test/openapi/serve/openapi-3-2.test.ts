import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { request } from 'undici'
import type { FastifyInstance } from 'fastify'
import { loadApi } from '../../../src/loaders/load-target.ts'

const EVENT = {
  type: 'object',
  required: ['event', 'data'],
  properties: {
    event: { const: 'price' },
    data: {
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: { type: 'object', required: ['amount'], properties: { amount: { type: 'integer' } } },
    },
  },
}
const ROW = { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 } } }
const answering = (content: object): object => ({ responses: { 200: { description: 'OK', content } } })

const DOCUMENT = {
  openapi: '3.2.0',
  $self: 'https://prices.example/openapi.json',
  info: { title: 'Prices', version: '1' },
  tags: [{ name: 'eu', parent: 'all', kind: 'nav' }, { name: 'all' }],
  security: [{ device: [] }],
  paths: {
    '/prices': {
      get: answering({ 'text/event-stream': { itemSchema: EVENT } }),
      query: {
        requestBody: { required: true, content: { 'application/json': { schema: ROW } } },
        ...answering({ 'application/json': { $ref: '#/components/mediaTypes/Row' } }),
      },
      post: {
        requestBody: { required: true, content: { 'application/jsonl': { itemSchema: ROW } } },
        ...answering({ 'application/json': { schema: ROW } }),
      },
      additionalOperations: { COPY: answering({ 'application/json': { schema: ROW } }) },
    },
    '/rows': { get: answering({ 'application/jsonl': { itemSchema: ROW } }) },
    '/lines': {
      get: answering({ 'application/x-ndjson': { schema: ROW, example: { id: 7 } } }),
      post: {
        requestBody: { required: true, content: { 'application/x-ndjson': { schema: ROW } } },
        ...answering({ 'application/json': { schema: ROW } }),
      },
    },
    '/records': { get: answering({ 'application/json-seq': { itemSchema: ROW } }) },
    '/itself': {
      get: answering({
        'application/json': {
          schema: { $ref: 'https://prices.example/openapi.json#/components/schemas/Row' },
        },
      }),
    },
    '/shown': {
      get: answering({ 'application/json': { schema: ROW, examples: { a: { dataValue: { id: 7 } } } } }),
    },
    '/search': {
      get: {
        parameters: [
          {
            ...{ name: 'q', in: 'querystring', required: true },
            content: {
              'application/x-www-form-urlencoded': {
                schema: {
                  type: 'object',
                  required: ['max'],
                  properties: { max: { type: 'integer', maximum: 9 } },
                },
              },
            },
          },
        ],
        ...answering({ 'application/json': { schema: ROW } }),
      },
      put: {
        parameters: [{ name: 'q', in: 'querystring', content: { 'application/json': { schema: ROW } } }],
        ...answering({
          'multipart/mixed': { schema: { type: 'array' }, itemEncoding: { contentType: 'text/plain' } },
          'application/json': { schema: { $dynamicRef: '#node' } },
        }),
      },
    },
  },
  components: {
    schemas: { Row: ROW },
    mediaTypes: { Row: { schema: ROW } },
    securitySchemes: {
      device: {
        type: 'oauth2',
        flows: {
          deviceAuthorization: {
            deviceAuthorizationUrl: 'https://prices.example/device',
            tokenUrl: 'https://prices.example/token',
            scopes: {},
          },
        },
      },
    },
  },
}

describe('a description in OpenAPI 3.2', () => {
  let folder: string
  let app: FastifyInstance
  let url: string
  let notes: readonly string[]
  let problems: readonly string[]

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sim-openapi-'))
    const file = join(folder, 'prices.json')
    writeFileSync(file, JSON.stringify(DOCUMENT))
    const loaded = await loadApi(file, 'simulated', folder, { options: { seed: 1 } })
    notes = loaded.notes ?? []
    problems = loaded.problems
    app = loaded.api.asWebApp()
    url = await app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const ask = async (
    method: string,
    path: string,
    type?: string,
    body?: string,
  ): Promise<[number, string]> => {
    const answer = await request(`${url}${path}`, {
      method: method as 'GET',
      headers: { authorization: 'Bearer x', ...(type !== undefined && { 'content-type': type }) },
      body: body ?? null,
    })
    return [answer.statusCode, await answer.body.text()]
  }

  it('is read whole, and names what is not simulated', () => {
    expect(problems).toEqual([])
    expect(notes.toSorted()).toEqual([
      'dynamic reference: #node',
      'positional encoding: itemEncoding of multipart/mixed',
      'querystring: q as application/json',
    ])
  })

  it('answers a stream of events, each with its data as JSON where that is their content', async () => {
    const [status, text] = await ask('GET', '/prices')
    expect(status).toBe(200)
    const events = text.split('\n\n').filter((event) => event !== '')
    expect(events.length).toBeGreaterThan(0)
    for (const event of events) {
      const [, data = ''] = /^event: price\ndata: (.*)$/.exec(event) ?? []
      expect(JSON.parse(data)).toEqual({ amount: expect.any(Number) as unknown })
    }
  })

  it.for([
    ['/rows', ''],
    ['/records', '\u001e'],
  ] as const)('answers %s item by item', async ([path, before]) => {
    const lines = (await ask('GET', path))[1].split('\n')
    expect(lines.pop()).toBe('')
    for (const line of lines) {
      expect(line.startsWith(before)).toBe(true)
      expect(JSON.parse(line.slice(before.length))).toEqual({ id: expect.any(Number) as unknown })
    }
    expect(lines.length).toBeGreaterThan(0)
  })

  it('reads a body item by item', async () => {
    expect((await ask('POST', '/prices', 'application/jsonl', '{"id":1}\n{"id":2}\n'))[0]).toBe(200)
    const [status, text] = await ask('POST', '/prices', 'application/jsonl', '{"id":1}\n{"id":0}\n')
    expect([status, text]).toEqual([422, expect.stringContaining('"loc":["body",1,"id"]')])
  })

  it('takes the schema of an object for that of each line, as before OpenAPI 3.2', async () => {
    const type = 'application/x-ndjson'
    expect(await ask('GET', '/lines')).toEqual([200, '{"id":7}\n'])
    expect((await ask('POST', '/lines', type, '{"id":1}\n{"id":2}\n'))[0]).toBe(200)
    const [status, text] = await ask('POST', '/lines', type, '{"id":1}\n{"id":0}\n')
    expect([status, text]).toEqual([422, expect.stringContaining('"loc":["body",1,"id"]')])
  })

  it.for([
    ['QUERY', '/prices', '{"id":3}'],
    ['COPY', '/prices', undefined],
    ['GET', '/itself', undefined],
  ] as const)('answers %s %s', async ([method, path, body]) => {
    const [status, text] = await ask(method, path, body && 'application/json', body)
    expect([status, JSON.parse(text)]).toEqual([200, { id: expect.any(Number) as unknown }])
  })

  it('shows an example that is given as data', async () => {
    expect(await ask('GET', '/shown')).toEqual([200, '{"id":7}'])
  })

  it('checks the whole query as a form', async () => {
    expect((await ask('GET', '/search?max=9'))[0]).toBe(200)
    expect((await ask('GET', '/search?max=10'))[0]).toBe(422)
    expect((await ask('GET', '/search'))[0]).toBe(422)
  })

  it('wants the token of a device', async () => {
    const answer = await request(`${url}/rows`)
    expect([answer.statusCode, await answer.body.text()]).toEqual([401, expect.anything()])
  })
})
