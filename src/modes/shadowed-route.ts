import type { Input } from '../engine/input.ts'
import { SimError } from '../errors.ts'
import { rewindableBody } from '../http/read-body.ts'
import type { Awaitable, HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Route } from '../pipeline/route.ts'
import { hasBody } from '../upstream/sent-request.ts'
import { MAX_SHADOW_BYTES, type Shadow } from './shadow.ts'

/** A route whose answers, those of its handler, are compared with what an upstream answers to the same requests. */
export function shadowedRoute(route: Route, shadow: Shadow): Route {
  const bodies = new WeakMap<Exchange, Buffer | undefined>()
  const isSent = ({ method, transport }: Exchange): boolean =>
    transport.node !== undefined && shadow.takes(method)
  const note = (exchange: Exchange, answer: HttpResponse): void => {
    const { node } = exchange
    const isWhole = bodies.has(exchange) || !hasBody(node.request)
    if (isWhole) shadow.note(exchange, answer, bodies.get(exchange))
  }
  const refused = (exchange: Exchange, error: unknown): never => {
    if (SimError.is(error)) {
      const formatted = route.formatError?.(error, exchange)
      note(exchange, formatted ?? { status: error.statusCode, headers: [] })
    }
    throw error
  }
  const keepBody = async (exchange: Exchange): Promise<Input> => {
    exchange.received ??= rewindableBody(exchange.transport.body())
    const bytes = await exchange.received.read(MAX_SHADOW_BYTES)
    // A longer one is not sent.
    if (bytes !== undefined) bodies.set(exchange, bytes)
    return route.readInput?.(exchange) ?? {}
  }
  return {
    ...route,
    readInput(exchange) {
      if (isSent(exchange) && hasBody(exchange.node.request)) return keepBody(exchange)
      return route.readInput?.(exchange) ?? {}
    },
    handlerFor(session) {
      const handle = route.handlerFor(session)
      return (exchange) => {
        if (!isSent(exchange)) return handle(exchange)
        let answer: Awaitable<HttpResponse>
        try {
          answer = handle(exchange)
        } catch (error) {
          return refused(exchange, error)
        }
        if (!(answer instanceof Promise)) {
          note(exchange, answer)
          return answer
        }
        return answer.then(
          (given) => {
            note(exchange, given)
            return given
          },
          (error: unknown) => refused(exchange, error),
        )
      }
    },
  }
}
