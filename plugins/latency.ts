import { chaosDraws } from '../src/engine/random.ts'
import { HANDLED } from '../src/message.ts'
import { number } from '../src/pipeline/option.ts'
import type { Plugin } from '../src/pipeline/route.ts'
import { spreadBody } from './pace-body.ts'

const MILLISECONDS = number(0, Infinity, 'a number of milliseconds, 0 or more')

/** Holds every request for `latencyMs`, give or take `jitterMs`, and as long as the session's rules say besides. */
export const latency: Plugin = {
  name: 'latency',
  options: {
    latencyMs: {
      ...MILLISECONDS,
      describe: 'Hold every request this long.',
      group: 'Chaos',
      flag: { name: 'latency-ms', isCommon: true },
    },
    jitterMs: {
      ...MILLISECONDS,
      describe: 'The latency varies by up to this much, both ways.',
      group: 'Chaos',
      flag: { name: 'jitter-ms', describe: 'Vary the latency by up to this much' },
    },
  },
  plan({ policies }, { clock, chaos, seed }) {
    const { latencyMs = 0, jitterMs = 0 } = policies
    const hasRules = [...chaos.rules.map(({ rule }) => rule), policies.chaos].some(
      (rule) => rule?.latency !== undefined || rule?.errors?.latency !== undefined,
    )
    if (latencyMs + jitterMs <= 0 && !hasRules) return undefined
    return (exchange) => {
      const { latencyMs: wholeMs = 0, bodyMs = 0 } = exchange.chaos ?? {}
      if (bodyMs > 0) spreadBody(exchange.transport, clock, bodyMs)
      const ruledMs = wholeMs - bodyMs
      if (latencyMs + ruledMs + jitterMs <= 0) return undefined
      const draw = jitterMs === 0 ? 0.5 : chaosDraws(seed, 'latency', exchange.key, exchange.ordinal)()
      const ms = Math.max(0, latencyMs + ruledMs + (draw * 2 - 1) * jitterMs)
      return clock.sleep(ms, exchange.signal).then(goOn, (error: unknown) => {
        // Nobody is there to read a response.
        if (exchange.signal.aborted) return HANDLED
        throw error
      })
    }
  },
}

function goOn(): undefined {
  return undefined
}
