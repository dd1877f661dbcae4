import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fc from 'fast-check'
import Type from 'typebox'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SimAPI } from '../../../src/api.ts'
import { list } from '../../../src/engine/schema/list.ts'
import { FromHeader } from '../../../src/engine/links/from-header.ts'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { PageParams, PaginatedResponse } from '../../../src/engine/schema/pages.ts'
import { createGateway, type GatewayOptions } from '../../../src/gateway.ts'
import { rawAnswer } from '../../flow/raw-client.ts'

const User = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(FromInput('name')),
    email: Type.String({ format: 'email' }),
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'User' },
)
const Query = Type.Object({
  name: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
})

function createApp(): SimAPI {
  const api = new SimAPI({ seed: 7 })
  api.get('/users', { input: Query, output: list(User), listCount: 'limit' })
  api.get('/users/{id}', { input: Query, output: User })
  api.get('/pages', { input: PageParams, output: PaginatedResponse(User) })
  api.get('/tenant', { output: Type.Object({ tenant: Type.String(FromHeader('X-Tenant')) }) })
  api.get('/locked', { output: User, bearerTokens: ['t'] })
  api.get('/flaky', { output: User, errorRate: 0.5 })
  api.get('/nothing', {})
  api.get('/created', { output: User, status: 201 })
  api.get('/broken', { output: Type.Object({ n: Type.Integer(FromInput('name')) }), input: Query })
  return api
}

const open: FastifyInstance[] = []

async function start(options: Partial<GatewayOptions> = {}): Promise<{ port: number; url: string }> {
  const app = createGateway({ ...createApp().gatewayOptions(), ...options })
  open.push(app)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url, port: (app.server.address() as AddressInfo).port }
}

async function ask(port: number, text: string): Promise<string> {
  const answer = await rawAnswer(port, text)
  return answer.replace(/^Date: .*\r\n/gim, '')
}

const headOf = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: a.example', ...headers, 'Connection: close', '', ''].join('\r\n')

/** Requests of every sort, plain or not. */
const REQUESTS = [
  ...[
    '/users',
    '/users?name=Ada',
    '/users?limit=3&name=%C3%A4',
    '/users?limit=99',
    '/users?limit=x',
    '/users/',
  ],
  ...[
    '/users/7',
    '/users/a%2Fb?name=x',
    '/users/%zz',
    '/pages?limit=3&offset=97',
    '/pages?offset=1000',
    '/tenant',
  ],
  ...[
    '/locked',
    '/nothing',
    '/created',
    '/broken?name=x',
    '/broken?name=7',
    '/unknown',
    '/',
    '/users?__proto__=1',
  ],
  ...['//users', '/users#x', '/users?name=a+b', '/users?name=a&name=b', '/users?unknown=1'],
].map((target) => headOf(`GET ${target}`))

const OTHERS = [
  headOf('HEAD /users'),
  headOf('POST /users', 'Content-Length: 0'),
  headOf('OPTIONS /users'),
  headOf('GET /tenant', 'X-Tenant: blue'),
  headOf('GET /tenant', 'X-Tenant: blue', 'X-Tenant: red'),
  headOf('GET /users', 'x-sim-session: other'),
  headOf('GET /users', 'Host: b.example'),
  headOf('GET /users', 'Content-Length: 2') + 'hi',
  headOf('GET /users', 'Transfer-Encoding: chunked') + '0\r\n\r\n',
  headOf('GET /users', 'Upgrade: h2c', 'Connection: upgrade'),
  headOf('GET /users', 'Accept-Encoding: gzip', 'Authorization: Bearer secret', 'Cookie: a=b'),
  headOf('GET http://127.0.0.1:1/users'),
  'GET /users HTTP/1.0\r\n\r\n',
  'GET /users HTTP/1.1\r\nConnection: close\r\n\r\n',
  'GET /users HTTP/1.1\r\nHost: bad host\r\nConnection: close\r\n\r\n',
  'GET /users HTTP/1.1\r\nHost: 999.1\r\nConnection: close\r\n\r\n',
  'GET /users HTTP/1.1\r\nHost: a\r\n\r\nGET /users/7 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
]

describe('the direct lane', () => {
  let lane: { port: number; url: string }
  let keeping: { port: number; url: string }
  let whole: { port: number; url: string }

  beforeAll(async () => {
    lane = await start({ direct: { answerCacheBytes: 0 } })
    keeping = await start({ direct: { answerCacheBytes: 1_000_000 } })
    whole = await start()
  })
  afterAll(async () => {
    await Promise.all(open.splice(0).map((app) => app.close()))
  })

  it('answers with the bytes of the whole way, and tells the journal the same', async () => {
    for (const text of [...REQUESTS, ...OTHERS, ...REQUESTS]) {
      const expected = await ask(whole.port, text)
      expect(await ask(lane.port, text)).toBe(expected)
      expect(await ask(keeping.port, text)).toBe(expected)
    }
    const journalOf = async (url: string): Promise<unknown> => {
      const answer = await fetch(`${url}/__sim/requests?limit=1000`)
      const requests = (await answer.json()) as Record<string, unknown>[]
      expect(requests.length).toBeGreaterThan(2 * REQUESTS.length)
      return requests.map(({ time: _time, duration_ms: _duration, ...entry }) => entry)
    }
    const expected = await journalOf(whole.url)
    expect(await journalOf(lane.url)).toEqual(expected)
    expect(await journalOf(keeping.url)).toEqual(expected)
  })

  it('counts what it answers as the whole way does', async () => {
    const countsOf = async (url: string): Promise<string[]> => {
      const text = await (await fetch(`${url}/__sim/metrics`)).text()
      return text
        .split('\n')
        .filter((line) => /^sim_requests_total|_count/.test(line))
        .toSorted()
    }
    const expected = await countsOf(whole.url)
    expect(expected.some((line) => line.includes('GET /users'))).toBe(true)
    expect(await countsOf(lane.url)).toEqual(expected)
    expect(await countsOf(keeping.url)).toEqual(expected)
  })

  it('answers any query as the whole way does', async () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.constantFrom('', '1', 'true', 'null', 'ä'),
    )
    const pairs = fc.array(fc.tuple(fc.constantFrom('name', 'limit', 'x', '7', 'Name'), value), {
      maxLength: 5,
    })
    await fc.assert(
      fc.asyncProperty(pairs, fc.constantFrom('/users', '/users/9', '/pages'), async (query, path) => {
        const target = `${path}?${new URLSearchParams(query).toString()}`
        const expected = await (await fetch(whole.url + target)).text()
        expect(await (await fetch(lane.url + target)).text()).toBe(expected)
        expect(await (await fetch(keeping.url + target)).text()).toBe(expected)
      }),
      { numRuns: 100 },
    )
  })
})

describe('the direct lane while its app changes', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((app) => app.close()))
  })

  const statusesOf = async (url: string): Promise<number[]> => {
    const statuses: number[] = []
    for (let i = 0; i < 10; i++) statuses.push((await fetch(`${url}/users`)).status)
    return statuses
  }

  it('leaves requests to chaos as long as there is some', async () => {
    const { url } = await start({ direct: { answerCacheBytes: 1_000_000 } })
    expect(await statusesOf(url)).toEqual(Array(10).fill(200))
    const put = await fetch(`${url}/__sim/chaos`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ rules: [{ errors: { rate: 1, codes: [503] } }] }),
    })
    expect(put.status).toBe(200)
    expect(await statusesOf(url)).toEqual(Array(10).fill(503))
  })

  it('draws the same chaos afterwards as an app without it, since it counts what it answers', async () => {
    const rules = { method: 'PUT', headers: { 'content-type': 'application/json' } }
    const body = JSON.stringify({ rules: [{ errors: { rate: 0.5, codes: [503] } }] })
    const drawn = async (options: Partial<GatewayOptions>): Promise<number[]> => {
      const { url } = await start(options)
      await statusesOf(url)
      expect((await fetch(`${url}/__sim/chaos`, { ...rules, body })).status).toBe(200)
      return statusesOf(url)
    }
    const expected = await drawn({})
    expect(expected).toEqual(expect.arrayContaining([200, 503]))
    expect(await drawn({ direct: { answerCacheBytes: 0 } })).toEqual(expected)
  })

  it('gives other answers under another seed, and the first ones again after a reset', async () => {
    const [{ url }, whole] = [await start({ direct: { answerCacheBytes: 1_000_000 } }), await start()]
    const seen: string[] = []
    for (const each of [url, whole.url]) {
      const textOf = async (): Promise<string> => (await fetch(`${each}/users/1`)).text()
      const texts = [await textOf()]
      await fetch(`${each}/__sim/reset?seed=99`, { method: 'POST' })
      texts.push(await textOf())
      await fetch(`${each}/__sim/reset`, { method: 'POST' })
      texts.push(await textOf())
      seen.push(JSON.stringify(texts))
    }
    expect(seen[0]).toBe(seen[1])
  })

  it('is closed to apps with middleware, CORS or plugins for all routes', async () => {
    const seen: string[] = []
    const use = (request: { url?: string | undefined }, _response: unknown, next: () => void): void => {
      seen.push(request.url ?? '')
      next()
    }
    const { url } = await start({
      direct: { answerCacheBytes: 0 },
      middleware: [{ use, options: undefined }],
    })
    await fetch(`${url}/users`)
    expect(seen).toEqual(['/users'])
    const strict = await start({ direct: { answerCacheBytes: 0 }, defaults: { bearerTokens: ['t'] } })
    expect((await fetch(`${strict.url}/users`)).status).toBe(401)
    const cors = await start({ direct: { answerCacheBytes: 0 }, cors: true })
    const answer = await fetch(`${cors.url}/users`, { headers: { origin: 'http://b.example' } })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })
})
