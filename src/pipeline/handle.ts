import { METHODS } from 'node:http'
import { SimError } from '../errors.ts'
import { isJson } from '../http/headers.ts'
import type { Log } from '../http/log.ts'
import type { Transport } from '../http/transport.ts'
import { upgradeOf } from '../http/upgrade.ts'
import { HANDLED, type HttpResponse } from '../message.ts'
import { MAX_JOURNAL_BODY, RecordedRequest, type RecordedHeads } from '../state/journal-record.ts'
import { applySession } from '../state/session-key.ts'
import type { Sessions } from '../state/sessions.ts'
import { errorResponse } from './error-response.ts'
import { Exchange } from './exchange.ts'
import { runPlan, type Plans } from './plan.ts'
import type { Route } from './route.ts'

/** What handling a request needs of its gateway. */
export interface Services {
  readonly sessions: Sessions
  readonly plans: Plans
  /** The route of a request, always one: what is not found is a route too. Sets `mode`, `match` and `routeId`. */
  readonly routeFor: (exchange: Exchange) => Route
  /** Counts a request that ended. */
  readonly count: (ended: {
    readonly route: string | undefined
    readonly mode: string
    readonly status: number | undefined
    readonly durationMs: number
  }) => void
  readonly heads: RecordedHeads
  readonly log: Log
}

const ALLOW_ALL: HttpResponse = { status: 204, headers: ['allow', METHODS.join(', ')] }

/** A request from its head to its journal entry. */
export function handle(services: Services, transport: Transport): void {
  let exchange: Exchange | undefined
  let route: Route | undefined
  try {
    exchange = new Exchange(transport)
    if (exchange.url === '*') return void transport.send(ALLOW_ALL, [])
    refuseOtherProtocols(transport)
    exchange.session = services.sessions.of(applySession(exchange))
    route = services.routeFor(exchange)
    exchange.routeId = route.id
    exchange.key = route.countKey === undefined ? (route.id ?? '') : route.countKey(exchange)
    if (route.source !== 'control') {
      exchange.id = exchange.session.journal.nextId()
      exchange.moment = exchange.session.clock.now()
    }
    const response = runPlan(services.plans.of(exchange.session, route), exchange)
    if (response instanceof Promise) finishLater(services, exchange, route, response)
    else finish(services, exchange, route, response)
  } catch (error) {
    fail(services, transport, exchange, route, error as Error)
  }
}

function finish(services: Services, exchange: Exchange, route: Route, response: HttpResponse): void {
  const isDone = response !== HANDLED && send(exchange, response)
  if (route.source === 'control') return
  if (isDone) record(services, exchange, response.status)
  else exchange.transport.onClose(() => record(services, exchange, exchange.transport.sentStatus))
}

function finishLater(
  services: Services,
  exchange: Exchange,
  route: Route,
  response: Promise<HttpResponse>,
): void {
  const { transport } = exchange
  let isNoted = route.source === 'control'
  const note = (): void => {
    if (isNoted) return
    isNoted = true
    record(services, exchange, transport.sentStatus)
  }
  if (!isNoted) transport.onClose(note)
  response
    .then((given) => given !== HANDLED && send(exchange, given) && note())
    .catch((error: Error) => {
      if (respondWithError(services, exchange, route, error)) note()
    })
}

function send(exchange: Exchange, response: HttpResponse): boolean {
  if (exchange.source !== undefined && exchange.rewriteBody === undefined) keepBody(exchange, response)
  return exchange.transport.send(response, exchange.responseHeaders)
}

function keepBody(exchange: Exchange, { headers, body }: HttpResponse): void {
  if (exchange.source !== 'engine' && exchange.source !== 'adapter') return
  if (typeof body !== 'string' || body.length > MAX_JOURNAL_BODY) return
  if (isJson(headers)) exchange.responseBody = body
}

function fail(
  services: Services,
  transport: Transport,
  exchange: Exchange | undefined,
  route: Route | undefined,
  error: Error,
): void {
  // What is refused before its session is known is in nobody's journal.
  if (exchange === undefined || exchange.id === 0) {
    transport.fail(error, errorResponse(error, services.log), exchange?.responseHeaders ?? [])
    return
  }
  const isDone = respondWithError(services, exchange, route, error)
  if (isDone) record(services, exchange, transport.sentStatus)
  else transport.onClose(() => record(services, exchange, transport.sentStatus))
}

function respondWithError(
  { log }: Services,
  exchange: Exchange,
  route: Route | undefined,
  error: Error,
): boolean {
  const own = SimError.is(error) ? route?.formatError?.(error, exchange) : undefined
  const response = own ?? errorResponse(error, log)
  exchange.rewriteBody = undefined
  keepBody(exchange, response)
  return exchange.transport.fail(error, response, exchange.responseHeaders)
}

// Node's parser drops what comes in the same packet after an upgrade that is left aside, so it must be sent again.
function refuseOtherProtocols({ headers, node }: Transport): void {
  if (headers['upgrade'] !== undefined && node !== undefined && upgradeOf(node.request) === undefined)
    node.response.shouldKeepAlive = false
}

/** Writes a request into its session's journal and the metrics. */
function record({ count, heads }: Services, exchange: Exchange, status: number | undefined): void {
  const { session, mode, routeId, key, ordinal, chaos, id, started } = exchange
  const durationMs = Math.round((performance.now() - started) * 1000) / 1000
  count({ route: routeId, mode, status, durationMs })
  const recorded = new RecordedRequest({
    id,
    sessionKey: session.key,
    redactor: session.redactor,
    moment: exchange.moment,
    durationMs,
    status,
    method: exchange.method,
    head: heads.of(exchange, exchange.transport.rawHeaders),
    mode,
    routeId,
    key,
    ordinal,
    chaos,
    requestBody: bodyOf(exchange),
    responseBody: exchange.rewriteBody ?? exchange.responseBody,
  })
  session.journal.add(recorded, recorded.bytes)
}

// Bodies of declared routes alone are read here.
function bodyOf({ routeId, body, headers }: Exchange): unknown {
  if (routeId === undefined || body === undefined) return undefined
  // A body that came in chunks says no length, and may be long all the same.
  const length = Number(headers['content-length'] ?? JSON.stringify(body)?.length ?? 0)
  return length > MAX_JOURNAL_BODY ? undefined : body
}
