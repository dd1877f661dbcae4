import { describe, expect, it } from 'vitest'
import { samplesOf } from '../inference/samples.ts'
import { createRoute } from '../../../src/engine/route.ts'
import { below, isPassing, missingBasePath } from '../../../src/recording/drift/baseline.ts'
import { compareExchanges } from '../../../src/recording/drift/compare-sample.ts'
import { declaredBaseline } from '../../../src/recording/drift/declared-baseline.ts'

describe('base path', () => {
  const baseline = declaredBaseline(
    [createRoute('GET', '/users/{id}', {}), createRoute('GET', '/orders', {})],
    false,
  )

  it('takes a base path off, and knows nothing outside of it', async () => {
    const samples = samplesOf('GET /api/v1/users/7', 'GET /api/v1/orders', 'GET /orders/x')
    const { routes } = await compareExchanges(samples, below('/api/v1/', baseline))
    expect(routes.map(({ route, drifts }) => [route, drifts.length])).toEqual([
      ['GET /orders', 0],
      ['GET /orders/x', 1],
      ['GET /users/{id}', 0],
    ])
    expect(below('/', baseline)).toBe(baseline)
  })

  it('finds out what the base path is, where it is one', async () => {
    const missing = async (...requests: string[]): Promise<string | undefined> =>
      missingBasePath(await compareExchanges(samplesOf(...requests), baseline), baseline)
    expect(await missing('GET /api/v1/users/7', 'GET /api/v1/orders', 'GET /health')).toBe('/api/v1')
    expect(await missing('GET /a/users/7', 'GET /b/orders')).toBeUndefined()
    expect(await missing('GET /a/users/7', 'GET /x', 'GET /y')).toBeUndefined()
    expect(await missing('GET /users/7')).toBeUndefined()
  })
})

describe('passing headers', () => {
  it('knows headers that say nothing of an API', () => {
    const passing = [
      'date',
      'x-request-id',
      'request-id',
      'cf-ray',
      'x-ratelimit-remaining',
      'content-length',
    ]
    for (const name of passing) expect([name, isPassing(name)]).toEqual([name, true])
    for (const name of ['x-version', 'x-total-count', 'deprecation', 'x-id'])
      expect([name, isPassing(name)]).toEqual([name, false])
  })
})
