import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { ErrorCase, ScenarioStep } from '../../src/engine/error-case.ts'
import type { RouteOptions } from '../../src/engine/route-options.ts'

const LATENCY_MS = 300
const Named = Type.Object({ name: Type.String() })
const token = { authorization: 'Bearer t' }

function client(options: RouteOptions) {
  const app = new SimAPI({ seed: 1 }).get('/x', { input: Named, output: Named, ...options }).asWebApp()
  return async (url: string, headers: Record<string, string> = {}) => {
    await app.ready()
    const start = performance.now()
    const { statusCode } = await app.inject({ url, headers })
    return { status: statusCode, waited: performance.now() - start >= LATENCY_MS - 1 }
  }
}

describe('the order of a request', () => {
  it('is auth, rate limit, input, latency, errors', async () => {
    const call = client({
      bearerTokens: ['t'],
      rateLimit: 3,
      latencyMs: LATENCY_MS,
      errors: [ErrorCase({ when: ({ name }) => name === 'mapped', status: 409 })],
      scenario: [ScenarioStep({ status: 503 })],
    })
    expect(await call('/x')).toEqual({ status: 401, waited: false })
    expect(await call('/x', token)).toEqual({ status: 422, waited: false })
    expect(await call('/x?name=mapped', token)).toEqual({ status: 409, waited: true })
    expect(await call('/x?name=a', token)).toEqual({ status: 503, waited: true })
    expect(await call('/x?name=a', token)).toEqual({ status: 429, waited: false })
    expect(await call('/x?name=a')).toEqual({ status: 401, waited: false })
  })

  it('counts no request as admitted that auth or the limit refused', async () => {
    const call = client({ bearerTokens: ['t'], rateLimit: 1 })
    for (let i = 0; i < 5; i++) expect((await call('/x?name=a')).status).toBe(401)
    expect((await call('/x?name=a', token)).status).toBe(200)
    expect((await call('/x?name=a', token)).status).toBe(429)
  })

  it('holds random failures as long as answers', async () => {
    const call = client({ errorRate: 1, latencyMs: LATENCY_MS })
    const { status, waited } = await call('/x?name=a')
    expect([404, 500]).toContain(status)
    expect(waited).toBe(true)
  })
})

describe('a rate limit', () => {
  it('is one for all ids of a route, and apart for each route and method', async () => {
    const api = new SimAPI({ seed: 1 })
    api.get('/users/{id}', { output: Named, rateLimit: 1 }).delete('/users/{id}', { rateLimit: 1 })
    const app = api.asWebApp()
    const statusOf = async (method: 'GET' | 'DELETE', url: string) =>
      (await app.inject({ method, url })).statusCode
    expect(await statusOf('GET', '/users/1')).toBe(200)
    expect(await statusOf('GET', '/users/2')).toBe(429)
    expect(await statusOf('DELETE', '/users/1')).toBe(204)
  })
})

describe('the error rate', () => {
  it.for([
    [0, [200]],
    [1, [404, 500]],
  ] as const)('of %d answers only with %j', async ([errorRate, statuses]) => {
    const call = client({ errorRate })
    for (let i = 0; i < 50; i++) expect(statuses).toContain((await call('/x?name=a')).status)
  })
})
