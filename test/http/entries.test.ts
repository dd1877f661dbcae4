import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import fc from 'fast-check'
import Type from 'typebox'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { list, PageParams, PaginatedResponse } from '../../src/engine/schema/list.ts'
import { FromHeader } from '../../src/engine/links/from-header.ts'
import { FromInput } from '../../src/engine/links/from-input.ts'
import { createGateway, gatewayPlugin, type GatewayOptions } from '../../src/gateway.ts'
import { HOOKS } from '../../src/http/fastify-host.ts'
import type { Plugin } from '../../src/pipeline/route.ts'
import { rawAnswer } from '../flow/raw-client.ts'

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

const { lifecycleHooks } = createRequire(import.meta.url)('fastify/lib/hooks.js') as {
  readonly lifecycleHooks: readonly string[]
}

const headOf = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: a.example', ...headers, 'Connection: close', '', ''].join('\r\n')

/** Requests of every sort. */
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

const seen: string[] = []
const use = (request: { url?: string | undefined }, _response: unknown, next: () => void): void => {
  seen.push(request.url ?? '')
  next()
}

/** The same app behind a plugin's prefix, which an app of a user hosts. */
async function startInParent(): Promise<{ port: number; url: string }> {
  const parent = Fastify()
  open.push(parent)
  parent.register(gatewayPlugin(createApp().gatewayOptions()))
  const url = await parent.listen({ port: 0, host: '127.0.0.1' })
  return { url, port: (parent.server.address() as AddressInfo).port }
}

describe('the entries of a gateway', () => {
  let plain: { port: number; url: string }
  let caching: { port: number; url: string }
  let hooked: { port: number; url: string }
  let inParent: { port: number; url: string }

  beforeAll(async () => {
    plain = await start()
    caching = await start({ answerCacheBytes: 1_000_000 })
    hooked = await start({ middleware: [{ use, options: undefined }] })
    inParent = await startInParent()
  })
  afterAll(async () => {
    await Promise.all(open.splice(0).map((app) => app.close()))
  })

  it('give the same bytes, with hooks and cache or without, and the same journal', async () => {
    for (const text of [...REQUESTS, ...OTHERS, ...REQUESTS]) {
      const expected = await ask(plain.port, text)
      expect(await ask(caching.port, text)).toBe(expected)
      expect(await ask(hooked.port, text)).toBe(expected)
    }
    expect(seen.length).toBeGreaterThan(2 * REQUESTS.length)
    const journalOf = async (url: string): Promise<unknown> => {
      const answer = await fetch(`${url}/__sim/requests?limit=1000`)
      const requests = (await answer.json()) as Record<string, unknown>[]
      expect(requests.length).toBeGreaterThan(2 * REQUESTS.length)
      return requests.map(({ time: _time, arrived_ms: _arrived, duration_ms: _duration, ...entry }) => entry)
    }
    const expected = await journalOf(plain.url)
    expect(await journalOf(caching.url)).toEqual(expected)
    expect(await journalOf(hooked.url)).toEqual(expected)
  })

  it('count the same', async () => {
    const countsOf = async (url: string): Promise<string[]> => {
      const text = await (await fetch(`${url}/__sim/metrics`)).text()
      return text
        .split('\n')
        .filter((line) => /^sim_requests_total|_count/.test(line))
        .toSorted()
    }
    const expected = await countsOf(plain.url)
    expect(expected.some((line) => line.includes('GET /users'))).toBe(true)
    expect(await countsOf(caching.url)).toEqual(expected)
  })

  it('give the same bytes inside an app of a user, and to requests that are injected', async () => {
    const injected = createGateway(createApp().gatewayOptions())
    for (const text of REQUESTS) {
      const [, target = ''] = /^GET (\S+) /.exec(text) ?? []
      const expected = await ask(plain.port, text)
      if (!target.includes('#') && !target.includes('%zz') && !target.startsWith('//'))
        expect(await ask(inParent.port, text)).toBe(expected)
      if (target.includes('#')) continue
      const { statusCode, body } = await injected.inject({ url: target, headers: { host: 'a.example' } })
      expect(expected).toContain(` ${statusCode} `)
      expect(expected.endsWith(`\r\n\r\n${body}`)).toBe(true)
    }
    await injected.close()
  })

  it('give the same for any query, cached or not', async () => {
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
        const expected = await (await fetch(plain.url + target)).text()
        expect(await (await fetch(caching.url + target)).text()).toBe(expected)
        expect(await (await fetch(hooked.url + target)).text()).toBe(expected)
      }),
      { numRuns: 50 },
    )
  })
})

describe('a gateway while it changes', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((app) => app.close()))
  })

  const statusesOf = async (url: string): Promise<number[]> => {
    const statuses: number[] = []
    for (let i = 0; i < 10; i++) statuses.push((await fetch(`${url}/users`)).status)
    return statuses
  }

  it('compiles its plans again when rules, mode or seed change, on one connection', async () => {
    const { url } = await start({ answerCacheBytes: 1_000_000 })
    const json = { 'content-type': 'application/json' }
    const put = async (path: string, body: unknown): Promise<number> =>
      (await fetch(url + path, { method: 'PUT', headers: json, body: JSON.stringify(body) })).status
    expect(await statusesOf(url)).toEqual(Array(10).fill(200))
    expect(await put('/__sim/chaos', { rules: [{ errors: { rate: 1, codes: [503] } }] })).toBe(200)
    expect(await statusesOf(url)).toEqual(Array(10).fill(503))
    expect(await put('/__sim/chaos', { rules: [] })).toBe(200)
    expect(await put('/__sim/modes', { mode: 'forward' })).toBe(200)
    expect(await statusesOf(url)).toEqual(Array(10).fill(404))
    expect(await put('/__sim/modes', { mode: 'simulate' })).toBe(200)
    expect(await statusesOf(url)).toEqual(Array(10).fill(200))
  })

  it('gives other bodies under another seed, and the first ones again after a reset', async () => {
    const { url } = await start({ answerCacheBytes: 1_000_000 })
    const textOf = async (): Promise<string> => (await fetch(`${url}/users/1`)).text()
    const reset = async (body: unknown = {}): Promise<void> => {
      const headers = { 'content-type': 'application/json' }
      await fetch(`${url}/__sim/reset`, { method: 'POST', headers, body: JSON.stringify(body) })
    }
    const first = await textOf()
    await reset({ seed: 99 })
    const other = await textOf()
    await reset()
    expect([await textOf(), other === first]).toEqual([first, false])
  })
})

describe('hooks of users', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((app) => app.close()))
  })

  // What only some requests meet: errors, time-outs, and clients that leave.
  const RARE = new Set(['onError', 'onTimeout', 'onRequestAbort'])
  const names = lifecycleHooks.filter((name) => !RARE.has(name))

  const ways: Readonly<Record<string, (api: SimAPI, name: string, hook: () => void) => FastifyInstance>> = {
    addMiddleware(api, name, hook) {
      api.addMiddleware(
        async (app: FastifyInstance) => void app.addHook(name as 'onRequest', async () => hook()),
      )
      return api.asWebApp()
    },
    'addHook on the app'(api, name, hook) {
      const app = api.asWebApp()
      app.addHook(name as 'onRequest', async () => hook())
      return app
    },
    'a plugin'(api, name, hook) {
      const app = api.asWebApp()
      app.register(
        fp(async (child: FastifyInstance) => void child.addHook(name as 'onRequest', async () => hook())),
      )
      return app
    },
    onRoute(api, name, hook) {
      const app = api.asWebApp()
      app.addHook('onRoute', (route) => {
        Object.assign(route, { [name]: async () => hook() })
      })
      return app
    },
  }

  it('are all known to the host that looks for them', () => {
    expect([...HOOKS].toSorted()).toEqual([...lifecycleHooks].toSorted())
  })

  it.for(Object.keys(ways).flatMap((way) => names.map((name) => [way, name] as const)))(
    'added by %s see every request: %s',
    async ([way, name]) => {
      let calls = 0
      const app = ways[way]?.(createApp(), name, () => calls++) as FastifyInstance
      open.push(app)
      const url = await app.listen({ port: 0, host: '127.0.0.1' })
      for (const path of ['/users', '/created', '/unknown', '/pages']) await (await fetch(url + path)).text()
      expect(calls).toBeGreaterThanOrEqual(4)
    },
  )

  it('see errors, and may change a response', async () => {
    const errors: string[] = []
    const app = createApp().asWebApp()
    open.push(app)
    app.addHook('onError', async (_request, _reply, error) => void errors.push(error.name))
    app.addHook('onSend', async (_request, reply, payload) => {
      reply.header('x-length', String(String(payload).length))
      return payload
    })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const [unknown, found] = [await fetch(`${url}/unknown`), await fetch(`${url}/users`)]
    expect([unknown.status, errors]).toEqual([404, ['RouteNotFound']])
    expect(found.headers.get('x-length')).toBe(String((await found.text()).length))
  })

  it('and a route of a user come before the gateway', async () => {
    const app = createApp().asWebApp()
    open.push(app)
    app.get('/mine', async ({ query }) => query)
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    expect(await (await fetch(`${url}/mine?a=1&b=x%20y&b=2&c`)).json()).toEqual({
      a: '1',
      b: ['x y', '2'],
      c: '',
    })
    expect((await fetch(`${url}/users`)).status).toBe(200)
  })

  it('get the query of requests to our routes', async () => {
    const queries: unknown[] = []
    const app = createApp().asWebApp()
    open.push(app)
    app.addHook('onRequest', async ({ query }) => void queries.push(query))
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    await (await fetch(`${url}/users?a=1&b=2&b=3`)).text()
    expect(queries).toEqual([{ a: '1', b: ['2', '3'] }])
  })
})

describe('a policy of a user', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((app) => app.close()))
  })

  it('acts on every kind of route, at its place', async () => {
    const mine: Plugin = {
      name: 'teapot',
      before: 'auth',
      plan: () => () => ({ status: 418, headers: [] }),
    }
    const { url } = await start({ plugins: [mine] })
    const statuses = []
    for (const path of ['/users', '/locked', '/unknown', '/openapi.json'])
      statuses.push((await fetch(url + path)).status)
    expect(statuses).toEqual([418, 418, 418, 418])
    expect((await fetch(`${url}/__sim/health`)).status).toBe(200)
    expect(() => createGateway({ plugins: [{ ...mine, before: 'nothing' }] })).toThrow(
      "teapot is to come before 'nothing'",
    )
  })
})
