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

/** What answers to writes say of the state after them. */
interface StateAfter {
  readonly etag: PolicyOptions['etag']
  /** Whether they are the list that the item is in, and whether their path is the item's. */
  readonly lists: boolean
  readonly isItem: boolean
}

/**
 * Has answers to what writes an item say how things are then: with the ETag that a GET of it gets where they have no body
 * (RFC 9110, section 9.3.4), or with what a GET of its collection gets.
 */
export function withStateAfter(
  { etag, lists, isItem }: StateAfter,
  engine: AppEngine,
  session: Session,
  handle: Handler,
): Handler {
  if (etag?.written !== true && !lists) return handle
  const stated = (exchange: Exchange, store: Store): Awaitable<HttpResponse> => {
    const { scheme, host, path } = exchange
    const state = { store, seed: session.seed }
    exchange.store = store
    return after(handle(exchange), (response) => {
      if (response === HANDLED || response.status >= 300 || (response.body !== undefined && !lists))
        return response
      if (lists) {
        const above = { scheme, host, path: isItem ? path.slice(0, path.lastIndexOf('/')) : path }
        const { headers = [], body } = answerNow(engine, above, state)?.response ?? {}
        return body === undefined
          ? response
          : { ...response, headers: [...response.headers, ...headers], body }
      }
      const at = response.headers.findIndex((name, index) => index % 2 === 0 && name === 'location')
      const { pathname } = new URL(at === -1 ? path : (response.headers[at + 1] ?? ''), 'http://none')
      const current = currentOf(engine, etag, { scheme, host, path: pathname }, state)
      const tag = current === 'absent' ? undefined : current?.tag
      return tag === undefined ? response : { ...response, headers: [...response.headers, 'etag', tag] }
    })
  }
  return (exchange) => {
    const { store } = exchange
    return store === undefined ? session.transact((own) => stated(exchange, own)) : stated(exchange, store)
  }
}

type Address = Pick<Exchange, 'scheme' | 'host' | 'path'>

function currentOf(
  engine: AppEngine,
  etag: PolicyOptions['etag'],
  address: Address,
  state: EngineState<Store>,
): Current {
  try {
    const { response, match } = answerNow(engine, address, state) ?? {}
    if (response === undefined || match === undefined) return undefined
    const { status, body } = response
    if (status >= 400) return status === 404 ? 'absent' : undefined
    return { tag: body === undefined ? undefined : etagOf(body, match.route.options.etag ?? etag ?? {}) }
  } catch (error) {
    if (SimError.is(error)) return error.statusCode === 404 ? 'absent' : undefined
    throw error
  }
}

// What a GET gets.
function answerNow(engine: AppEngine, { scheme, host, path }: Address, state: EngineState<Store>) {
  const request: HttpRequest = { method: 'GET', scheme, host, path, search: '', headers: {} }
  const match = engine.match(request)
  if (match === undefined) return undefined
  const input = engine.inputReader(match.route)(request, match.params)
  return { match, response: toResponse(engine.answer(match, request, input, state)) }
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
