import { BodyTooLarge, OptionInvalid } from '../errors.ts'
import { forwardedHeaders } from '../http/forwarded-headers.ts'
import { readBytes } from '../http/read-body.ts'
import type { Awaitable, HttpResponse } from '../message.ts'
import type { MountPlace } from '../modes/adapter-mounts.ts'
import { pathKey, type Exchange } from '../pipeline/exchange.ts'
import type { Plugin, Route } from '../pipeline/route.ts'
import { createTextGlob } from '../routing/glob.ts'
import { createRouter, type Routable } from '../routing/router.ts'
import type { Limit } from '../state/limiter.ts'
import type { Authenticator, Credentials } from './auth.ts'
import { readJson } from './body.ts'
import type { AdapterConfig } from './config.ts'
import type { Control } from './control.ts'
import type { AdapterDefinition, FailedRequest, Operation, OperationContext } from './definition.ts'
import { AdapterFault, fail, failureOf } from './failure.ts'
import { injectFault } from './faults.ts'
import type { IdSource } from './ids.ts'
import { type AdapterRequest, headerOf, isReply, toResponse } from './request.ts'
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
interface Local<State, Config extends AdapterConfig> {
  /** Without the prefix of the mount. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  /** From its first step on. */
  arrival?: Arrival<State, Config>
}

interface Arrival<State, Config extends AdapterConfig> {
  readonly session: AdapterSession<State>
  readonly request: AdapterRequest & { body: Buffer }
  readonly failed: FailedRequest
  /** Once the credentials are known. */
  context?: OperationContext<State, Config>
}

/** The longest body that is read unless a definition says otherwise. */
export const DEFAULT_BODY_LIMIT = 16 * 1024 * 1024

/**
 * The routes of an adapter, at a place of a gateway or alone: what it returns finds that of a request. HEAD is answered
 * as GET is. What is not implemented is only known in strict mode.
 * @throws OptionInvalid when two operations answer the same, or a path cannot be
 */
export function routesOf<State, Fixture, Config extends AdapterConfig>(
  parts: AdapterParts<State, Fixture, Config>,
  place?: MountPlace,
): (exchange: Exchange) => Route {
  const { definition, config, control, manifest } = parts
  const { host = '', prefix = '', policies = {} } = place ?? {}
  const known = definition.operations.filter(({ handle }) => config.strict === true || handle !== undefined)
  checkPaths(known)
  const methods = new Set<string>(known.map(({ method }) => method))
  const common = {
    id: undefined,
    source: 'adapter',
    policies: { ...policies, ...(config.cors !== undefined && { cors: config.cors }) },
    countKey: pathKey,
  } as const
  const pluginsOf = createPlugins(parts, place)
  const readInput = createBodyReader(definition)
  const formatError = createFormatError(parts)
  const routes = known.map((operation): Route & Routable => {
    const { method, path, aliases } = operation
    const id = `${method} ${host}${prefix}${path}`
    const handler = ours((exchange) => handle(parts, operation, arrivalOf(exchange)))
    const route = { ...common, id, readInput, formatError, handlerFor: () => handler }
    return { ...route, method, path, aliases, plugins: pluginsOf(operation) }
  })
  const router = createRouter(routes, { strict: true })
  const unknown: Route = {
    ...common,
    plugins: pluginsOf(undefined),
    formatError,
    handlerFor: () => (exchange) => {
      const allowed = router.allowed(localOf(exchange)).filter((method) => methods.has(method))
      return fail(allowed.length === 0 ? { kind: 'unknown-path' } : { kind: 'method-not-allowed', allowed })
    },
  }
  const manifestRoute: Route = { ...common, handlerFor: () => () => toResponse({ body: manifest }) }
  const controlRoute: Route = {
    ...common,
    policies: { ...common.policies, cors: false },
    handlerFor: () => (exchange) => control(exchange, localOf(exchange).path),
  }

  return (exchange) => {
    const { method } = exchange
    const path = exchange.path.slice(prefix.length) || '/'
    const match = router.match({ method, path })
    exchange.local = { path, params: match?.params ?? {} } satisfies Local<State, Config>
    if (path === definition.manifestPath && /^(GET|HEAD)$/.test(method)) return manifestRoute
    if (path.startsWith('/__sim/')) return controlRoute
    return match?.route ?? unknown
  }
}

function localOf<State, Config extends AdapterConfig>({ local }: Exchange): Local<State, Config> {
  return local as Local<State, Config>
}

function arrivalOf<State, Config extends AdapterConfig>(exchange: Exchange): Arrival<State, Config> {
  return localOf<State, Config>(exchange).arrival as Arrival<State, Config>
}

function contextOf<State, Config extends AdapterConfig>(exchange: Exchange): OperationContext<State, Config> {
  return arrivalOf<State, Config>(exchange).context as OperationContext<State, Config>
}

/** What an adapter's own code throws by accident is an error of the adapter, and not of the gateway. */
function ours<Result>(
  act: (exchange: Exchange) => Awaitable<Result>,
): (exchange: Exchange) => Promise<Result> {
  return async (exchange) => {
    try {
      return await act(exchange)
    } catch (error) {
      if (AdapterFault.is(error) || failureOf(error) !== undefined) throw error
      return fail({ kind: 'internal', error })
    }
  }
}

/** Makes the steps of an operation; without one, those of requests that no operation takes. */
function createPlugins<State, Fixture, Config extends AdapterConfig>(
  { definition, config, ids, authenticator, sessions }: AdapterParts<State, Fixture, Config>,
  place: MountPlace | undefined,
): (operation: Operation<State, Config> | undefined) => readonly Plugin[] {
  const openPaths = (definition.openPaths ?? []).map((path) => ({ method: '*', path }))
  const open = createRouter(openPaths, { strict: true })

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
    local.arrival = { session, request, failed }
  }
  const authenticate = (exchange: Exchange, operation: Operation<State, Config>): void => {
    const { path, params } = localOf(exchange)
    const arrival = arrivalOf<State, Config>(exchange)
    const isOpen = open.match({ method: '*', path }) !== undefined
    const authorization = headerOf(arrival.request.headers, 'authorization')
    const credentials = authenticator.authenticate(authorization, isOpen)
    const query = new URLSearchParams(exchange.search)
    const context = createContext(arrival, { operation, params, query, credentials, config, ids })
    arrival.context = context
    authenticator.check(context, isOpen ? [] : (operation.scopes ?? []))
    if (operation.handle === undefined) fail({ kind: 'unimplemented', operation: operation.id })
  }
  const admit = (exchange: Exchange, operation: Operation<State, Config>, limits: readonly Limit[]): void => {
    const { limiter, clock } = arrivalOf(exchange).session
    const context = contextOf<State, Config>(exchange)
    const resource = operation.resource?.(context)
    if (resource !== undefined) context.authorize(resource)
    if (limits.length === 0) return
    const { isAdmitted, resetSeconds } = limiter.admit(limits, clock.now())
    if (!isAdmitted) fail({ kind: 'throttled', retryAfterSeconds: resetSeconds })
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

function createBodyReader({
  bodyLimit = DEFAULT_BODY_LIMIT,
}: Pick<AdapterDefinition<unknown, unknown>, 'bodyLimit'>): NonNullable<Route['readInput']> {
  return ours(async (exchange) => {
    const { transport } = exchange
    try {
      arrivalOf(exchange).request.body = await readBytes(transport.body(), bodyLimit)
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
function createContext<State, Config extends AdapterConfig>(
  { session, request, failed: { requestId } }: Arrival<State, Config>,
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

async function handle<State, Fixture, Config extends AdapterConfig>(
  { definition: { requestIdHeader }, config }: AdapterParts<State, Fixture, Config>,
  operation: Operation<State, Config>,
  { session, context, failed: { requestId } }: Arrival<State, Config>,
): Promise<HttpResponse> {
  const value = await operation.handle?.(context as OperationContext<State, Config>)
  if (config.stateful === false && (operation.sideEffects ?? []).length > 0) session.dropState()
  return toResponse(isReply(value) ? value : { body: value }, { [requestIdHeader.toLowerCase()]: requestId })
}

/** Gives errors of the adapter's the form that the imitated service's have; those of the gateway keep theirs. */
function createFormatError<State, Fixture, Config extends AdapterConfig>({
  definition,
  config,
}: AdapterParts<State, Fixture, Config>): NonNullable<Route['formatError']> {
  return (error, exchange) => {
    const { arrival } = localOf<State, Config>(exchange)
    const failure = failureOf(error)
    const isFault = AdapterFault.is(error)
    if (arrival === undefined || (failure === undefined && !isFault)) return undefined
    // What was given up because nobody waits for it went not wrong.
    if (failure?.kind === 'internal' && !exchange.signal.aborted)
      config.onError?.(failure.error, arrival.request)
    const parts =
      failure === undefined ? (error as AdapterFault) : definition.toAnswer(failure, arrival.failed)
    return toResponse(parts, { [definition.requestIdHeader.toLowerCase()]: arrival.failed.requestId })
  }
}

const SEGMENT = /^(?:[^{}]*|\{[A-Za-z_]\w*\*?\})$/

function checkPaths(
  operations: readonly Pick<Operation<unknown>, 'id' | 'method' | 'path' | 'aliases'>[],
): void {
  const owners = new Map<string, string>()
  for (const { id, method, path: main, aliases = [] } of operations) {
    for (const path of [main, ...aliases]) {
      const problem = problemOf(path)
      if (problem !== undefined) throw new OptionInvalid(`${id}: ${problem}`)
      const shape = `${method} ${path.replaceAll(/\{\w+(\*?)\}/g, '{$1}')}`
      const owner = owners.get(shape)
      if (owner !== undefined) throw new OptionInvalid(`${id} and ${owner} both answer ${method} ${path}`)
      owners.set(shape, id)
    }
  }
}

function problemOf(path: string): string | undefined {
  if (!path.startsWith('/')) return `the path '${path}' must start with '/'`
  const segments = path.slice(1).split('/')
  const odd = segments.find((segment) => !SEGMENT.test(segment))
  if (odd !== undefined) return `'${odd}' in '${path}' is neither a fixed segment nor '{name}'`
  const rest = segments.slice(0, -1).find((segment) => segment.endsWith('*}'))
  return rest && `'${rest}' must be the last segment of '${path}'`
}
