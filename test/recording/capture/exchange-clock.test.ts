import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startClock } from '../../../src/recording/capture/exchange-clock.ts'

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
