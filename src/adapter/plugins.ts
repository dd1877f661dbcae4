import { BodyTooLarge } from '../errors.ts'
import { forwardedHeaders } from '../http/headers.ts'
import { readBytes } from '../http/read-body.ts'
import { after, type Awaitable } from '../message.ts'
import type { MountPlace } from '../modes/adapter-mounts.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Plugin, Route } from '../pipeline/route.ts'
import { createTextGlob } from '../routing/glob.ts'
import { createRouter } from '../routing/router.ts'
import type { Limit } from '../state/limiter.ts'
import type { Authenticator, Credentials } from './auth.ts'
import { readJson } from './body.ts'
import type { AdapterConfig } from './config.ts'
import type { Control } from './control.ts'
import type { AdapterDefinition, FailedRequest, Operation, OperationContext } from './definition.ts'
import { AdapterFault, fail, failureOf, isElsewhere } from './failure.ts'
import type { IdSource } from './ids.ts'
import { type AdapterRequest, headerOf } from './request.ts'
import type { AdapterSession, AdapterSessions } from './session.ts'

/** What the routes of an adapter are made with. */
export interface AdapterParts<State, Fixture, Config extends AdapterConfig> {
  readonly definition: AdapterDefinition<State, Fixture, Config>
  readonly config: Config
  readonly ids: IdSource
  readonly authenticator: Authenticator
  readonly sessions: AdapterSessions<State>
  readonly control: Control
  readonly manifest: unknown
}

/** What is known of a request on its way through a route of an adapter. */
export interface Local<State, Config extends AdapterConfig> {
  /** Without the prefix of the mount. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  /** From its first step on. */
  arrival?: Arrival<State, Config>
}

/** What an adapter made of a request when it arrived. */
export interface Arrival<State, Config extends AdapterConfig> {
  readonly session: AdapterSession<State>
  /** The life of the session that it came in, where gateways share it. */
  readonly life: number
  readonly request: AdapterRequest & { body: Buffer }
  readonly failed: FailedRequest
  /** Once the credentials are known. */
  context?: OperationContext<State, Config>
}

/** The longest body that is read unless a definition says otherwise. */
export const DEFAULT_BODY_LIMIT = 16 * 1024 * 1024

export function localOf<State, Config extends AdapterConfig>({ local }: Exchange): Local<State, Config> {
  return local as Local<State, Config>
}

export function arrivalOf<State, Config extends AdapterConfig>(exchange: Exchange): Arrival<State, Config> {
  return localOf<State, Config>(exchange).arrival as Arrival<State, Config>
}

function contextOf<State, Config extends AdapterConfig>(exchange: Exchange): OperationContext<State, Config> {
  return arrivalOf<State, Config>(exchange).context as OperationContext<State, Config>
}

/** What an adapter's own code throws by accident is an error of the adapter, and not of the gateway. */
export function ours<Result>(
  act: (exchange: Exchange) => Awaitable<Result>,
): (exchange: Exchange) => Promise<Result> {
  return async (exchange) => {
    try {
      return await act(exchange)
    } catch (error) {
      const isMeant = AdapterFault.is(error) || failureOf(error) !== undefined
      if (isMeant || isElsewhere(error)) throw error
      return fail({ kind: 'internal', error })
    }
  }
}

/** Makes the steps of an operation; without one, those of requests that no operation takes. */
export function createPlugins<State, Fixture, Config extends AdapterConfig>(
  { definition, config, ids, authenticator, sessions }: AdapterParts<State, Fixture, Config>,
  place: MountPlace | undefined,
): (operation: Operation<State, Config> | undefined) => readonly Plugin[] {
  const isOpenPath = createOpenPaths(definition)

  const arrive = (exchange: Exchange, operation: Operation<State, Config> | undefined): void => {
    const { method, scheme, host, search, transport } = exchange
    const local = localOf<State, Config>(exchange)
    const { path } = local
    exchange.source = 'adapter'
    const request: Arrival<State, Config>['request'] = {
      method,
      url: search === '' ? path : `${path}?${search}`,
      headers:
        place === undefined
          ? exchange.headers
          : forwardedHeaders(exchange.headers, { scheme, host, prefix: exchange.prefix + place.prefix }),
      body: Buffer.alloc(0),
      remoteAddress: transport.remoteAddress,
      get signal() {
        return exchange.signal
      },
    }
    const session = sessions.ofHeaders(request.headers)
    const n = session.begin()
    const requestId = config.requestId?.(n, request) ?? ids.uuid('request', n)
    const failed = { method, path, requestId, operation, ids, clock: session.clock }
    local.arrival = { session, life: session.world?.life ?? 0, request, failed }
  }
  const authenticate = (exchange: Exchange, operation: Operation<State, Config>): void => {
    const { path, params } = localOf(exchange)
    const arrival = arrivalOf<State, Config>(exchange)
    const isOpen = isOpenPath(path)
    const authorization = headerOf(arrival.request.headers, 'authorization')
    const credentials = authenticator.authenticate(authorization, isOpen)
    const query = new URLSearchParams(exchange.search)
    const context = createContext(arrival, { operation, params, query, credentials, config, ids })
    arrival.context = context
    authenticator.check(context, isOpen ? [] : (operation.scopes ?? []))
    if (operation.handle === undefined) fail({ kind: 'unimplemented', operation: operation.id })
  }
  const admit = (
    exchange: Exchange,
    operation: Operation<State, Config>,
    limits: readonly Limit[],
  ): Awaitable<void> => {
    const { limiter, clock, noteAdmitted } = arrivalOf(exchange).session
    const context = contextOf<State, Config>(exchange)
    const resource = operation.resource?.(context)
    if (resource !== undefined) context.authorize(resource)
    if (limits.length === 0) return
    return after(limiter.admit(limits, clock.now()), ({ isAdmitted, resetSeconds, before }) => {
      noteAdmitted(before)
      if (!isAdmitted) fail({ kind: 'throttled', retryAfterSeconds: resetSeconds })
    })
  }
  const step = (name: string, before: string, act: (exchange: Exchange) => Awaitable<void>): Plugin => ({
    ...{ name: `adapter-${name}`, before },
    plan: () => ours(act),
  })

  return (operation) => {
    const arrival = step('arrival', 'auth', (exchange) => arrive(exchange, operation))
    if (operation === undefined) return [arrival]
    const limits = limitsOf(config, operation.id)
    const inject = async (exchange: Exchange, when: 'before' | 'after'): Promise<void> =>
      injectFault(arrivalOf(exchange).session, operation.id, when, exchange.signal)
    return [
      arrival,
      step('credentials', 'rate-limit', (exchange) => authenticate(exchange, operation)),
      step('admission', 'count', (exchange) => admit(exchange, operation, limits)),
      {
        name: 'adapter-faults',
        plan: () => ({
          before: ours((exchange) => inject(exchange, 'before')),
          after: async (exchange, response) => {
            await inject(exchange, 'after')
            return response
          },
        }),
      },
    ]
  }
}

/** Whether a path is answered without credentials. */
export function createOpenPaths({
  openPaths = [],
}: Pick<AdapterDefinition<unknown, unknown>, 'openPaths'>): (path: string) => boolean {
  const open = createRouter(
    openPaths.map((path) => ({ method: '*', path })),
    { strict: true },
  )
  return (path) => open.match({ method: '*', path }) !== undefined
}

export function createBodyReader({
  bodyLimit = DEFAULT_BODY_LIMIT,
}: Pick<AdapterDefinition<unknown, unknown>, 'bodyLimit'>): NonNullable<Route['readInput']> {
  return ours(async (exchange) => {
    const { transport } = exchange
    try {
      arrivalOf(exchange).request.body = await readBytes(exchange.bodyStream(), bodyLimit)
      return exchange.input
    } catch (error) {
      // What is still to come of a body given up midway would stand in the way of the next request.
      if (transport.node?.request.httpVersionMajor === 1) exchange.addHeaders('connection', 'close')
      if (error instanceof BodyTooLarge) fail({ kind: 'body-too-large', limit: bodyLimit })
      throw error
    }
  })
}

function limitsOf({ rateLimit = [] }: AdapterConfig, id: string): readonly Limit[] {
  return [rateLimit].flat().flatMap(({ requests: limit, windowSeconds, operation: glob }, index) => {
    if (glob !== undefined && !createTextGlob(glob)(id)) return []
    const key = `${index} ${glob === undefined ? '' : id}`
    return [{ key, limit, windowMs: windowSeconds * 1000, isFixed: true }]
  })
}

/** What a handler is given. */
export function createContext<State, Config extends AdapterConfig>(
  {
    session,
    request,
    failed: { requestId },
  }: Pick<Arrival<State, Config>, 'session' | 'request'> & {
    readonly failed: Pick<FailedRequest, 'requestId'>
  },
  known: Pick<OperationContext<State, Config>, 'operation' | 'params' | 'query' | 'config' | 'ids'> & {
    readonly credentials: Credentials
  },
): OperationContext<State, Config> {
  const { operation, credentials } = known
  let read: { readonly value: unknown } | undefined
  return {
    ...known,
    headers: request.headers,
    get bytes() {
      return request.body
    },
    body: () => (read ??= { value: readJson(request.body) }).value,
    // Read late: what waited may find another state than the one it came to.
    get state() {
      return session.state
    },
    authorize(resource) {
      if (!credentials.isGranted(resource)) fail({ kind: 'denied', operation: operation.id, resource })
    },
    clock: session.clock,
    pages: session.pagesOf(operation.id),
    requestId,
  }
}

/**
 * Applies the faults of a point to a request of an operation: it waits, then fails if it is to.
 * Rejects when nobody waits for the answer any more.
 */
async function injectFault(
  { faults, clock, turns }: AdapterSession<unknown>,
  operation: string,
  when: 'before' | 'after',
  signal: AbortSignal | undefined,
): Promise<void> {
  const { waitMs, failure } = faults.decide(operation, when)
  const wait = waitMs > 0 ? clock.sleep(waitMs, signal) : undefined
  await (when === 'before' ? inTurn(turns, operation, wait) : wait)
  if (failure !== undefined) fail(failure)
}

// Whatever each of them waits, requests of one operation reach their handler in the order they came.
async function inTurn(
  turns: Map<string, Promise<unknown>>,
  operation: string,
  wait: Promise<void> | undefined,
): Promise<void> {
  const last = turns.get(operation)
  if (last === undefined && wait === undefined) return
  const turn = Promise.allSettled([last, wait])
  turns.set(operation, turn)
  await turn
  if (turns.get(operation) === turn) turns.delete(operation)
  await wait
}
