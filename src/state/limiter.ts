import type { Awaitable } from '../message.ts'
import { createRecent } from './counters.ts'

/** So many requests in any window of time. */
export interface Limit {
  /** Requests with equal keys share the limit. */
  readonly key: string
  /** The most requests that are admitted in any one window. */
  readonly limit: number
  readonly windowMs: number
  /** Whether a window begins with its first request, and forgets all of them at its end. Default: it slides. */
  readonly isFixed?: boolean
}

/** What is left of a limit; of several, of the one of which the least is left. */
export interface Quota {
  readonly isAdmitted: boolean
  readonly limit: number
  readonly remaining: number
  /** Seconds until there is more. */
  readonly resetSeconds: number
  /** What had been admitted before. */
  readonly before: readonly PastWindow[]
}

/** When requests of one key had been admitted: of these times, which may go on, those of two indexes. */
export interface PastWindow {
  readonly key: string
  readonly times: readonly number[]
  readonly from: number
  readonly to: number
}

/** Admits requests by limits. */
export interface Limiter {
  /** Admits a request by all limits and counts it, or by none. @param now milliseconds on a clock that never goes back */
  admit(limits: readonly Limit[], now: number): Awaitable<Quota>
  clear(): Awaitable<void>
}

/** Admits by what came to this process alone. */
export interface MemoryLimiter extends Limiter {
  admit(limits: readonly Limit[], now: number): Quota
  /** Takes what had been admitted elsewhere as admitted here. */
  restore(windows: readonly PastWindow[]): void
  clear(): void
}

const MIN_GONE = 256

/** When the latest requests of one key were admitted; those before `first` no longer count. */
interface Window {
  times: number[]
  first: number
}

interface Count {
  readonly limit: number
  readonly before: PastWindow
  readonly window: Window
  readonly left: number
  readonly resetSeconds: number
}

/** A limiter that has admitted nothing. Bounded: a key not seen for a hundred thousand others starts again. */
export function createLimiter(): MemoryLimiter {
  const windows = createRecent<Window>()
  const count = (limit: Limit, now: number): Count => {
    const window = windows.get(limit.key) ?? windows.add(limit.key, { times: [], first: 0 })
    if (limit.isFixed === true) forgetWhole(window, limit.windowMs, now)
    else forget(window, now - limit.windowMs)
    const { times, first } = window
    const most = Math.ceil(limit.limit)
    // Whole milliseconds first: the clock's fractions would make of one second two.
    const leftMs = Math.round((times[first] ?? now) + limit.windowMs - now)
    const resetSeconds = Math.max(1, Math.ceil(leftMs / 1000))
    const before = { key: limit.key, times, from: first, to: times.length }
    return { limit: most, window, left: most - (times.length - first), resetSeconds, before }
  }
  const quotaOf = ({ limit, left, resetSeconds }: Count, before: readonly PastWindow[]): Quota => ({
    isAdmitted: left > 0,
    limit,
    remaining: Math.max(0, left - 1),
    resetSeconds,
    before,
  })

  return {
    admit(limits, now) {
      const [first] = limits
      if (first === undefined) throw new RangeError('There is no limit to admit by')
      let tightest = count(first, now)
      if (limits.length === 1) {
        if (tightest.left > 0) tightest.window.times.push(now)
        return quotaOf(tightest, [tightest.before])
      }
      const counts = limits.map((limit) => count(limit, now))
      for (const each of counts) {
        const isTighter =
          each.left < tightest.left ||
          (each.left === tightest.left && each.resetSeconds > tightest.resetSeconds)
        if (isTighter) tightest = each
      }
      if (tightest.left > 0) for (const { window } of counts) window.times.push(now)
      return quotaOf(
        tightest,
        counts.map(({ before }) => before),
      )
    },
    restore(past) {
      for (const { key, times, from, to } of past)
        windows.add(key, { times: times.slice(from, to), first: 0 })
    },
    clear: () => windows.clear(),
  }
}

// A clock that was set back begins a window of its own.
function forgetWhole(window: Window, windowMs: number, now: number): void {
  const begins = window.times[0] ?? now
  if (now < begins || now >= begins + windowMs) window.times = []
}

// What no longer counts is cut off now and then, and not one by one.
function forget(window: Window, before: number): void {
  const { times } = window
  while (window.first < times.length && (times[window.first] as number) <= before) window.first++
  if (window.first < MIN_GONE || window.first * 2 < times.length) return
  window.times = times.slice(window.first)
  window.first = 0
}
