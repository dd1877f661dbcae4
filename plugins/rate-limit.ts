import { createHash } from 'node:crypto'
import { RateLimited } from '../src/errors.ts'
import type { Exchange } from '../src/pipeline/exchange.ts'
import { number, whole } from '../src/pipeline/option.ts'
import type { Plugin } from '../src/pipeline/route.ts'
import { after, type Awaitable } from '../src/message.ts'
import type { Limit, Quota } from '../src/state/limiter.ts'
import type { Session } from '../src/state/session.ts'
import { limitOf } from './count.ts'

const WINDOW_MS = 1000

/**
 * Admits so many requests in any second for each route, and by the session's rules, and refuses others with 429.
 * Refused requests are not counted. Every response states the quota (draft-ietf-httpapi-ratelimit-headers), of several
 * limits that of which the least is left.
 */
export const rateLimit: Plugin = {
  name: 'rate-limit',
  options: {
    rateLimit: {
      ...number(0, Infinity, 'a number of requests per second, 0 or more'),
      describe: 'The most requests admitted in any one second; 0 for no limit.',
      group: 'Chaos',
      flag: {
        name: 'rate-limit',
        isCommon: true,
        describe: 'Most requests admitted a second, for each route',
        form: whole(),
      },
    },
  },
  plan({ policies, countKey }, session) {
    const { limiter, clock, chaos } = session
    const limit = policies.rateLimit ?? 0
    const hasRules = chaos.rules.some(({ rule }) => rule.rateLimit !== undefined)
    if (limit <= 0 && !hasRules) return undefined
    let own: readonly Limit[] = []
    const admit = (exchange: Exchange, limits: readonly Limit[]): Awaitable<void> =>
      limits.length === 0
        ? undefined
        : after(limiter.admit(limits, clock.now()), (quota) => note(exchange, quota))
    return (exchange) => {
      if (limit > 0 && (own.length === 0 || countKey !== undefined))
        own = [{ limit, key: exchange.key, windowMs: WINDOW_MS }]
      if (!hasRules) return admit(exchange, own)
      const limits = own
      return after(ruledLimit(exchange, session), (ruled) =>
        admit(exchange, ruled === undefined ? limits : [...limits, ruled]),
      )
    }
  },
}

function note(exchange: Exchange, quota: Quota): void {
  exchange.admitted = quota.before
  const reset = String(quota.resetSeconds)
  if (!quota.isAdmitted)
    throw new RateLimited({
      'ratelimit-limit': String(quota.limit),
      'ratelimit-remaining': '0',
      'ratelimit-reset': reset,
      'retry-after': reset,
    })
  exchange.addHeaders(
    'ratelimit-limit',
    String(quota.limit),
    'ratelimit-remaining',
    String(quota.remaining),
    'ratelimit-reset',
    reset,
  )
  if (quota.remaining === 0) exchange.advice = exchange.responseHeaders
}

function ruledLimit(exchange: Exchange, session: Session): Awaitable<Limit | undefined> {
  return after(limitOf(exchange, session), (found) => {
    if (found === undefined) return undefined
    const { rule, requests, perSeconds = 1, by = 'route' } = found
    return { limit: requests, windowMs: perSeconds * 1000, key: `${rule}\n${by}\n${SHARERS[by](exchange)}` }
  })
}

/** Who shares a limit. Of a token only its digest is kept. */
const SHARERS = {
  route: ({ key }: Exchange) => key,
  client: ({ transport }: Exchange) => transport.remoteAddress ?? '',
  token: ({ headers }: Exchange) =>
    createHash('sha256')
      .update(String(headers['authorization'] ?? ''))
      .digest('base64'),
}
