import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import type { ConnectMiddleware } from '../../src/http/middleware.ts'
import { open, usersApi } from './ask.ts'

describe('the control plane', () => {
  it('says that the gateway is there, and what it is', async () => {
    const { ask } = open()
    await ask('GET', '/users')
    expect(await ask('GET', '/__sim/health')).toMatchObject({
      status: 200,
      body: { status: 'ok', mode: 'simulate', seed: 7, routes: 3, sessions: 1, requests: 1 },
    })
  })

  it('wins over declared routes, the plugins and middleware', async () => {
    const api = new SimAPI({ seed: 1 })
    api.get('/__sim/health', { bearerTokens: ['t'], errorRate: 1 })
    const mine: ConnectMiddleware = (_request, response, _next) => void response.end('mine')
    api.addMiddleware(mine)
    const { ask } = open({ defaults: { bearerTokens: ['t'] }, chaos: { preset: 'outage' } }, api)
    expect((await ask('GET', '/__sim/health')).body).toMatchObject({ status: 'ok' })
  })

  it('is not in the journal', async () => {
    const { ask } = open()
    await ask('GET', '/__sim/health')
    expect((await ask('GET', '/__sim/requests')).body).toEqual([])
  })

  it('says which methods a path takes, and which paths are none of its', async () => {
    const { ask } = open()
    const wrong = await ask('POST', '/__sim/health')
    expect([wrong.status, wrong.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect((await ask('GET', '/__sim/nothing')).status).toBe(404)
    const page = await ask('GET', '/__sim')
    expect([page.status, page.headers['location']]).toEqual([308, '__sim/'])
    expect((await ask('GET', '/__simulated')).status).toBe(404)
  })

  it('refuses bodies that do not fit, and says why', async () => {
    const { ask } = open()
    expect(await ask('POST', '/__sim/clock/advance', { ms: 'soon' })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'ms'], msg: 'Value must be number', input: 'soon' }] },
    })
    expect(await ask('POST', '/__sim/reset', { sed: 1 })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'sed'], msg: 'Unknown field' }] },
    })
  })

  it('describes itself: every operation, and nothing else', async () => {
    const { ask } = open()
    const { body } = await ask('GET', '/__sim/openapi.json')
    expect(body.openapi).toBe('3.1.0')
    const operations = Object.entries(body.paths as Record<string, object>).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(operations).toContain('POST /__sim/verify')
    for (const operation of operations) {
      const [method = '', path = ''] = operation.replaceAll(/\{\w+\}/g, 'x').split(' ')
      if (path.endsWith('/stream')) continue
      const { status } = await ask(method, path, method === 'GET' || method === 'DELETE' ? undefined : {})
      expect([200, 404, 422]).toContain(status)
    }
  })

  it('lists the declared routes with how often each was requested', async () => {
    const { ask } = open()
    await ask('GET', '/users')
    await ask('GET', '/users')
    const { body } = await ask('GET', '/__sim/routes')
    expect(body[0]).toEqual({
      route: 'GET /users',
      method: 'GET',
      path: '/users',
      summary: 'All users',
      source: 'declared',
      requests: 2,
    })
    expect(body).toHaveLength(3)
  })

  it('is served below the prefix of an app that is mounted', async () => {
    const { default: Fastify } = await import('fastify')
    const parent = Fastify()
    await usersApi().mountInto(parent, '/simulated')
    const answer = await parent.inject({ url: '/simulated/__sim/health', headers: { host: 'localhost' } })
    expect(answer.json()).toMatchObject({ status: 'ok' })
    await parent.close()
  })
})

describe('resetting', () => {
  it('puts store, scenarios, counters, journal, clock, chaos and seed back to how they began', async () => {
    const api = usersApi()
    api.seedStore('/users', [{ id: 1, name: 'first' }])
    const { ask } = open({ chaos: { rules: [{ name: 'mine', errors: { rate: 0 } }] } }, api)
    await ask('POST', '/users', { name: 'second' })
    await ask('POST', '/__sim/clock/freeze', {})
    await ask('PUT', '/__sim/chaos', { preset: 'flaky' })

    expect((await ask('POST', '/__sim/reset', { seed: 9 })).body).toEqual({ session: '', seed: 9 })
    expect((await ask('GET', '/__sim/store')).body).toEqual({ '/users': 1 })
    expect((await ask('GET', '/__sim/requests')).body).toEqual([])
    expect((await ask('GET', '/__sim/clock')).body).toMatchObject({ frozen: false })
    expect((await ask('GET', '/__sim/chaos')).body).toMatchObject({ seed: 9, rules: [{ name: 'mine' }] })
    expect((await ask('POST', '/__sim/reset')).body).toEqual({ session: '', seed: 7 })
  })

  it('makes content anew where it is given another seed, and as before with the first', async () => {
    const api = new SimAPI({ seed: 1 }).get('/user', {
      output: usersApi().routes[2]?.options.output as object,
    })
    const { ask } = open({}, api)
    const first = (await ask('GET', '/user')).body
    await ask('POST', '/__sim/reset', { seed: 2 })
    expect((await ask('GET', '/user')).body).not.toEqual(first)
    await ask('POST', '/__sim/reset')
    expect((await ask('GET', '/user')).body).toEqual(first)
  })
})
