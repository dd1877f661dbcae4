import type { Plugin } from '../src/pipeline/plugin.ts'
import { entryOf } from '../src/state/chaos-log.ts'
import { decide } from './chaos/decide.ts'

/**
 * Counts a request that was admitted and whose input fits, and decides by the session's rules what happens to it. One
 * draw for latency, errors and faults together, so that each comes as often as its own rate says.
 */
export const count: Plugin = {
  name: 'count',
  plan(_route, session) {
    const { requestCounts, chaos } = session
    if (chaos.rules.length === 0)
      return (exchange) => {
        exchange.ordinal = requestCounts.next(exchange.key)
      }
    return (exchange) => {
      const ordinal = requestCounts.next(exchange.key)
      const decision = decide(exchange, session, ordinal)
      exchange.ordinal = ordinal
      exchange.chaos = decision
      const entry = decision && entryOf(exchange.key, ordinal, decision)
      if (entry !== undefined) chaos.log.add(entry)
    }
  },
}
