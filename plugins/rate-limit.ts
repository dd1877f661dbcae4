import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { RateLimited } from '../src/errors.ts'

/** A limit and what it counts. */
export interface RateLimitRule {
  /** The most requests admitted in any one window; 0 or less means no limit. */
  readonly limit: number
  /** Default: one second. */
  readonly windowMs?: number
  /** Requests with equal keys share the limit. */
  readonly key: string
  /** Where the admitted requests are counted; one place for all, unless told. */
  readonly windows?: Windows
}

/** When the latest requests of each key were admitted. */
export interface Windows {
  get(key: string): readonly number[]
  set(key: string, times: number[]): void
  clear(): void
}

/** Options of the rate-limit plugin. */
export interface RateLimitOptions {
  /** The limits that a request is under; it must be within each of them. */
  readonly rules: (request: FastifyRequest) => readonly RateLimitRule[]
  /** Milliseconds on a clock that never goes back. */
  readonly now?: (request: FastifyRequest) => number
}

const WINDOW_MS = 1000
const MOST_KEYS = 100_000

/** Windows in which nothing was counted yet. Bounded: a key not seen for a hundred thousand others starts again. */
export function createWindows(): Windows {
  // In the order in which they were looked at last. There may be many windows, so no room is taken beforehand.
  const admitted = new Map<string, number[]>()
  return {
    get: (key) => admitted.get(key) ?? [],
    set(key, times) {
      admitted.delete(key)
      admitted.set(key, times)
      const [oldest] = admitted.size > MOST_KEYS ? admitted.keys() : []
      if (oldest !== undefined) admitted.delete(oldest)
    },
    clear: () => admitted.clear(),
  }
}

/**
 * Admits at most `limit` requests a window for each key, counted as it slides, and refuses others with 429.
 * Refused requests are not counted. Every answer tells the quota (draft-ietf-httpapi-ratelimit-headers), of several
 * limits that of which the least is left.
 */
export const rateLimit = fp<RateLimitOptions>(
  async (app, { rules, now = () => performance.now() }) => {
    const own = createWindows()

    app.addHook('onRequest', (request, reply, done) => {
      const limits = rules(request).filter(({ limit }) => limit > 0)
      if (limits.length === 0) return done()
      const time = now(request)
      const counts = limits.map((rule) => count(rule, time, own))
      const [tightest] = counts.toSorted((a, b) => a.left - b.left || b.resetS - a.resetS)
      if (tightest === undefined) return done()
      if (tightest.left <= 0)
        throw new RateLimited({ ...quotaOf(tightest, 0), 'retry-after': String(tightest.resetS) })
      for (const { times } of counts) times.push(time)
      setHeaders(reply, quotaOf(tightest, tightest.left - 1))
      done()
    })
  },
  { name: 'rate-limit', fastify: '5.x' },
)

interface Count {
  readonly limit: number
  /** When those were admitted that still count. */
  readonly times: number[]
  readonly left: number
  readonly resetS: number
}

function count(rule: RateLimitRule, time: number, own: Windows): Count {
  const { key, windowMs = WINDOW_MS, windows = own } = rule
  const limit = Math.ceil(rule.limit)
  const times = windows.get(key).filter((each) => each > time - windowMs)
  windows.set(key, times)
  // Whole milliseconds first: the clock's fractions would make of one second two.
  const leftMs = Math.round((times[0] ?? time) + windowMs - time)
  return { limit, times, left: limit - times.length, resetS: Math.max(1, Math.ceil(leftMs / 1000)) }
}

function quotaOf({ limit, resetS }: Count, remaining: number): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetS),
  }
}

function setHeaders(reply: FastifyReply, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) reply.header(name, value)
}
