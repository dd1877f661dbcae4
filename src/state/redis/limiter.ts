import type { Limit, Limiter, Quota } from '../limiter.ts'
import { admit, forgetAdmitted } from './count-scripts.ts'
import type { LoadContext } from './session-context.ts'

interface Count {
  readonly limit: number
  readonly left: number
  readonly resetSeconds: number
}

/** A limiter that gateways share. What had been admitted before is not given, since that is on the server. */
export function createSharedLimiter({ ask, keys, gateway, seen }: LoadContext): Limiter {
  const lists = `${keys.prefix}lk`
  return {
    async admit(limits, now) {
      if (limits.length === 0) throw new RangeError('There is no limit to admit by')
      const scriptKeys = [keys.session, lists, ...limits.map(({ key }) => `${keys.prefix}l:${key}`)]
      const args = limits.flatMap(({ limit, windowMs, isFixed }) => [
        Math.ceil(limit),
        windowMs,
        isFixed === true ? 1 : 0,
      ])
      const reply = (await ask.run(admit, scriptKeys, [gateway, now, ...args])) as readonly unknown[]
      seen(Number(reply.at(-2)), Number(reply.at(-1)))
      return quotaOf(limits, reply)
    },
    async clear() {
      await ask.run(forgetAdmitted, [keys.session, lists], [])
    },
  }
}

// Of several limits, the one of which the least is left says what is.
function quotaOf(limits: readonly Limit[], [time, ...rest]: readonly unknown[]): Quota {
  const now = Number(time)
  let tightest: Count | undefined
  for (const [index, { limit, windowMs }] of limits.entries()) {
    const [admitted, first] = rest[index] as readonly [number, string]
    const most = Math.ceil(limit)
    // Whole milliseconds first: the clock's fractions would make of one second two.
    const leftMs = Math.round(Number(first) + windowMs - now)
    const resetSeconds = Math.max(1, Math.ceil(leftMs / 1000))
    const count: Count = { limit: most, left: most - admitted, resetSeconds }
    const isTighter =
      tightest === undefined ||
      count.left < tightest.left ||
      (count.left === tightest.left && count.resetSeconds > tightest.resetSeconds)
    if (isTighter) tightest = count
  }
  const { limit, left, resetSeconds } = tightest as Count
  const isAdmitted = left > 0
  return { isAdmitted, remaining: isAdmitted ? left - 1 : 0, limit, resetSeconds, before: [] }
}
