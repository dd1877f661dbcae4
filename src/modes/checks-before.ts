import type { EngineState } from '../engine/engine.ts'
import { etagOf } from '../engine/etag.ts'
import type { PolicyOptions } from '../engine/route-options.ts'
import { PreconditionFailed, SimError } from '../errors.ts'
import { evaluate } from '../http/conditions.ts'
import { after, type HttpRequest } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Handler } from '../pipeline/route.ts'
import type { AppEngine } from '../simulation/engine.ts'
import type { Session } from '../state/session.ts'
import type { Store } from '../state/store.ts'
import { toResponse } from './to-response.ts'

/** Handles a request whose `If-Match` names the state that a GET of its path would answer. @throws PreconditionFailed */
export function unlessChanged(
  etag: PolicyOptions['etag'],
  engine: AppEngine,
  session: Session,
  handle: Handler,
): Handler {
  if (etag?.match !== true) return handle
  const currentOf = ({ scheme, host, path }: Exchange, state: EngineState<Store>): string | undefined => {
    const request: HttpRequest = { method: 'GET', scheme, host, path, search: '', headers: {} }
    const match = engine.match(request)
    if (match === undefined) return undefined
    const input = engine.inputReader(match.route)(request, match.params)
    const { body } = toResponse(engine.answer(match, request, input, state))
    const tag = body === undefined ? undefined : etagOf(body, match.route.options.etag ?? etag)
    // Servers with weak ETags alone compare them as if they were strong.
    return tag?.replace(/^W\//, '')
  }
  return (exchange) => {
    const { method, headers } = exchange
    const wanted = headers['if-match']
    if (wanted === undefined) return handle(exchange)
    return session.transact((store) => {
      exchange.store = store
      const current = attempt(() => currentOf(exchange, { store, seed: session.seed }))
      const validators = { etag: current, lastModified: undefined }
      if (current !== undefined && evaluate(method, { 'if-match': String(wanted) }, validators) === 'failed')
        throw new PreconditionFailed()
      return handle(exchange)
    })
  }
}

/**
 * Throws what is wrong with the input before a request is handled; after what the request is about was found, if `isLater`.
 */
export function unlessRefused(
  isLater: boolean,
  engine: AppEngine,
  session: Session,
  handle: Handler,
): Handler {
  if (!isLater) return handle
  return (exchange) => {
    const { refusal, match } = exchange
    if (refusal === undefined) return handle(exchange)
    if (match === undefined) throw refusal
    const find = (store: Store): void => engine.findItem(match, exchange, { store, seed: session.seed })
    return after(session.transact(find), () => {
      throw refusal
    })
  }
}

/** What was made, or nothing where that failed: it is an error of the requests that need it. */
export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (SimError.is(error)) return undefined
    throw error
  }
}
