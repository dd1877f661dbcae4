import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTimeline, MOST_CHUNKS } from '../../../src/recording/capture/timeline.ts'

it('tells chunks apart that come a while after each other', () => {
  let now = 0
  const timeline = createTimeline(() => now, 5)
  for (const [at, bytes] of [
    [10, 1],
    [14, 2],
    [15, 4],
    [30, 8],
  ] as const) {
    now = at
    timeline.note(bytes)
  }
  expect(timeline.read()).toEqual([
    { time: 10, bytes: 3 },
    { time: 15, bytes: 4 },
    { time: 30, bytes: 8 },
  ])
})

it('is bounded, and loses no byte', () => {
  const gaps = fc.array(fc.nat(100), { minLength: 2 * MOST_CHUNKS, maxLength: 5 * MOST_CHUNKS })
  fc.assert(
    fc.property(gaps, (all) => {
      let now = 0
      const timeline = createTimeline(() => now, 1)
      for (const gap of all) {
        now += gap
        timeline.note(gap + 1)
      }
      const chunks = timeline.read()
      const times = chunks.map(({ time }) => time)
      expect(chunks.length).toBeLessThanOrEqual(MOST_CHUNKS)
      expect(chunks.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(now + all.length)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    }),
    { numRuns: 20 },
  )
})
