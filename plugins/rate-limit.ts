import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { RateLimited } from '../src/sim-error.ts'

/** A limit and what it counts. */
export interface RateLimitRule {
  /** The most requests admitted in any one second; 0 or less means no limit. */
  readonly limit: number
  /** Requests with equal keys share the limit. */
  readonly key: string
}

/** Options of the rate-limit plugin. */
export interface RateLimitOptions {
  readonly rule: (request: FastifyRequest) => RateLimitRule | undefined
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number
}

const WINDOW_MS = 1000
const MOST_KEYS = 100_000

/**
 * Admits at most `limit` requests a second for each key, counted in a sliding window, and refuses others with 429.
 * Refused requests are not counted. Every answer tells the quota (draft-ietf-httpapi-ratelimit-headers).
 */
export const rateLimit = fp<RateLimitOptions>(
  async (app, { rule, now = () => performance.now() }) => {
    const admitted = new LRUCache<string, number[]>({ max: MOST_KEYS })

    app.addHook('onRequest', async (request, reply) => {
      const asked = rule(request)
      if (asked === undefined || asked.limit <= 0) return
      const limit = Math.ceil(asked.limit)
      const time = now()
      const times = (admitted.get(asked.key) ?? []).filter((each) => each > time - WINDOW_MS)
      admitted.set(asked.key, times)

      // Whole milliseconds first: the clock's fractions would make of one second two.
      const leftMs = Math.round((times[0] ?? time) + WINDOW_MS - time)
      const resetS = Math.max(1, Math.ceil(leftMs / 1000))
      const quota = (remaining: number): Record<string, string> => ({
        'ratelimit-limit': String(limit),
        'ratelimit-remaining': String(remaining),
        'ratelimit-reset': String(resetS),
      })
      if (times.length >= limit) throw new RateLimited({ ...quota(0), 'retry-after': String(resetS) })
      times.push(time)
      setHeaders(reply, quota(limit - times.length))
    })
  },
  { name: 'rate-limit', fastify: '5.x' },
)

function setHeaders(reply: FastifyReply, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) reply.header(name, value)
}
