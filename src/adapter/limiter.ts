import { createTextGlob } from '../routing/glob.ts'
import { fail } from './failure.ts'

/** How many requests are admitted in a window of time, by the virtual clock. */
export interface RateLimit {
  readonly requests: number
  readonly windowSeconds: number
  /** The operation it counts, or a glob of ids, each of which is counted apart. Default: all together. */
  readonly operation?: string
}

/** Counts requests against rate limits. */
export interface Limiter {
  /** Raises the failure `throttled` for a request too many. */
  admit(operation: string, now: number): void
  reset(): void
}

interface Window {
  readonly begins: number
  admitted: number
}

/** The limiter of a list of limits, all of which hold. */
export function createLimiter(limits: readonly RateLimit[]): Limiter {
  const compiled = limits.map((limit) => ({
    ...limit,
    fits: limit.operation === undefined ? () => true : createTextGlob(limit.operation),
    windows: new Map<string, Window>(),
  }))
  return {
    admit(operation, now) {
      const fitting = compiled
        .filter(({ fits }) => fits(operation))
        .map((limit) => ({ limit, window: windowOf(limit, operation, now) }))
      for (const { limit, window } of fitting) {
        if (window.admitted < limit.requests) continue
        const left = window.begins + limit.windowSeconds * 1000 - now
        fail({ kind: 'throttled', retryAfterSeconds: Math.max(1, Math.ceil(left / 1000)) })
      }
      for (const { window } of fitting) window.admitted++
    },
    reset() {
      for (const { windows } of compiled) windows.clear()
    },
  }
}

// A clock that was set back begins a window of its own.
function windowOf(
  { windows, windowSeconds, operation: pattern }: RateLimit & { readonly windows: Map<string, Window> },
  operation: string,
  now: number,
): Window {
  const key = pattern === undefined ? '' : operation
  const known = windows.get(key)
  if (known !== undefined && now >= known.begins && now < known.begins + windowSeconds * 1000) return known
  const begun = { begins: now, admitted: 0 }
  windows.set(key, begun)
  return begun
}
