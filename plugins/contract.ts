import type { IncomingMessage } from 'node:http'
import { rewindableBody } from '../src/http/read-body.ts'
import { HANDLED, type HttpResponse } from '../src/message.ts'
import type { ContractCheck } from '../src/pipeline/contract.ts'
import type { Exchange } from '../src/pipeline/exchange.ts'
import type { Plugin } from '../src/pipeline/route.ts'
import { hasBody } from '../src/upstream/sent-request.ts'

/** Modes that read a request's body before they answer. */
const READING = /^(replay|spy|new-episodes)$/

/**
 * Checks requests, and answers that are given as values, against the description of their operation. What is forwarded
 * or replayed is looked at as it passes, by the check that the exchange has from here on.
 */
export const contract: Plugin = {
  name: 'contract',
  plan({ source, policies: { contract } }) {
    if (contract === undefined || source === 'adapter') return undefined
    const isDeclared = source === 'declared'
    return {
      before(exchange) {
        // Browsers ask with OPTIONS before they ask for something else, and any server answers.
        if (exchange.method === 'OPTIONS' && exchange.match === undefined) return undefined
        const check = contract.begin(exchange, hasBody(exchange.transport.body() as IncomingMessage))
        if (check === undefined) return undefined
        exchange.check = check
        const readsFirst = check.isEnforced || isDeclared || READING.test(exchange.mode)
        if (!readsFirst || !check.wantsRequestBody || isRefused(check)) return settle(exchange, check)
        return readBody(exchange, check).then(() => settle(exchange, check))
      },
      ...(isDeclared && { last: checkAnswer }),
    }
  },
}

function isRefused({ isEnforced, notes }: ContractCheck): boolean {
  return isEnforced && notes.violations.length > 0
}

async function readBody(exchange: Exchange, check: ContractCheck): Promise<void> {
  const request = exchange.transport.body()
  // A parent such as Express may have read the body already.
  if (request.readableEnded) {
    const { body } = request as { readonly body?: unknown }
    return check.requestBody(Buffer.from(body === undefined ? '' : JSON.stringify(body)))
  }
  exchange.received ??= rewindableBody(request)
  return check.requestBody(await exchange.received.read(check.bodyLimit))
}

/** @throws Error where the request is not to pass */
function settle(exchange: Exchange, check: ContractCheck): undefined {
  exchange.showViolations()
  if (!isRefused(check)) return undefined
  // What is still to come of its body would stand in the next request's way.
  if (!exchange.transport.body().complete) exchange.addHeaders('connection', 'close')
  throw check.refusal()
}

function checkAnswer(exchange: Exchange, response: HttpResponse): HttpResponse | Promise<HttpResponse> {
  const { check } = exchange
  // What the gateway answers itself, such as an error on purpose, is none of the API's answers.
  if (check === undefined || response === HANDLED || exchange.source !== 'engine') return response
  const before = check.notes.violations.length
  const finish = (): HttpResponse => {
    const found = check.notes.violations
    if (found.length === before) return response
    if (check.isEnforced) throw check.answerRefusal()
    exchange.showViolations()
    return response
  }
  const { status, headers, body } = response
  if (!check.answer(status, headers)) return finish()
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : (body ?? Buffer.alloc(0))
  const looked = check.answerBody(bytes)
  return looked instanceof Promise ? looked.then(finish) : finish()
}
