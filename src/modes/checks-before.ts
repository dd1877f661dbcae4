import type { EngineState } from '../engine/engine.ts'
import { etagOf } from '../engine/etag.ts'
import type { PolicyOptions } from '../engine/route-options.ts'
import { PreconditionFailed, SimError } from '../errors.ts'
import { evaluate, type Conditions } from '../http/conditions.ts'
import { after, type Awaitable, HANDLED, isSafe, type HttpRequest, type HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Handler } from '../pipeline/route.ts'
import type { AppEngine } from '../simulation/engine.ts'
import type { Session } from '../state/session.ts'
import type { Store } from '../state/store.ts'
import { toResponse } from './to-response.ts'

/** What a GET of a path would answer: that nothing is there, or its ETag; `undefined` where that is not known. */
type Current = 'absent' | { readonly tag: string | undefined } | undefined

/**
 * Handles a request that changes something if what is there is as its `If-Match` and `If-None-Match` say (RFC 9110,
 * section 13.1). @throws PreconditionFailed
 */
export function unlessChanged(
  { etag, isPut }: { readonly etag: PolicyOptions['etag']; readonly isPut: boolean },
  engine: AppEngine,
  session: Session,
  handle: Handler,
): Handler {
  if (etag?.match !== true) return handle
  const isFailed = ({ method }: Exchange, current: Current, conditions: Conditions): boolean => {
    // What does not make an item says itself that there is none (RFC 9110, section 13.2.1).
    if (current === 'absent') return conditions['if-match'] !== undefined && isPut
    // Servers with weak ETags alone compare them as if they were strong.
    const validators = { etag: current?.tag?.replace(/^W\//, ''), lastModified: undefined }
    return current !== undefined && evaluate(method, conditions, validators) === 'failed'
  }
  return (exchange) => {
    const { 'if-match': match, 'if-none-match': noneMatch } = exchange.headers
    // Those of reads are compared with what they are answered.
    const isCompared = noneMatch !== undefined && !isSafe(exchange.method)
    if (match === undefined && !isCompared) return handle(exchange)
    const conditions: Conditions = {
      ...(match !== undefined && { 'if-match': String(match) }),
      ...(isCompared && { 'if-none-match': String(noneMatch) }),
    }
    return session.transact((store) => {
      exchange.store = store
      const current = currentOf(engine, etag, exchange, { store, seed: session.seed })
      if (isFailed(exchange, current, conditions)) throw new PreconditionFailed()
      return handle(exchange)
    })
  }
}

/** Has answers without a body to what writes an item name the ETag that a GET of the item gets then (RFC 9110, section 9.3.4). */
export function withWrittenTag(
  { etag }: Pick<PolicyOptions, 'etag'>,
  engine: AppEngine,
  session: Session,
  handle: Handler,
): Handler {
  if (etag?.written !== true) return handle
  const tagged = (exchange: Exchange, store: Store): Awaitable<HttpResponse> => {
    exchange.store = store
    return after(handle(exchange), (response) => {
      if (response === HANDLED || response.status >= 300 || response.body !== undefined) return response
      const at = response.headers.findIndex((name, index) => index % 2 === 0 && name === 'location')
      const { pathname } = new URL(
        at === -1 ? exchange.path : (response.headers[at + 1] ?? ''),
        'http://none',
      )
      const { scheme, host } = exchange
      const current = currentOf(engine, etag, { scheme, host, path: pathname }, { store, seed: session.seed })
      const tag = current === 'absent' ? undefined : current?.tag
      return tag === undefined ? response : { ...response, headers: [...response.headers, 'etag', tag] }
    })
  }
  return (exchange) => {
    const { store } = exchange
    return store === undefined ? session.transact((own) => tagged(exchange, own)) : tagged(exchange, store)
  }
}

function currentOf(
  engine: AppEngine,
  etag: NonNullable<PolicyOptions['etag']>,
  { scheme, host, path }: Pick<Exchange, 'scheme' | 'host' | 'path'>,
  state: EngineState<Store>,
): Current {
  const request: HttpRequest = { method: 'GET', scheme, host, path, search: '', headers: {} }
  const match = engine.match(request)
  if (match === undefined) return undefined
  try {
    const input = engine.inputReader(match.route)(request, match.params)
    const { status, body } = toResponse(engine.answer(match, request, input, state))
    if (status >= 400) return status === 404 ? 'absent' : undefined
    return { tag: body === undefined ? undefined : etagOf(body, match.route.options.etag ?? etag) }
  } catch (error) {
    if (SimError.is(error)) return error.statusCode === 404 ? 'absent' : undefined
    throw error
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
