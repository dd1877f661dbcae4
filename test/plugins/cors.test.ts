import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { compilePlan } from '../../src/pipeline/plan.ts'
import { cors } from '../../plugins/cors.ts'
import type { Route } from '../../src/pipeline/route.ts'
import type { Session } from '../../src/state/session.ts'

const ORIGIN = 'http://shop.example'
const ended: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
})

type Answered = Readonly<Record<string, unknown>>

/** Asks a gateway with a color, and gives the status and the headers about pages. */
async function ask(
  options: GatewayOptions,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method: 'GET' | 'OPTIONS' = 'GET',
): Promise<Answered> {
  const api = new SimAPI({ seed: 1 }).get('/color', { output: { type: 'object', properties: { id: {} } } })
  const app = createGateway({ ...api.gatewayOptions(), ...options })
  ended.push(() => app.close())
  const response = await app.inject({ method, url, headers })
  const about = Object.entries(response.headers).filter(([name]) => /^(access-control|vary|allow)/.test(name))
  return { status: response.statusCode, ...Object.fromEntries(about) }
}

const asking = (method: string, more = {}) => ({
  origin: ORIGIN,
  'access-control-request-method': method,
  ...more,
})

describe('pages of other origins', () => {
  it('read simulated answers, with credentials', async () => {
    expect(await ask({}, '/color', { origin: ORIGIN })).toMatchObject({
      status: 200,
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    })
  })

  it('read what is wrong with requests, and with which methods a path can be requested', async () => {
    const missing = await ask({}, '/nothing', { origin: ORIGIN })
    expect(missing).toMatchObject({ status: 404, 'access-control-allow-origin': ORIGIN })
    expect(missing['access-control-expose-headers']).toContain('Allow')
  })

  it('without an origin of their own read without credentials', async () => {
    const answer = await ask({}, '/color', { origin: 'null' })
    expect(answer).toMatchObject({ 'access-control-allow-origin': '*' })
    expect(answer).not.toHaveProperty('access-control-allow-credentials')
  })

  it('learn beforehand what they may send, wherever that goes', async () => {
    const headers = asking('PURGE', {
      'access-control-request-headers': 'x-own',
      'access-control-request-private-network': 'true',
    })
    for (const url of ['/color', '/nothing'])
      expect(await ask({}, url, headers, 'OPTIONS')).toMatchObject({
        status: 204,
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, PURGE',
        'access-control-allow-headers': 'x-own',
        'access-control-allow-private-network': 'true',
      })
  })

  it('are not let in where they are not listed, or nobody is', async () => {
    const others = await ask({ cors: ['http://other.example'] }, '/color', asking('GET'), 'OPTIONS')
    expect(Object.keys(others).toSorted()).toEqual(['status', 'vary'])
    expect(await ask({ cors: false }, '/color', { origin: ORIGIN })).toEqual({ status: 200 })
  })

  it('get nothing of the control plane', async () => {
    for (const method of ['GET', 'OPTIONS'] as const)
      expect(await ask({}, '/__sim/health', asking('GET'), method)).not.toHaveProperty(
        'access-control-allow-origin',
      )
  })
})

it('leaves other OPTIONS requests to the path, and requests without an origin as they are', async () => {
  expect(await ask({}, '/color', { origin: ORIGIN }, 'OPTIONS')).toMatchObject({
    allow: 'GET, HEAD, OPTIONS',
  })
  expect(await ask({}, '/color')).toEqual({ status: 200 })
})

it('leaves what is forwarded to its upstream, but not the preflight of what is declared', async () => {
  const upstream = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', 'http://upstream.example')
    response.end(request.method)
  }).listen(0, '127.0.0.1')
  ended.push(() => void upstream.close())
  await once(upstream, 'listening')
  const app = createGateway({
    ...new SimAPI({ seed: 1 }).get('/color').gatewayOptions(),
    upstream: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
  })
  ended.push(() => app.close())
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const letIn = async (path: string, method: string): Promise<string | null> => {
    const response = await fetch(`${url}${path}`, { method, headers: asking('GET') })
    await response.text()
    return response.headers.get('access-control-allow-origin')
  }
  expect(await letIn('/other', 'GET')).toBe('http://upstream.example')
  expect(await letIn('/other', 'OPTIONS')).toBe('http://upstream.example')
  expect(await letIn('/color', 'OPTIONS')).toBe(ORIGIN)
})

it('adds nothing to the plan of requests without an origin', () => {
  const route: Route = {
    id: 'GET /x',
    source: 'declared',
    policies: {},
    handlerFor: () => () => ({ status: 204, headers: [] }),
  }
  const plan = compilePlan(route, {} as Session, [cors])
  expect([plan.before, plan.after, plan.last]).toEqual([[], [], []])
  expect(plan.forPages?.before).toHaveLength(1)
})
