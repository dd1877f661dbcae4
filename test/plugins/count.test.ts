import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRules } from '../../src/state/chaos.ts'
import { decideBy, type Chance, drawLatency } from '../../plugins/count.ts'
import { PRESETS } from '../../plugins/chaos/presets.ts'
import type { ChaosRule, LatencyShape } from '../../src/engine/chaos-rule.ts'
import { chaosDraws } from '../../src/engine/random.ts'
import { distanceOf, lognormal, normal, type Distribution } from '../flow/distribution.ts'

const REQUESTS = 20_000

function chance(rules: readonly ChaosRule[], ordinal: number, others: Partial<Chance> = {}): Chance {
  const call = { method: 'GET', host: 'x', path: '/x', headers: {} }
  return { seed: 7, rules: compileRules(rules), key: 'GET /x', call, ordinal, seconds: 0, ...others }
}

describe('a decision', () => {
  it('is a function of seed, rule, route and ordinal', () => {
    const rules = [{ latency: { distribution: 'uniform', min: 0, max: 9 }, errors: { rate: 0.5 } }] as const
    fc.assert(
      fc.property(fc.integer(), fc.string(), fc.nat(), fc.nat(), (seed, key, ordinal, seconds) => {
        const occasion = chance(rules, ordinal, { seed, key })
        expect(decideBy(occasion)).toEqual(decideBy({ ...occasion, seconds, rules: compileRules(rules) }))
      }),
    )
  })

  it('differs between seeds, routes, rules and ordinals', () => {
    const latencyOf = (others: Partial<Chance>, ordinal = 0, name = 'a') => {
      const rule = { name, latency: { distribution: 'uniform', min: 0, max: 1 } } as const
      return decideBy(chance([rule], ordinal, others))?.latencyMs
    }
    const latencies = [
      latencyOf({}),
      latencyOf({ seed: 8 }),
      latencyOf({ key: 'b' }),
      latencyOf({}, 1),
      latencyOf({}, 0, 'b'),
    ]
    expect(new Set(latencies).size).toBe(5)
  })

  it('gives errors, their codes and each fault at their own rates', () => {
    const rule: ChaosRule = {
      errors: { rate: 0.2, codes: { 500: 1, 503: 3 } },
      faults: { reset: 0.1, truncate: 0.05, 'slow-body': { rate: 0.3, bytesPerSecond: 5 } },
    }
    const rules = compileRules([rule])
    const counts: Record<string, number> = {}
    for (let ordinal = 0; ordinal < REQUESTS; ordinal++) {
      const { status, fault } = decideBy({ ...chance([], ordinal), rules }) ?? {}
      const outcome = String(status ?? fault?.kind ?? 'nothing')
      counts[outcome] = (counts[outcome] ?? 0) + 1
    }
    const expected = { 500: 0.05, 503: 0.15, reset: 0.1, truncate: 0.05, 'slow-body': 0.3, nothing: 0.35 }
    for (const [outcome, rate] of Object.entries(expected))
      expect(Math.abs((counts[outcome] ?? 0) / REQUESTS - rate)).toBeLessThan(0.01)
    expect(Object.keys(counts).toSorted()).toEqual(Object.keys(expected).toSorted())
  })

  it('is that of the first rule that is for the request', () => {
    const rules: ChaosRule[] = [
      { name: 'others', match: { path: '/y' }, latency: 1 },
      { name: 'first', requests: { to: 1 }, latency: 2 },
      { name: 'rest', latency: 3 },
    ]
    expect(decideBy(chance(rules, 0))).toEqual({ rule: 'first', latencyMs: 2 })
    expect(decideBy(chance(rules, 1))).toEqual({ rule: 'rest', latencyMs: 3 })
    expect(decideBy(chance(rules.slice(0, 1), 0))).toBeUndefined()
  })

  it('keeps who fails when only the latency is changed', () => {
    const failing = (latency: number): readonly boolean[] =>
      Array.from({ length: 50 }, (_, ordinal) => {
        const rule: ChaosRule = {
          latency: { distribution: 'normal', mean: latency, sd: 1 },
          errors: { rate: 0.5 },
        }
        return decideBy(chance([rule], ordinal))?.status !== undefined
      })
    expect(failing(10)).toEqual(failing(1000))
  })

  it('can be made by every preset', () => {
    for (const [name, rules] of Object.entries(PRESETS)) {
      const decisions = Array.from({ length: 500 }, (_, ordinal) => decideBy(chance(rules, ordinal)))
      expect(decisions.every((each) => each?.rule === name)).toBe(true)
      expect(decisions.some((each) => each?.status !== undefined || each?.fault !== undefined)).toBe(true)
    }
  })
})

const SAMPLES = 10_000
// Kolmogorov and Smirnov: above this with a chance of one in a thousand.
const CRITICAL = 1.95 / Math.sqrt(SAMPLES)

function samplesOf(shape: LatencyShape): number[] {
  return Array.from({ length: SAMPLES }, (_, ordinal) =>
    drawLatency(shape, chaosDraws(7, 'latency', 'GET /x', ordinal)),
  )
}

describe('latencies', () => {
  it.for<[string, LatencyShape, Distribution]>([
    [
      'uniform',
      { distribution: 'uniform', min: 50, max: 150 },
      (x) => Math.min(1, Math.max(0, (x - 50) / 100)),
    ],
    ['normal', { distribution: 'normal', mean: 200, sd: 20 }, (x) => normal((x - 200) / 20)],
    ['lognormal', { distribution: 'lognormal', p50: 100, p99: 900 }, lognormal(100, 900)],
  ])('follow a %s distribution', ([, shape, distribution]) => {
    expect(distanceOf(samplesOf(shape), distribution)).toBeLessThan(CRITICAL)
  })

  it('have the percentiles that were given', () => {
    const sorted = samplesOf({ distribution: 'lognormal', p50: 100, p99: 900 }).toSorted((a, b) => a - b)
    expect((sorted[5000] ?? 0) / 100).toBeCloseTo(1, 1)
    expect((sorted[9900] ?? 0) / 900).toBeCloseTo(1, 0)
  })

  it('have each percentile of a table', () => {
    const percentiles = { 100: 900, 0: 2, 50: 12, 95: 80, 99: 240 }
    const sorted = samplesOf({ distribution: 'percentiles', percentiles }).toSorted((a, b) => a - b)
    for (const [percent, ms] of [
      [50, 12],
      [95, 80],
      [99, 240],
    ] as const) {
      const drawn = sorted[Math.floor((sorted.length * percent) / 100)] ?? 0
      expect(Math.abs(drawn - ms)).toBeLessThan(Math.max(2, ms / 10))
    }
    expect([drawLatency({ distribution: 'percentiles', percentiles: { 50: 7 } }, () => 0.9)]).toEqual([7])
  })

  it('may be one number', () => {
    const never = (): number => expect.fail('nothing to draw')
    expect(drawLatency(120, never)).toBe(120)
    expect(drawLatency({ distribution: 'fixed', ms: 5 }, never)).toBe(5)
  })

  it('are never below zero', () => {
    expect(Math.min(...samplesOf({ distribution: 'normal', mean: 1, sd: 50 }))).toBe(0)
  })

  it('hold the share of requests that was given', () => {
    const held = samplesOf({ distribution: 'fixed', ms: 9, rate: 0.25 }).filter((ms) => ms > 0)
    expect(Math.abs(held.length / SAMPLES - 0.25)).toBeLessThan(0.01)
  })
})
