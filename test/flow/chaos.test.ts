import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { createGateway } from '../../src/gateway.ts'
import { startRestUpstream } from './rest-upstream.ts'

const REQUESTS = 2000
const RATE = 0.3

async function statusesOf(seed: number, path: string, upstream?: string): Promise<readonly number[]> {
  const api = new SimAPI({ seed })
  api.get('/flaky', { output: Type.Object({ id: Type.Integer() }), errorRate: RATE })
  const app = createGateway({
    engine: api.engine(),
    upstream,
    defaults: upstream === undefined ? {} : { errorRate: RATE },
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const statuses: number[] = []
  for (let i = 0; i < REQUESTS; i++) {
    const response = await fetch(`${url}${path}`)
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  await app.close()
  return statuses
}

function failuresOf(statuses: readonly number[]): number {
  return statuses.filter((status) => status >= 400).length
}

describe('random failures', () => {
  it('come at the asked rate and fail the same requests under the same seed', async () => {
    const [first, second, other] = [
      await statusesOf(7, '/flaky'),
      await statusesOf(7, '/flaky'),
      await statusesOf(8, '/flaky'),
    ]
    expect(second).toEqual(first)
    expect(other).not.toEqual(first)
    const deviation = Math.sqrt(REQUESTS * RATE * (1 - RATE))
    for (const statuses of [first, other]) {
      expect(Math.abs(failuresOf(statuses) - REQUESTS * RATE)).toBeLessThan(3 * deviation)
      expect(new Set(statuses)).toEqual(new Set([200, 404, 500]))
    }
  })

  it('come to forwarded requests alike', async () => {
    const upstream = await startRestUpstream()
    try {
      const statuses = await statusesOf(7, '/posts/1', upstream.url)
      const deviation = Math.sqrt(REQUESTS * RATE * (1 - RATE))
      expect(Math.abs(failuresOf(statuses) - REQUESTS * RATE)).toBeLessThan(3 * deviation)
      expect(upstream.requests).toHaveLength(REQUESTS - failuresOf(statuses))
    } finally {
      await upstream.close()
    }
  })
})
