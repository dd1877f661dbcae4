import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { drawLatency } from '../../../plugins/count.ts'
import { evenDraws } from '../../../plugins/chaos/even-draws.ts'
import { addTime, createTimes, latencyOf } from '../../../src/recording/inference/recorded-latency.ts'
import { exchangeOf } from '../samples.ts'

const DRAWS = 5000

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (Math.min(100, Math.max(0, percent)) / 100) * (sorted.length - 1)
  const [low = NaN, high = NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (at % 1) * (high - low)
}

const times = fc.oneof(
  fc.array(fc.double({ min: 0, max: 500, noNaN: true }), { minLength: 1, maxLength: 300 }),
  // Two kinds of answers, as from a cache and not.
  fc
    .tuple(fc.integer({ min: 1, max: 299 }), fc.double({ min: 5, max: 900, noNaN: true }))
    .map(([quick, slow]) =>
      Array.from({ length: 300 }, (_each, at) => (at < quick ? 1 + at / 300 : slow + at / 10)),
    ),
)

it('draws the recorded p50, p95 and p99 within 10 % or 2 ms', () => {
  fc.assert(
    fc.property(times, fc.nat(), (recorded, seed) => {
      const learned = createTimes()
      for (const wait of recorded)
        addTime(learned, { ...exchangeOf({}), timings: { send: 0, wait, receive: 0 } })
      const shape = latencyOf(learned)
      const drawn = Array.from({ length: DRAWS }, (_each, at) =>
        drawLatency(shape, evenDraws(seed, 'a', 'b', at)),
      )
      for (const percent of [50, 95, 99]) {
        // Where the recorded values leap, a percent is a leap too.
        const ours = percentile(drawn, percent)
        expect(ours).toBeGreaterThanOrEqual(percentile(recorded, percent - 1) * 0.9 - 2)
        expect(ours).toBeLessThanOrEqual(percentile(recorded, percent + 1) * 1.1 + 2)
      }
    }),
    { numRuns: 60 },
  )
})

it('says how much of the time the body takes, but of no stream of events', () => {
  const timings = { send: 0, wait: 30, receive: 10 }
  const learn = (mimeType: string): unknown => {
    const all = createTimes()
    const exchange = exchangeOf({ responseHeaders: [['content-type', mimeType]], responseBody: 'x' })
    for (let count = 0; count < 3; count++) addTime(all, { ...exchange, timings })
    return latencyOf(all)
  }
  expect(learn('text/csv')).toEqual({
    ...{ distribution: 'percentiles', percentiles: { 0: 40, 50: 40, 95: 40, 99: 40, 100: 40 } },
    body: 0.25,
  })
  expect(learn('text/event-stream')).toMatchObject({ percentiles: { 50: 30 } })
})
