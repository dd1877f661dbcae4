import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { list } from '../../src/engine/schema/list.ts'
import { createClient } from '../../src/testing/client.ts'
import { testEndpoint } from '../../src/testing/test-endpoint.ts'
import { failureOf, Query, User } from './failure-of.ts'

const apps: FastifyInstance[] = []
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
})

describe('testEndpoint', () => {
  it('is content with an app that answers every valid input as its model says', async () => {
    const api = new SimAPI({ seed: 1, validateResponses: true })
    api.get('/users', { input: Query, output: list(User) })
    api.post('/orgs/{org}/users', {
      input: { ...Query, properties: { ...Query.properties, org: { type: 'integer' } } },
      output: User,
    })
    api.delete('/users/{id}')
    let seen = 0
    const invariants = {
      'has the name that was sent': ({
        input,
        body,
      }: {
        input: Record<string, unknown>
        body: { name: string }[]
      }) => {
        seen++
        expect(body.map(({ name }) => name)).toEqual(Array(5).fill(input['name']))
      },
    }
    await testEndpoint(api, { method: 'GET', path: '/users', invariants, numRuns: 200 })
    await testEndpoint(api, { method: 'POST', path: '/orgs/{org}/users' })
    await testEndpoint(api, {
      method: 'DELETE',
      path: '/users/{id}',
      invariants: { 'has no body': ({ body }) => body === undefined },
    })
    expect(seen).toBe(200)
  })

  it('tests a Fastify app, a client and a server behind fetch alike', async () => {
    const app = new SimAPI({ seed: 1 }).get('/users', { input: Query, output: User }).asWebApp()
    apps.push(app)
    const options = { method: 'GET', path: '/users', input: Query, output: User, numRuns: 20 } as const
    await testEndpoint(app, options)
    await testEndpoint(createClient(app), options)
    const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
    const server = { fetch: (input: string | URL | Request, init?: RequestInit) => fetch(input, init) }
    await expect(testEndpoint(server, { ...options, baseUrl })).resolves.toBeUndefined()
  })

  it('says what failed, with which input, and how to send it again, after shrinking', async () => {
    const app = Fastify()
    app.post('/orders', async (request, reply) => {
      const { quantity } = request.body as { quantity: number }
      return quantity > 12 ? reply.code(500).send({ detail: 'too many' }) : { ok: true }
    })
    const input = {
      type: 'object',
      required: ['quantity'],
      properties: { quantity: { type: 'integer', minimum: 1 }, note: { type: 'string' } },
    }
    const message = await failureOf(app, { method: 'POST', path: '/orders', input, seed: 3 })
    expect(message).toMatch(
      `POST /orders: the status 500 is not one of a success

Input: {"quantity":13}
Response: 500 Internal Server Error
{"detail":"too many"}
Replay: { seed: 3, replayPath: '`,
    )
    expect(message.split("' }\n\n")[1]).toBe(`Reproduce with curl:
curl -i -X POST 'http://127.0.0.1:8000/orders' \\
  -H 'content-type: application/json' \\
  --data-raw '{"quantity":13}'

Or JavaScript:
await fetch('http://127.0.0.1:8000/orders', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"quantity":13}',
})`)
  })

  it('sends the failing input alone when it is given the seed and path of the message', async () => {
    const app = Fastify()
    const sent: unknown[] = []
    app.get('/n', async (request, reply) => {
      sent.push((request.query as { n: string }).n)
      return Number(sent.at(-1)) > 500 ? reply.code(500).send('no') : {}
    })
    const options = {
      method: 'GET',
      path: '/n',
      input: { type: 'object', required: ['n'], properties: { n: { type: 'integer', minimum: 0 } } },
    } as const
    const message = await failureOf(app, options)
    const [, seed, replayPath = ''] = /seed: (-?\d+), replayPath: '([\d:]+)'/.exec(message) ?? []
    sent.length = 0
    expect(await failureOf(app, { ...options, seed: Number(seed), replayPath })).toContain('Input: {"n":501}')
    expect(sent[0]).toBe('501')
  })

  it('cuts long answers', async () => {
    const app = Fastify()
    app.get('/', (_request, reply) => reply.code(500).send('x'.repeat(5000)))
    const message = await failureOf(app, { method: 'GET', path: '/' })
    expect(message).toContain(`${'x'.repeat(2048)}… (2952 more characters)`)
    expect(message).not.toContain('x'.repeat(2049))
  })

  it('takes values for path parameters, and sends no path that leads elsewhere', async () => {
    const api = new SimAPI({ seed: 1 })
    api.get('/users/me', { output: { const: 'me' } })
    api.get('/users/{id}', {
      input: { type: 'object', properties: { id: { enum: ['me', '.', '..', 'a/b', 'é'] } } },
      output: User,
    })
    const ids = new Set<unknown>()
    const note = { note: ({ input }: { input: Record<string, unknown> }) => void ids.add(input['id']) }
    await testEndpoint(api, { method: 'GET', path: '/users/{id}', invariants: note })
    expect(ids).toEqual(new Set(['a/b', 'é']))
    await testEndpoint(api, { method: 'GET', path: '/users/{id}', invariants: note, pathParams: { id: 'é' } })
    await expect(
      testEndpoint(api, { method: 'GET', path: '/users/{id}', pathParams: { id: 'me' } }),
    ).rejects.toThrow('GET /users/{id}: hardly any path that is drawn for it leads to it')
  })

  it('takes a route with its models, token and simulated failures', async () => {
    const api = new SimAPI({ seed: 1 })
    api.get('/users', {
      input: Query,
      output: User,
      bearerTokens: ['secret'],
      errorRate: 0.5,
      errorCodes: [503],
    })
    const [route] = api.routes
    await testEndpoint(api, { route: route! })
    expect(await failureOf(api, { route: route!, headers: { authorization: 'Bearer other' } })).toContain(
      'status 401',
    )
    expect(await failureOf(api, { route: route!, output: { type: 'string' } })).toContain(
      'Value must be string',
    )
  })

  it.for([
    [{}, 'testEndpoint needs a route, or a method and a path'],
    [{ method: 'GET', path: 'users' }, "the path must start with '/'"],
    [
      {
        method: 'GET',
        path: '/',
        input: { type: 'object', required: ['o'], properties: { o: { type: 'object' } } },
      },
      'o, as a query carries it: none of 2000 drawn values fits',
    ],
  ] as const)('refuses %j', async ([options, message]) => {
    await expect(testEndpoint(new SimAPI(), options)).rejects.toThrow(message)
  })
})
