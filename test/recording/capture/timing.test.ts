import * as fc from 'fast-check'
import { describe, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTimeline, MAX_CHUNKS, startClock } from '../../../src/recording/capture/timing.ts'

describe('a clock of an exchange', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000, toFake: ['Date', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('splits the time of an exchange in three', () => {
    const clock = startClock()
    vi.advanceTimersByTime(5)
    clock.sent()
    vi.advanceTimersByTime(20)
    clock.responded(true)
    vi.advanceTimersByTime(300)

    expect(clock.read()).toEqual({ startedAt: new Date(1_000), timings: { send: 5, wait: 20, receive: 300 } })
  })

  it('counts a body that is still on its way as sent when the response begins', () => {
    const clock = startClock()
    vi.advanceTimersByTime(5)
    clock.responded(true)
    clock.sent()

    expect(clock.read().timings).toEqual({ send: 5, wait: 0, receive: 0 })
  })

  it('takes no time to send no body', () => {
    const clock = startClock()
    vi.advanceTimersByTime(5)
    clock.responded(false)

    expect(clock.read().timings).toEqual({ send: 0, wait: 5, receive: 0 })
  })

  it('reads zero before a response began', () => {
    expect(startClock().read().timings).toEqual({ send: 0, wait: 0, receive: 0 })
  })
})

describe('a timeline', () => {
  it('keeps chunks apart that come a while after each other', () => {
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
    const gaps = fc.array(fc.nat(100), { minLength: 2 * MAX_CHUNKS, maxLength: 5 * MAX_CHUNKS })
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
        expect(chunks.length).toBeLessThanOrEqual(MAX_CHUNKS)
        expect(chunks.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(now + all.length)
        expect(times).toEqual(times.toSorted((a, b) => a - b))
      }),
      { numRuns: 20 },
    )
  })
})
