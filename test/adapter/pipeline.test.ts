import Fastify from 'fastify'
import { createGateway, type Plugin } from 'sim-gateway'
import { createAdapter, type AdapterConfig } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { gatewayPlugin } from '../../src/gateway.ts'
import { notes } from './notes-adapter.ts'

const PAGE = 'https://page.example'
const preflight = {
  method: 'OPTIONS',
  headers: { origin: PAGE, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'x' },
} as const
const strict: AdapterConfig = { auth: { mode: 'strict', tokens: [{ token: 'known' }] } }
const bearer = { authorization: 'Bearer known' }

describe.for(['alone', 'mounted'] as const)('CORS of an adapter %s', (place) => {
  const open = (cors?: boolean | readonly string[]) =>
    place === 'alone'
      ? createAdapter(notes, { ...strict, ...(cors !== undefined && { cors }) }).asWebApp()
      : createGateway({ cors, adapters: [{ adapter: createAdapter(notes, strict) }] })
  const control = place === 'alone' ? '/__sim/clock' : '/__sim/adapters/sim-notes/clock'

  it('answers preflight requests before credentials are looked at', async () => {
    await using app = open([PAGE])
    const { statusCode, headers } = await app.inject({ url: '/v1/notes/a', ...preflight })
    expect(statusCode).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': expect.stringContaining('PUT') as string,
      'access-control-allow-headers': 'x',
    })
    const foreign = { ...preflight.headers, origin: 'https://other.example' }
    const refused = await app.inject({ url: '/v1/notes/a', ...preflight, headers: foreign })
    expect(refused.headers['access-control-allow-origin']).toBeUndefined()
  })

  it.for([
    ['/v1/notes/a', 200, bearer],
    ['/v1/notes/z', 404, bearer],
    ['/v1/nothing', 404, bearer],
    ['/v1/notes/a', 401, {}],
  ] as const)('lets pages read %s as %i', async ([url, status, credentials]) => {
    await using app = open()
    const { statusCode, headers } = await app.inject({ url, headers: { origin: PAGE, ...credentials } })
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([status, PAGE])
    expect(headers['x-request-id']).toBeTruthy()
  })

  it('can be off', async () => {
    await using app = open(false)
    const answer = await app.inject({ url: '/v1/notes/a', headers: { origin: PAGE, ...bearer } })
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([200, undefined])
    expect((await app.inject({ url: '/v1/notes/a', ...preflight })).statusCode).toBe(405)
  })

  it('opens no control path to pages of other origins', async () => {
    await using app = open(true)
    for (const request of [preflight, { method: 'POST', headers: { origin: PAGE } } as const]) {
      const { statusCode, headers } = await app.inject({ url: control, ...request, payload: '{"set":0}' })
      expect([statusCode, headers['access-control-allow-origin']]).toEqual([403, undefined])
    }
    const headers = { origin: 'http://localhost:3000' }
    expect((await app.inject({ url: control, headers })).statusCode).toBe(200)
  })
})

describe('the gateway that an adapter is mounted in', () => {
  it('keeps the control paths below a prefix closed to pages of other origins', async () => {
    await using app = createGateway({
      cors: true,
      adapters: [{ adapter: createAdapter(notes), prefix: '/notes' }],
    })
    const url = '/notes/__sim/clock'
    for (const request of [preflight, { method: 'GET', headers: { origin: PAGE } } as const]) {
      const { statusCode, headers } = await app.inject({ url, ...request })
      expect([statusCode, headers['access-control-allow-origin']]).toEqual([403, undefined])
    }
    expect((await app.inject(url)).statusCode).toBe(200)
  })

  it("has a user's plugin act on each operation, before the adapter's handler and with its route", async () => {
    const seen: (string | undefined)[] = []
    const plugin: Plugin = {
      name: 'teapot',
      plan: ({ id, source }) =>
        source === 'adapter'
          ? () => {
              seen.push(id)
              return { status: 418, headers: [] }
            }
          : undefined,
    }
    const adapter = createAdapter(notes, { strict: true })
    await using app = createGateway({ plugins: [plugin], adapters: [{ adapter, prefix: '/n' }] })
    const handled = notes.operations.filter(({ handle }) => handle !== undefined)
    for (const { method, path } of handled) {
      const answer = await app.inject({ method, url: `/n${path.replace('{note}', 'new')}`, payload: '{}' })
      expect(answer.statusCode).toBe(418)
    }
    expect(seen).toEqual(handled.map(({ method, path }) => `${method} /n${path}`))
    expect(adapter.state().notes.has('new')).toBe(false)
  })

  it("has a user's plugin act after operations, too", async () => {
    const plugin: Plugin = {
      name: 'stamp',
      plan: () => ({
        after: (_exchange, response) => ({ ...response, headers: [...response.headers, 'x-stamp', 'yes'] }),
      }),
    }
    await using app = createGateway({ plugins: [plugin], adapters: [{ adapter: createAdapter(notes) }] })
    expect((await app.inject('/v1/notes/a')).headers['x-stamp']).toBe('yes')
  })

  it('refuses requests by its own policies in its own form', async () => {
    const defaults = { bearerTokens: ['gateway'], rateLimit: 1 }
    await using app = createGateway({ defaults, adapters: [{ adapter: createAdapter(notes) }] })
    expect((await app.inject('/v1/notes/a')).json()).toEqual({ detail: 'Unauthorized' })
    const headers = { authorization: 'Bearer gateway' }
    const answer = await app.inject({ url: '/v1/notes/a', headers })
    expect([answer.statusCode, answer.headers['ratelimit-remaining']]).toEqual([200, '0'])
    expect((await app.inject({ url: '/v1/notes/a', headers })).json()).toEqual({
      detail: 'Rate limit exceeded (simulated)',
    })
  })

  it('says where its clients see the adapter', async () => {
    const parent = Fastify()
    const adapter = createAdapter({
      ...notes,
      operations: notes.operations.map((each) => ({
        ...each,
        handle: ({ headers }) => Object.entries(headers).filter(([name]) => name.startsWith('x-forwarded')),
      })),
    })
    await parent.register(gatewayPlugin({ adapters: [{ adapter, prefix: '/vendor' }] }), { prefix: '/app' })
    const { body } = await parent.inject({
      url: '/app/vendor/v1/notes',
      headers: { host: 'here.test:81', 'x-forwarded-prefix': '/evil', 'x-forwarded-for': '127.0.0.1' },
    })
    await parent.close()
    expect(JSON.parse(body)).toEqual([
      ['x-forwarded-proto', 'http'],
      ['x-forwarded-host', 'here.test:81'],
      ['x-forwarded-prefix', '/app/vendor'],
    ])
  })

  it('reads a body that is not there because the server around it has read it', async () => {
    const adapter = createAdapter(notes)
    await using app = createGateway({ adapters: [{ adapter }] })
    app.addHook('onRequest', async ({ raw }) => {
      for await (const _ of raw);
    })
    const answer = await app.inject({ method: 'PUT', url: '/v1/notes/d', payload: '{"text":"x"}' })
    expect([answer.statusCode, answer.json()]).toEqual([201, { id: 'd', text: 'undefined' }])
  })
})
