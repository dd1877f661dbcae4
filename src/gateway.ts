import { METHODS, type IncomingMessage } from 'node:http'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Engine } from './engine/engine.ts'
import { lazy } from './engine/lazy.ts'
import type { Match, RouteDefinition } from './engine/route.ts'
import { createChainState, type ChainState } from './gateway/chain-state.ts'
import { registerChain, type ChainDefaults } from './gateway/chain.ts'
import { compileRules } from '../plugins/chaos/chaos.ts'
import { meetChaos } from '../plugins/chaos/decide.ts'
import { rulesOf } from '../plugins/chaos/read-rules.ts'
import type { ChaosOptions } from './state/chaos-rule.ts'
import type { ControlOptions } from './control/control.ts'
import { closeIdleFromNow } from './http/close-idle.ts'
import { checkToken } from './control/guard.ts'
import { openControl } from './control/open-control.ts'
import { applyMiddleware, type Middleware } from './http/middleware.ts'
import { readJsonBody } from './http/read-body.ts'
import { MOST_HEADERS, serverOptions, type Limits } from './http/limits.ts'
import { answerByMode } from './modes/modes.ts'
import type { Modes } from './modes/choose-mode.ts'
import type { Mode } from './modes/mode.ts'
import { noteAnswer, noteVisit } from './gateway/note-visit.ts'
import { prepareAnswerers, type AnswererOptions } from './gateway/open-answerers.ts'
import { readCall, routableUrl } from './gateway/read-call.ts'
import { sendError } from './gateway/reply.ts'
import { readSession } from './state/session-key.ts'
import { checkSessions, createSessions, type Sessions, type SessionsOptions } from './state/sessions.ts'
import { setVisit, visitOf } from './gateway/visit.ts'
import { createAccounts, type ReadUser } from './http/proxy-auth.ts'
import { openDirectLane, type DirectOptions } from './gateway/direct/direct-lane.ts'
import { openForwardLane } from './gateway/direct/forward-lane.ts'
import { createIntercepts, type TlsOptions } from './http/intercepted-hosts.ts'
import { openWaysIn } from './http/open-entries.ts'
import { refuseUnparsable } from './http/reject-socket.ts'
import { enterWay } from './http/request-target.ts'

/** What a gateway is made of. */
export interface GatewayOptions extends AnswererOptions {
  /** What the plugins do where a route does not say otherwise, and to everything that is forwarded. */
  readonly defaults?: ChainDefaults
  readonly state?: ChainState
  /** What befalls requests: waits, errors, broken connections and rate limits, by rules. */
  readonly chaos?: ChaosOptions | undefined
  /** How many clients may have state of their own, and for how long. */
  readonly sessions?: SessionsOptions | undefined
  /** Who may use the control plane. */
  readonly control?: ControlOptions | undefined
  /** Plugins and middleware around everything, the outermost first. */
  readonly middleware?: readonly Middleware[]
  /** Answer CORS preflight requests: from any origin, or from the listed ones. */
  readonly cors?: boolean | readonly string[] | undefined
  /** Whose TLS ends here, when clients use the gateway as a proxy. */
  readonly tls?: TlsOptions | undefined
  /** Who may use the gateway as a proxy: `user:password`, or `*:password` for any user. Without it, anyone. */
  readonly proxyAuth?: readonly string[] | undefined
  /** What a client may ask of the server before it is known what for. */
  readonly limits?: Limits | undefined
  /** Answer plain questions to declared routes before Fastify sees them; for apps whose hooks nobody else adds to. */
  readonly direct?: DirectOptions | undefined
  readonly logger?: FastifyBaseLogger
}

/**
 * A gateway as a Fastify instance, ready to listen or to inject requests.
 * @throws OptionInvalid when the upstream is not a URL; a recording that cannot be opened fails `ready()`
 */
export function createGateway(options: GatewayOptions): FastifyInstance {
  const { logger } = options
  const app: FastifyInstance = Fastify({
    ...(logger !== undefined && { loggerInstance: logger }),
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    http: serverOptions(options.limits),
    clientErrorHandler: refuseUnparsable,
    rewriteUrl: routableUrl,
    return503OnClosing: false,
  })
  app.server.maxHeadersCount = MOST_HEADERS
  takeEveryMethod(app)
  app.addHook('preClose', async () => {
    if (app.server.listening) closeIdleFromNow(app.server)
  })
  app.register(gatewayPlugin(options, true))
  return app
}

/**
 * The gateway as a plugin, so that it can also live inside another Fastify app.
 * @param ownsServer whether it may use all of the app's server, and not only the requests that it is given
 */
export function gatewayPlugin(
  options: GatewayOptions,
  ownsServer = false,
): (app: FastifyInstance) => Promise<void> {
  const { engine, defaults = {}, state = createChainState() } = options
  const chaos = compileRules(rulesOf(options.chaos ?? {}))
  checkSessions(options.sessions ?? {})
  checkToken(options.control?.adminToken)
  const openAnswerers = prepareAnswerers(options)
  const readUser = createAccounts(options.proxyAuth)

  return async (app) => {
    const answerers = await openAnswerers(app)
    const sessions = createSessions({
      engine,
      chain: state,
      chaos,
      redactor: answerers.redactor,
      ...options.sessions,
    })

    // Bodies stay on the wire: a declared route reads its own, and everything else streams through.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    app.setErrorHandler(sendError)

    const recordings = recordingsOf(options)
    const metrics = openControl(app, { sessions, answerers, recordings, control: options.control })
    await registerCors(app, options.cors)
    await applyMiddleware(app, options.middleware ?? [])
    app.addHook('onRequest', (request, reply, done) => {
      enter(request, app.prefix, sessions, answerers.modes, readUser)
      noteVisit(visitOf(request), reply, metrics)
      done()
    })
    app.addHook('onSend', (request, reply, payload, done) => {
      noteAnswer(visitOf(request), reply, payload)
      done()
    })
    app.addHook('preValidation', (request, reply, proceed) => {
      const visit = visitOf(request)
      const arrive = (): void => {
        visit.ordinal = visit.session.arrivals.next(visit.key)
        meetChaos(visit)
      }
      if (visit.match === undefined) {
        arrive()
        return proceed()
      }
      const read = readInput(visit.match, request, reply, engine)
      read.then(arrive).then(() => proceed(), proceed)
    })
    await registerChain(app, defaults)

    const answer = (request: FastifyRequest, reply: FastifyReply): ReturnType<Mode> =>
      answerByMode(request, reply, answerers)
    // With CORS on, its plugin answers OPTIONS and passes what is no preflight to the not-found handler.
    const taken = options.cors === undefined || options.cors === false ? [] : ['OPTIONS']
    const methods = app.supportedMethods.filter((method) => !taken.includes(method))
    app.route({ method: methods, url: '/*', handler: answer })
    if (app.prefix === '') app.setNotFoundHandler(answer)
    else app.route({ method: methods, url: '/', handler: answer })

    if (ownsServer) {
      const everything = (): boolean => readsEverything(options, answerers.modes)
      const elsewhere = [...(options.targets?.upstreams ?? []), ...answerers.adapters.list]
      const redirected = elsewhere.map(({ host }) => host).filter((host) => host !== undefined)
      const intercepts = createIntercepts(options.tls ?? {}, {
        routes: engine.routes,
        redirected,
        everything,
      })
      openWaysIn(app, { ...answerers, readUser, intercepts, caDirectory: options.tls?.caDirectory })
      const isOpen = (options.middleware ?? []).length === 0 && (options.cors ?? false) === false
      if (options.direct !== undefined && isOpen) {
        openDirectLane(app, { ...options.direct, sessions, modes: answerers.modes, metrics, defaults })
        if (answerers.targets.hasUpstream) openForwardLane(app, { answerers, sessions, metrics, defaults })
      }
    }
    app.addHook('onClose', () => answerers.close())
  }
}

async function registerCors(app: FastifyInstance, cors: GatewayOptions['cors']): Promise<void> {
  if (cors === undefined || cors === false) return
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
  const { default: fastifyCors } = await import('@fastify/cors')
  await app.register(fastifyCors, { origin: cors === true ? '*' : [...cors], methods })
}

function recordingsOf({ record, recording }: GatewayOptions): readonly string[] {
  return [...new Set([record, recording].filter((directory) => directory !== undefined))]
}

// What is recorded, replayed or compared has to be read, whoever it is for.
function readsEverything({ record }: GatewayOptions, modes: Modes): boolean {
  return record !== undefined || modes.names().some((name) => name !== 'simulate' && name !== 'forward')
}

// A method without a body, to Fastify, is one whose content type it leaves alone, missing or malformed as it may be.
function takeEveryMethod(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
}

function enter(
  request: FastifyRequest,
  prefix: string,
  sessions: Sessions,
  modes: Modes,
  readUser: ReadUser,
): void {
  const { isProxied, user } = enterWay(request.raw, readUser)
  const { key: sessionKey, call } = readSession(readCall(request, prefix), user)
  const session = sessions.of(sessionKey)
  const mode = modes.of(call)
  const match = mode === 'simulate' ? session.engine.match(call) : undefined
  const key = match?.route.key ?? `${call.method} ${isProxied ? call.host : ''}${call.path}`
  setVisit(request, { call, isProxied, mode, match, key, input: {}, session, ordinal: 0 })
}

async function readInput(
  match: Match,
  request: FastifyRequest,
  reply: FastifyReply,
  engine: Engine,
): Promise<void> {
  const visit = visitOf(request)
  try {
    const body = await readBody(request.raw, match.route)
    if (body !== undefined) visit.call = { ...visit.call, body }
  } catch (error) {
    // What is still to come of a body given up midway would stand in the way of the connection's next request.
    if (request.raw.destroyed) reply.header('connection', 'close')
    throw error
  }
  visit.input = engine.readInput(match, visit.call)
}

// Only operations of descriptions take forms, XML and the like.
const bodyReader = lazy(() => import('./openapi/serve/read-operation-body.ts'))

async function readBody(request: IncomingMessage, { method, operation }: RouteDefinition): Promise<unknown> {
  if (operation !== undefined)
    return operation.body && (await bodyReader()).readOperationBody(request, operation.body)
  return method === 'GET' ? undefined : readJsonBody(request)
}
