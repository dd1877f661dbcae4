import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { count } from '../plugins/count.ts'
import { errors } from '../plugins/errors.ts'
import { PLUGINS } from '../plugins/index.ts'
import { rulesOf } from '../plugins/chaos/read-rules.ts'
import type { ControlOptions } from './control/control.ts'
import type { GatewaySource } from './control/explain/source.ts'
import { createControlRoute } from './control/control-route.ts'
import { checkToken } from './control/guard.ts'
import type { PolicyOptions } from './engine/route-options.ts'
import { createHost, type Host } from './http/fastify-host.ts'
import { addCatchAll } from './http/fastify-transport.ts'
import { interceptedHosts, type TlsOptions } from './http/tls-interception.ts'
import { headerTimeoutOf, type Limits } from './http/limits.ts'
import { addressesBesides } from './http/listeners.ts'
import { SILENT } from './http/log.ts'
import { openLog, says, type LogOptions } from './http/open-log.ts'
import type { MemoryRequest, MemoryResponse } from './http/memory-transport.ts'
import type { Middleware } from './http/middleware.ts'
import { openEntries } from './http/open-entries.ts'
import { readServerCertificate } from './http/server-certificate.ts'
import { createProxyAuth } from './http/credentials.ts'
import { checkContractOptions } from './modes/open-contract.ts'
import type { Modes } from './modes/choose-mode.ts'
import { createRouteFor } from './modes/declared-routes.ts'
import { createRerun } from './modes/rerun.ts'
import { createModeRoutes } from './modes/index.ts'
import { type OpenParts, type PartsHost, prepareParts, type PartsOptions } from './modes/open-parts.ts'
import { createAnswerCache } from './pipeline/answer-cache.ts'
import { errorResponse, handle, handleInProcess, type Services } from './pipeline/handle.ts'
import { createPlans, orderPlugins } from './pipeline/plan.ts'
import { createRequestIds, type RequestIds } from './pipeline/request-ids.ts'
import { createRequestLog, type RequestLine, type RequestLog } from './pipeline/request-line.ts'
import type { Plugin, Policies } from './pipeline/route.ts'
import type { Rerun } from './pipeline/rerun.ts'
import type { Redactor } from './recording/redaction/redactor.ts'
import { scheduleOf, type Scheduled } from './pipeline/schedule.ts'
import { createEngine, type AppEngine } from './simulation/engine.ts'
import type { ChaosOptions } from './engine/chaos-rule.ts'
import type { Clock } from './state/clock.ts'
import { compileRules } from './state/chaos.ts'
import type { MemoryCounters } from './state/counters.ts'
import { createRecordedHeads } from './state/journal-record.ts'
import { checkSessions, createSessions, type SessionsOptions } from './state/sessions.ts'
import type { Listening } from './upstream/targets/guard.ts'

/** What plugins do where a route does not say otherwise, and to everything that is forwarded. */
export type GatewayDefaults = Omit<PolicyOptions, 'errors' | 'scenario'>

/** What a gateway is made of. */
export interface GatewayOptions extends PartsOptions {
  readonly defaults?: GatewayDefaults
  /** Policies of users, each right before the handler or before the built-in one that it names. */
  readonly plugins?: readonly Plugin[] | undefined
  /** Counts the steps of scenarios, where others may reset them. */
  readonly scenarios?: MemoryCounters
  /** Waits, errors, broken connections and rate limits, by rules. */
  readonly chaos?: ChaosOptions | undefined
  /** How many clients may have state of their own, and for how long. */
  readonly sessions?: SessionsOptions | undefined
  /** Who may use the control plane. */
  readonly control?: ControlOptions | undefined
  /** Fastify plugins and middleware around everything, the outermost first. */
  readonly middleware?: readonly Middleware[]
  /** Whose pages may read simulated answers: of any origin, of the listed ones, or of none. Default: of any. */
  readonly cors?: boolean | readonly string[] | undefined
  /** Whose TLS ends here, when clients use the gateway as a proxy. */
  readonly tls?: TlsOptions | undefined
  /** Who may use the gateway as a proxy: `user:password`, or `*:password` for any user. Default: anyone. */
  readonly proxyAuth?: readonly string[] | undefined
  /** What a client may send before it is known what for. */
  readonly limits?: Limits | undefined
  /** The most bytes of generated bodies that are kept for when they are requested again. Default: 0, none. */
  readonly answerCacheBytes?: number | undefined
  /** Whether answers that routes know are not given to their own requests, to see what others would get. */
  readonly leavesOutKnown?: boolean | undefined
  /** What is said on stderr of requests and of what goes wrong. Default: nothing. */
  readonly log?: LogOptions | undefined
  /** Where that is said instead, such as a logger of pino or Fastify; requests where its level is `info` or lower. */
  readonly logger?: FastifyBaseLogger | undefined
  /** Called with what the log says of each request, when that has ended. */
  readonly onRequest?: ((line: RequestLine) => void) | undefined
  /** What a command made the gateway of, so that one of its answers can be had elsewhere. */
  readonly source?: GatewaySource | undefined
}

/** What serves the routes of an app. */
export interface AppGatewayOptions extends GatewayOptions {
  readonly engine: AppEngine
}

/**
 * A gateway as a Fastify instance, ready to listen or to inject requests.
 * @throws OptionInvalid for an option that cannot be; a recording that cannot be opened fails `ready()`
 */
export function createGateway(options: GatewayOptions = {}): FastifyInstance {
  const opened = withLogger(options)
  const { limits, logger, middleware = [] } = opened
  // A logger of Fastify's costs each request, and only what users add to the app would use it.
  const isUsed = options.logger !== undefined || middleware.length > 0
  const host = createHost({ limits, ...(isUsed && { logger }) })
  host.app.register(createPlugin(opened, host.userHooks))
  return host.app
}

/** The gateway as a plugin, so that it can also live inside another Fastify app. */
export function gatewayPlugin(options: GatewayOptions): (app: FastifyInstance) => Promise<void> {
  return createPlugin(withLogger(options))
}

function withLogger<Options extends GatewayOptions>(options: Options): Options {
  return options.log === undefined || options.logger !== undefined
    ? options
    : { ...options, logger: openLog(options.log) }
}

/** A gateway that is used in process, without a server or connections. */
interface MemoryGateway {
  send(request: MemoryRequest): Promise<MemoryResponse>
  /** Answers a request in a session that was somewhere else. */
  readonly rerun: Rerun
  readonly redactor: Redactor
  /**
   * What chaos does to each of the first requests like this one, as its log has it. Nothing is answered or forwarded,
   * no time passes, and what errors depend on in a request is not looked at.
   */
  schedule(request: MemoryRequest, count: number): Promise<readonly Scheduled[]>
  close(): Promise<void>
}

/**
 * Opens a gateway that only this process uses. There are no middleware, TLS and limits, which are of the server.
 * @throws OptionInvalid for an option that cannot be
 */
export async function openInProcess(
  given: AppGatewayOptions,
  createClock?: () => Clock,
): Promise<MemoryGateway> {
  const options = withLogger(given)
  const { services, control, parts, rerun } = await prepareServices(options)({
    log: options.logger ?? SILENT,
    createClock,
    listening: () => [],
    addresses: () => [],
  })
  return {
    send: (request) => handleInProcess(services, request),
    rerun,
    redactor: parts.redactor,
    schedule: (request, times) => scheduleOf(services, [count, errors], request, times),
    async close() {
      control.close()
      await parts.close()
    },
  }
}

/** What the services need to know of the server around them. */
interface ServerParts extends PartsHost {
  readonly addresses: () => ReturnType<FastifyInstance['addresses']>
  /** Makes the clock of each session. Default: it runs with the machine's. */
  readonly createClock?: (() => Clock) | undefined
}

interface OpenServices {
  readonly services: Services
  readonly control: ReturnType<typeof createControlRoute>
  readonly parts: OpenParts
  readonly rerun: Rerun
}

// Checks the options, and returns what opens all that handles requests.
function prepareServices(options: GatewayOptions): (server: ServerParts) => Promise<OpenServices> {
  const { engine = createEngine({ routes: [], seed: 0 }), defaults = {}, cors } = options
  const chaos = compileRules(rulesOf(options.chaos ?? {}))
  const plugins = orderPlugins(PLUGINS, options.plugins ?? [])
  checkSessions(options.sessions ?? {})
  checkToken(options.control?.adminToken)
  checkContractOptions(options.check)
  const openParts = prepareParts({ ...options, engine, policies: { ...defaults, cors } })

  return async (server) => {
    const names = createRequestIds(options.log?.requestIds ?? true)
    // Without a log, there is nothing that a name would lead to.
    const isLogged = options.logger !== undefined && options.logger.level !== 'silent'
    const requestIds = isLogged ? names : undefined
    const parts = await openParts({ ...server, requestIds })
    const { seed, store } = engine
    const { redactor, contract } = parts
    const policies: Policies = { ...defaults, cors, contract }
    const sessions = createSessions({
      redactor,
      ...{ seed, store },
      scenarios: options.scenarios,
      chaos,
      ...options.sessions,
      ...(server.createClock && { createClock: server.createClock }),
    })
    const declared = { redactor, shadow: parts.shadow, leavesOutKnown: options.leavesOutKnown }
    const rerun: Rerun = (...given) =>
      createRerun({
        ...{ engine, parts, plugins, declared, control: control.route },
        policies: { ...defaults, cors },
      })(...given)
    const control = createControlRoute({
      ...{ parts, sessions, options: options.control, recordings: recordingsOf(options) },
      ...{ rerun, source: options.source },
      mustRecord: options.requireRecording ?? false,
      addresses: server.addresses,
    })
    const modeRoutes = createModeRoutes(policies, () => parts)
    await modeRoutes.load(parts.modes.names())
    const services: Services = {
      sessionOf: sessions.ofRequest,
      plans: createPlans(plugins),
      routeFor: createRouteFor(parts.modes, control.route, modeRoutes.of, {
        ...{ ...declared, engine, adapters: parts.adapters },
        defaults: policies,
        cache: createAnswerCache(options.answerCacheBytes ?? 0),
      }),
      count: control.metrics.note,
      watch: control.watching,
      heads: createRecordedHeads(),
      log: server.log,
      requestIds,
      requestLog: requestLogOf(options, names, engine, redactor),
    }
    return { services, control, parts, rerun }
  }
}

function requestLogOf(
  { logger, onRequest }: GatewayOptions,
  requestIds: RequestIds,
  engine: AppEngine,
  redactor: Redactor,
): RequestLog | undefined {
  const writeAt = (level: 'info' | 'debug'): ((line: object, message: string) => void) | undefined =>
    logger !== undefined && says(logger, level) ? logger[level].bind(logger) : undefined
  return createRequestLog({
    ...{ info: writeAt('info'), debug: writeAt('debug'), onRequest },
    requestIds,
    urlWithoutSecrets: redactor.url,
    isStored: engine.isStored,
  })
}

// A gateway that does not know whether users have hooks has only a part of the app's server.
function createPlugin(
  options: GatewayOptions,
  userHooks?: Host['userHooks'],
): (app: FastifyInstance) => Promise<void> {
  const { logger: log = SILENT } = options
  const openServices = prepareServices(options)
  const authenticate = createProxyAuth(options.proxyAuth)
  const certificate = options.tls?.certificate
  const ownCertificate = certificate && readServerCertificate(certificate)

  return async (app) => {
    const addresses = (): ReturnType<FastifyInstance['addresses']> =>
      app.server.listening ? [...app.addresses(), ...addressesBesides(app.server)] : []
    const listening = (): readonly Listening[] =>
      addresses().filter((each): each is AddressInfo => typeof each !== 'string')
    const { services, control, parts } = await openServices({ log, listening, addresses })
    await addCatchAll(app, {
      handle: handle.bind(undefined, services),
      ...{ authenticate, userHooks, middleware: options.middleware ?? [] },
      toResponse: (error) => errorResponse(error, log),
    })
    if (userHooks !== undefined) {
      const elsewhere = [...(options.targets?.upstreams ?? []), ...parts.adapters.list]
      openEntries(app, {
        ...{ authenticate, log, ownCertificate, caDirectory: options.tls?.caDirectory },
        timeoutMs: headerTimeoutOf(options.limits),
        openTunnel: async (authority) =>
          parts.upstream.connect({ protocol: 'http:', ...parts.targets.tunnel(authority) }),
        intercepts: interceptedHosts(options.tls ?? {}, {
          routes: parts.engine.routes,
          redirected: elsewhere.map(({ host }) => host).filter((host) => host !== undefined),
          everything: () => readsEverything(options, parts.modes),
        }),
      })
    }
    app.addHook('preClose', async () => control.close())
    app.addHook('onClose', () => parts.close())
  }
}

function recordingsOf({ record, recording }: GatewayOptions): readonly string[] {
  return [...new Set([record, recording].filter((directory) => directory !== undefined))]
}

// What is recorded, replayed or compared has to be read, whoever it is for.
function readsEverything({ record }: GatewayOptions, modes: Modes): boolean {
  return record !== undefined || modes.names().some((name) => name !== 'simulate' && name !== 'forward')
}
