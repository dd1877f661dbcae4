import { describe, expect, it } from 'vitest'
import { chaosDraws } from '../../../src/engine/random.ts'
import { drawLatency } from '../../../plugins/count.ts'
import type { LatencyShape } from '../../../src/state/chaos-rule.ts'
import { distanceOf, lognormal, normal, type Distribution } from '../../flow/distribution.ts'

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

  it('have the percentiles that were asked for', () => {
    const sorted = samplesOf({ distribution: 'lognormal', p50: 100, p99: 900 }).toSorted((a, b) => a - b)
    expect((sorted[5000] ?? 0) / 100).toBeCloseTo(1, 1)
    expect((sorted[9900] ?? 0) / 900).toBeCloseTo(1, 0)
  })

  it('may be one number', () => {
    const never = (): number => expect.fail('nothing to draw')
    expect(drawLatency(120, never)).toBe(120)
    expect(drawLatency({ distribution: 'fixed', ms: 5 }, never)).toBe(5)
  })

  it('are never below zero', () => {
    expect(Math.min(...samplesOf({ distribution: 'normal', mean: 1, sd: 50 }))).toBe(0)
  })

  it('hold the share of requests that was asked for', () => {
    const held = samplesOf({ distribution: 'fixed', ms: 9, rate: 0.25 }).filter((ms) => ms > 0)
    expect(Math.abs(held.length / SAMPLES - 0.25)).toBeLessThan(0.01)
  })
})
