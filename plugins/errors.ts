import { chaosDraws } from '../src/engine/random.ts'
import { jsonResponse, utf8Bytes, type HttpResponse } from '../src/message.ts'
import type { Exchange } from '../src/pipeline/exchange.ts'
import type { Plugin } from '../src/pipeline/route.ts'
import type { ChaosLog } from '../src/state/chaos.ts'

const DEFAULT_CODES: readonly number[] = [404, 500]
const DEFAULT_DETAIL = 'Simulated error'

/** How a request fails. */
interface Failure {
  readonly status: number
  readonly detail?: unknown
  /** The whole body, in place of one with a `detail`. */
  readonly body?: unknown
}

/** Fails requests on purpose: mapped errors first, then the scenario's step, then the session's rules and the error rate. */
export const errors: Plugin = {
  name: 'errors',
  plan({ policies }, { scenarios, chaos, seed }) {
    const { errors: cases = [], scenario = [], errorRate = 0, errorCodes = [] } = policies
    const codes = errorCodes.length === 0 ? DEFAULT_CODES : errorCodes
    const isRuled = chaos.rules.some(({ rule }) => rule.errors !== undefined)
    if (cases.length === 0 && scenario.length === 0 && errorRate <= 0 && !isRuled) return undefined

    return (exchange) => {
      const { input, key } = exchange
      for (const each of cases)
        if (each.when(input)) return fail(exchange, chaos.log, 'mapped error', each, 'Invalid request')
      if (scenario.length > 0) {
        const step = scenario[Math.min(scenario.length - 1, scenarios.next(key))]
        if (step !== undefined && step.status !== 200) return fail(exchange, chaos.log, 'scenario', step)
      }
      const status = exchange.chaos?.status
      if (status !== undefined) return responseOf({ status })
      if (errorRate <= 0) return undefined
      const draw = chaosDraws(seed, 'errors', key, exchange.ordinal)
      if (draw() >= errorRate) return undefined
      const code = codes[Math.floor(draw() * codes.length)] ?? 500
      return fail(exchange, chaos.log, 'error rate', { status: code })
    }
  },
}

function fail(
  { key, ordinal }: Exchange,
  log: ChaosLog,
  rule: string,
  failure: Failure,
  detail?: string,
): HttpResponse {
  log.add({ route: key, ordinal, rule, status: failure.status })
  return responseOf(failure, detail)
}

function responseOf({ status, detail, body }: Failure, defaultDetail: string = DEFAULT_DETAIL): HttpResponse {
  const value = body === undefined ? { detail: detail ?? defaultDetail } : body
  return jsonResponse(status, utf8Bytes(JSON.stringify(value)))
}
