import { METHODS } from 'node:http'
import { isJson } from '../http/headers.ts'
import type { Log } from '../http/log.ts'
import { asTooManyOpenFiles, warnOfOpenFiles } from '../http/open-files.ts'
import { type MemoryRequest, type MemoryResponse, MemoryTransport } from '../http/memory-transport.ts'
import type { Transport } from '../http/transport.ts'
import { HANDLED, type Awaitable, type HttpResponse, jsonResponse, utf8Bytes } from '../message.ts'
import { MAX_JOURNAL_BODY } from '../state/journal-entry.ts'
import { RecordedRequest, type RecordedHeads } from '../state/journal-record.ts'
import type { Session } from '../state/session.ts'
import { Exchange } from './exchange.ts'
import { runPlan, type Plans } from './plan.ts'
import { givenId, type RequestIds } from './request-ids.ts'
import type { RequestLog } from './request-line.ts'
import type { Route } from './route.ts'
import type { Watch } from './watch.ts'
import { asTooDeep } from '../engine/schema/too-deep.ts'
import { SimError, TooManyOpenFiles } from '../errors.ts'

/** What handling a request needs of its gateway. */
export interface Services {
  /** The session of a request. @throws SessionKeyInvalid */
  readonly sessionOf: (exchange: Exchange) => Awaitable<Session>
  readonly plans: Plans
  /** The route of a request, always one: what is not found is a route too. Sets `mode`, `match` and `routeId`. */
  readonly routeFor: (exchange: Exchange) => Awaitable<Route>
  /** Counts a request that ended. */
  readonly count: (
    ended: {
      readonly route: string | undefined
      readonly mode: string
      readonly status: number | undefined
      readonly durationMs: number
    },
    code?: string,
  ) => void
  readonly heads: RecordedHeads
  /** Absent where nobody can look. */
  readonly watch?: Watch | undefined
  readonly log: Log
  /** Says of each request that it ended; absent where nobody wants to know. */
  readonly requestLog?: RequestLog | undefined
  /** Names requests in errors; absent where they have no names. */
  readonly requestIds?: RequestIds | undefined
}

const ALLOW_ALL: HttpResponse = { status: 204, headers: ['allow', METHODS.join(', ')] }

/** A request from its head to its journal entry. */
export function handle(services: Services, transport: Transport): void {
  let exchange: Exchange | undefined
  let route: Route | undefined
  try {
    exchange = new Exchange(transport)
    if (exchange.url === '*') return void transport.send(ALLOW_ALL, [])
    const session = services.sessionOf(exchange)
    if (session instanceof Promise)
      return followLater(services, exchange, enterLater(services, exchange, session))
    exchange.session = session
    const found = services.routeFor(exchange)
    if (found instanceof Promise) return followLater(services, exchange, found)
    route = found
    follow(services, exchange, route)
  } catch (error) {
    fail(services, transport, exchange, route, error as Error)
  }
}

/** Handles a request that has no connection. */
export function handleInProcess(services: Services, request: MemoryRequest): Promise<MemoryResponse> {
  const transport = new MemoryTransport(request)
  handle(services, transport)
  return transport.response
}

async function enterLater(services: Services, exchange: Exchange, session: Promise<Session>): Promise<Route> {
  exchange.session = await session
  return services.routeFor(exchange)
}

// The body is read first where that decides on the route, and what a session shares with others is loaded.
function followLater(services: Services, exchange: Exchange, found: Promise<Route>): void {
  let route: Route | undefined
  found
    .then((given) => follow(services, exchange, (route = given)))
    .catch((error: Error) => {
      if (route === undefined && (exchange.session as Session | undefined) !== undefined) begin(exchange)
      fail(services, exchange.transport, exchange, route, error)
    })
}

function begin(exchange: Exchange): void {
  exchange.id = exchange.session.journal.nextId()
  exchange.moment = exchange.session.clock.now()
  exchange.version = exchange.session.version
}

function follow(services: Services, exchange: Exchange, route: Route): void {
  exchange.routeId = route.id
  exchange.key = route.countKey === undefined ? (route.id ?? '') : route.countKey(exchange)
  if (route.source !== 'control') {
    begin(exchange)
    if (services.watch?.isOn === true) services.watch.begin(exchange)
  }
  const plan = services.plans.of(exchange.session, route)
  const response = runPlan(
    exchange.headers['origin'] === undefined ? plan : (plan.forPages ?? plan),
    exchange,
  )
  if (response instanceof Promise) void finishLater(services, exchange, route, response)
  else if (response === HANDLED) recordOnClose(services, exchange)
  else if (send(exchange, response)) record(services, exchange, response.status)
  else recordOnClose(services, exchange)
}

function recordOnClose(services: Services, exchange: Exchange): void {
  exchange.transport.onClose(() => record(services, exchange, exchange.transport.sentStatus))
}

async function finishLater(
  services: Services,
  exchange: Exchange,
  route: Route,
  response: Promise<HttpResponse>,
): Promise<void> {
  let isRecorded = false
  const end = (): void => {
    if (isRecorded) return
    isRecorded = true
    record(services, exchange, exchange.transport.sentStatus)
  }
  if (exchange.id > 0) exchange.transport.onClose(end)
  try {
    const given = await response
    if (given !== HANDLED && send(exchange, given)) end()
  } catch (error) {
    if (respondWithError(services, exchange, route, error as Error)) end()
  }
}

/** @param error what the response came of, where something went wrong; hooks of users may see it */
function send(exchange: Exchange, response: HttpResponse, error?: Error): boolean {
  const { source, rewriteBody, transport, responseHeaders } = exchange
  const { status, headers, body } = response
  exchange.answeredAt = exchange.session.clock.last
  exchange.responseLength = body?.length ?? 0
  if (status >= 400) exchange.advice = headers
  if (rewriteBody === undefined && body !== undefined && body.length <= MAX_JOURNAL_BODY) {
    const isSimulated = source === 'engine' || source === 'adapter' || source === 'fault'
    if (isSimulated && typeof body === 'string' && isJson(headers)) exchange.responseBody = body
    else if (isSimulated || source === undefined) exchange.responseBytes = body
  }
  return error === undefined
    ? transport.send(response, responseHeaders)
    : transport.fail(error, response, responseHeaders)
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
    const response = errorResponse(error, services.log)
    transport.fail(error, response, exchange?.responseHeaders ?? [])
    const { method, node } = transport
    const path = exchange?.url ?? node?.request.url ?? ''
    const code = SimError.is(error) ? error.code : undefined
    services.requestLog?.noteAside({ method, path, status: response.status, by: 'gateway', error: code })
    return
  }
  if (respondWithError(services, exchange, route, error)) record(services, exchange, transport.sentStatus)
  else recordOnClose(services, exchange)
}

function respondWithError(
  { log, requestIds }: Services,
  exchange: Exchange,
  route: Route | undefined,
  given: Error,
): boolean {
  const error = asTooManyOpenFiles(given) ?? given
  const response = formatted(error, exchange, route, log, requestIds?.of(exchange))
  if (SimError.is(error)) exchange.errorCode = error.code
  exchange.rewriteBody = undefined
  exchange.responseBody = undefined
  // Errors of the gateway's own have no bytes that a seed promises.
  if (requestIds !== undefined && (response.status >= 500 || givenId(exchange.headers) !== undefined))
    exchange.addHeaders('x-request-id', requestIds.of(exchange))
  try {
    return send(exchange, response, error)
  } catch (failed) {
    log.error(failed as Error)
    exchange.transport.abort('close')
    return false
  }
}

// What formats errors may fail as well.
function formatted(
  error: Error,
  exchange: Exchange,
  route: Route | undefined,
  log: Log,
  requestId: string | undefined,
): HttpResponse {
  try {
    return route?.formatError?.(error, exchange) ?? errorResponse(error, log, requestId)
  } catch (failed) {
    return errorResponse(failed as Error, log, requestId)
  }
}

/** Writes a request into its session's journal and the metrics; what the control plane answers is in neither. */
function record(services: Services, exchange: Exchange, status: number | undefined): void {
  const { count, heads, requestLog } = services
  if (exchange.id === 0 && requestLog === undefined) return
  const durationMs = Math.round((performance.now() - exchange.started) * 1000) / 1000
  requestLog?.note(exchange, exchange.endStatus ?? status, durationMs)
  if (exchange.id === 0) return
  const head = heads.of(exchange, exchange.transport.rawHeaders)
  const ended = exchange.endStatus ?? status
  const { rules = [] } = exchange.version ?? {}
  const isTroubled = rules.length > 0 || ended === undefined || ended >= 400
  const connection = isTroubled ? connectionOf(exchange, heads) : undefined
  const { journal } = exchange.session
  const unused = journal.unused?.()
  const recorded = unused instanceof RecordedRequest ? unused : new RecordedRequest()
  recorded.fill(exchange, head, durationMs, ended, connection)
  count(recorded, exchange.errorCode)
  journal.add(recorded, recorded.bytes)
}

// A connection of HTTP/2 has many requests at once, and says nothing of its client; one that has gone is null.
function connectionOf({ transport: { node } }: Exchange, heads: RecordedHeads): number | undefined {
  if (node === undefined || 'stream' in node.request) return undefined
  const socket = node.request.socket as typeof node.request.socket | null
  return socket === null ? undefined : heads.connection(socket)
}

/**
 * The one place where errors become HTTP: named ones as they say, those of Fastify with their status, others as a 500
 * that says nothing to the client.
 * @param requestId what the request is called in the log
 */
export function errorResponse(thrown: Error, log: Log, requestId?: string): HttpResponse {
  const error = asTooDeep(thrown)
  const fields = requestId === undefined ? undefined : { requestId }
  if (SimError.is(error)) {
    if (error instanceof TooManyOpenFiles) warnOfOpenFiles(log, error)
    else if (error.statusCode >= 500) {
      const text = `${error.message} (${error.code})`
      if (fields === undefined) log.warn(text)
      else log.warn(fields, text)
    }
    return json(error.statusCode, error.body, Object.entries(error.headers).flat())
  }
  const { statusCode } = error as { readonly statusCode?: number }
  if (statusCode !== undefined && statusCode < 500)
    return json(statusCode, { detail: error.message, error: error.name })
  if (fields === undefined) log.error(error)
  else log.error({ ...fields, err: error }, error.message)
  return json(500, { detail: 'The gateway failed; its log says why', error: 'InternalError' })
}

function json(status: number, body: unknown, headers: readonly string[] = []): HttpResponse {
  return jsonResponse(status, utf8Bytes(JSON.stringify(body)), headers)
}
