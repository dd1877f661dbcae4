import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'

import type { ChaosOptions } from '../../src/state/chaos-rule.ts'
import { createGateway } from '../../src/gateway.ts'
import { distanceOf, lognormal } from './distribution.ts'
import { startRestUpstream } from './rest-upstream.ts'

const REQUESTS = 10_000
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

/** An entry of the fault log, as the control plane tells it. */
interface Logged {
  readonly route: string
  readonly ordinal: number
  readonly latency_ms?: number
  readonly fault?: string
}

describe('chaos', () => {
  it('is a schedule: one seed gives one fault log and one set of outcomes, at the asked rates', async () => {
    const [first, second] = [await run(7, REQUESTS), await run(7, REQUESTS)]
    expect(first.log).toHaveLength(REQUESTS)
    expect(hashOf(second.log)).toBe(hashOf(first.log))
    expect(second.outcomes).toEqual(first.outcomes)

    const share = (outcome: Outcome): number => (first.outcomes[outcome] ?? 0) / REQUESTS
    expect(Math.abs(share(500) + share(503) - 0.1)).toBeLessThan(0.01)
    expect(Math.abs(share(503) - 0.075)).toBeLessThan(0.01)
    // What is cut short breaks as well.
    expect(Math.abs(share('broken') - 0.1)).toBeLessThan(0.01)
    for (const [fault, rate] of Object.entries(CHAOS.rules?.[0]?.faults ?? {})) {
      const count = first.log.filter((entry) => entry.fault === fault).length
      expect(Math.abs(count / REQUESTS - (rate as number))).toBeLessThan(0.01)
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

/** Sends requests over many connections, and tells the log and how many came to what. */
async function run(seed: number, requests: number) {
  const upstream = await startRestUpstream()
  const api = new SimAPI({ seed }).get('/simulated', { output: Type.Object({ id: Type.Integer() }) })
  const app = createGateway({ ...api.gatewayOptions(), upstream: upstream.url, chaos: CHAOS })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const outcomes: Record<string, number> = {}
  try {
    let next = 0
    const client = async (): Promise<void> => {
      while (next < requests) {
        const outcome = await ask(agent, port, PATHS[next++ % PATHS.length] ?? '/')
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, client))
    const { log } = (await (await fetch(`http://127.0.0.1:${port}/__sim/chaos?limit=20000`)).json()) as {
      log: Logged[]
    }
    return { log, outcomes }
  } finally {
    agent.destroy()
    await app.close()
    await upstream.close()
  }
}

function ask(agent: Agent, port: number, path: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const asked = request({ agent, port, host: '127.0.0.1', path }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
      response.once('error', () => resolve('broken'))
    })
    asked.once('error', () => resolve('broken'))
    asked.end()
  })
}

function hashOf(log: readonly Logged[]): string {
  const sorted = log.toSorted((a, b) => a.route.localeCompare(b.route) || a.ordinal - b.ordinal)
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex')
}
