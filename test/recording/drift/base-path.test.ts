import { expect, it } from 'vitest'
import { createRoute } from '../../../src/engine/route.ts'
import { below, missingBasePath } from '../../../src/recording/drift/base-path.ts'
import { compareExchanges } from '../../../src/recording/drift/compare-exchanges.ts'
import { declaredBaseline } from '../../../src/recording/drift/declared-baseline.ts'
import { samplesOf } from '../inference/samples.ts'

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
