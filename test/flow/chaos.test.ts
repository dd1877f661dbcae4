import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import type { ChaosOptions } from '../../src/engine/chaos-rule.ts'
import { distanceOf, lognormal } from './distribution.ts'
import { fetchFrom, startGateway, startUpstream } from './kit.ts'

describe('random failures', () => {
  const REQUESTS = 2000
  const RATE = 0.3

  const statusesOf = async (seed: number, path: string, upstream?: string): Promise<readonly number[]> => {
    const api = new SimAPI({ seed })
    api.get('/flaky', { output: Type.Object({ id: Type.Integer() }), errorRate: RATE })
    const { url } = await startGateway({
      engine: api.engine(),
      upstream,
      defaults: upstream === undefined ? {} : { errorRate: RATE },
    })
    const statuses: number[] = []
    for (let i = 0; i < REQUESTS; i++) statuses.push((await fetchFrom(`${url}${path}`)).status)
    return statuses
  }
  const failuresOf = (statuses: readonly number[]): number =>
    statuses.filter((status) => status >= 400).length
  const expectRate = (statuses: readonly number[]): void => {
    const deviation = Math.sqrt(REQUESTS * RATE * (1 - RATE))
    expect(Math.abs(failuresOf(statuses) - REQUESTS * RATE)).toBeLessThan(3 * deviation)
  }

  it('come at the configured rate and fail the same requests under the same seed', async () => {
    const [first, second, other] = [
      await statusesOf(7, '/flaky'),
      await statusesOf(7, '/flaky'),
      await statusesOf(8, '/flaky'),
    ]
    expect(second).toEqual(first)
    expect(other).not.toEqual(first)
    for (const statuses of [first, other]) {
      expectRate(statuses)
      expect(new Set(statuses)).toEqual(new Set([200, 404, 500]))
    }
  })

  it('come to forwarded requests alike', async () => {
    const requests: unknown[] = []
    const upstream = await startUpstream(({ url }, response) => {
      requests.push(url)
      response.end('{"id":1}')
    })
    const statuses = await statusesOf(7, '/posts/1', upstream.url)
    expectRate(statuses)
    expect(requests).toHaveLength(REQUESTS - failuresOf(statuses))
  })
})

const REQUESTS = 4000
const CONNECTIONS = 64
const PATHS = ['/posts/1', '/posts/2', '/simulated', '/simulated?n=1']
const LATENCY = { distribution: 'lognormal', p50: 2, p99: 9 } as const
const CHAOS: ChaosOptions = {
  rules: [
    {
      name: 'everything',
      latency: LATENCY,
      errors: { rate: 0.1, codes: { 500: 1, 503: 3 } },
      faults: { reset: 0.05, empty: 0.03, truncate: 0.02 },
    },
  ],
}

type Outcome = number | 'broken'

/** An entry of the fault log, as the control plane gives it. */
interface Logged {
  readonly route: string
  readonly ordinal: number
  readonly latency_ms?: number
  readonly fault?: string
}

describe('chaos', () => {
  it('is a schedule: one seed gives one fault log and one set of outcomes, at the configured rates', async () => {
    const [first, second] = [await run(7, REQUESTS), await run(7, REQUESTS)]
    expect(first.log).toHaveLength(REQUESTS)
    expect(hashOf(second.log)).toBe(hashOf(first.log))
    expect(second.outcomes).toEqual(first.outcomes)

    const share = (outcome: Outcome): number => (first.outcomes[outcome] ?? 0) / REQUESTS
    expect(Math.abs(share(500) + share(503) - 0.1)).toBeLessThan(0.015)
    expect(Math.abs(share(503) - 0.075)).toBeLessThan(0.015)
    // What is cut short breaks as well.
    expect(Math.abs(share('broken') - 0.1)).toBeLessThan(0.015)
    for (const [fault, rate] of Object.entries(CHAOS.rules?.[0]?.faults ?? {})) {
      const count = first.log.filter((entry) => entry.fault === fault).length
      expect(Math.abs(count / REQUESTS - (rate as number))).toBeLessThan(0.015)
    }

    // Kolmogorov and Smirnov: above 1.95 / √n with a chance of one in a thousand.
    const latencies = first.log.map(({ latency_ms: latencyMs = 0 }) => latencyMs)
    const critical = 1.95 / Math.sqrt(latencies.length)
    expect(distanceOf(latencies, lognormal(LATENCY.p50, LATENCY.p99))).toBeLessThan(critical)
    expect(distanceOf(latencies, lognormal(LATENCY.p50 * 1.1, LATENCY.p99))).toBeGreaterThan(critical)
  })

  it('is another schedule under another seed', async () => {
    const [first, other] = [await run(7, 400), await run(8, 400)]
    expect(hashOf(other.log)).not.toBe(hashOf(first.log))
  })
})

/** Sends requests over many connections, and gives the log and how many ended how. */
async function run(seed: number, requests: number) {
  const upstream = await startUpstream((_request, response) =>
    response.setHeader('content-type', 'application/json').end('{"id":1}'),
  )
  const api = new SimAPI({ seed }).get('/simulated', { output: Type.Object({ id: Type.Integer() }) })
  const { url } = await startGateway({ ...api.gatewayOptions(), upstream: upstream.url, chaos: CHAOS })
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const outcomes: Record<string, number> = {}
  let next = 0
  const client = async (): Promise<void> => {
    while (next < requests) {
      const outcome = await outcomeOf(agent, `${url}${PATHS[next++ % PATHS.length]}`)
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  agent.destroy()
  const log: Logged[] = (await fetchFrom(`${url}/__sim/chaos?limit=20000`)).body.log
  return { log, outcomes }
}

function outcomeOf(agent: Agent, url: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const sent = request(url, { agent }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
      response.once('error', () => resolve('broken'))
    })
    sent.once('error', () => resolve('broken'))
    sent.end()
  })
}

function hashOf(log: readonly Logged[]): string {
  const sorted = log.toSorted((a, b) => a.route.localeCompare(b.route) || a.ordinal - b.ordinal)
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex')
}
