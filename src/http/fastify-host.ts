import { channel } from 'node:diagnostics_channel'
import { METHODS, type Server } from 'node:http'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
} from 'fastify'
import { closeIdleFromNow, trackConnections, serveHalfClosed } from './connections.ts'
import { OURS, QueryReader, type UserHooks } from './fastify-transport.ts'
import { distinguish } from './first-bytes.ts'
import { headerTimeoutOf, MAX_HEADERS, serverOptions, type Limits } from './limits.ts'
import { meetExpectations } from './expectations.ts'
import { rejectUnparsable } from './reject-socket.ts'
import { routableUrl } from './request-head.ts'

/** What an app of its own is made of. */
export interface HostOptions {
  readonly limits?: Limits | undefined
  /** For plugins, middleware and hooks of users. */
  readonly logger?: FastifyBaseLogger | undefined
}

/** A Fastify app on a server of its own, and what is known of its routes once it is ready. */
export interface Host {
  readonly app: FastifyInstance
  /** The hooks besides our own on the way of our routes, as Fastify has them after its start. */
  readonly userHooks: () => UserHooks
  /** Has something done when the app closes, before it closes any connection. */
  beforeClose(work: () => Promise<void>): void
}

/** The parts of a route's context that hold hooks. */
interface RouteContext {
  readonly config?: { readonly [OURS]?: boolean }
  readonly [hook: string]: unknown
}

/** The hooks on the way of a request, by Fastify's names. */
export const HOOKS = [
  ...['onRequest', 'preParsing', 'preValidation', 'preHandler', 'preSerialization'],
  ...['onSend', 'onResponse', 'onError', 'onTimeout', 'onRequestAbort'],
] as const

/** Where agents that trace Fastify listen. */
const HANDLER_CHANNEL = 'tracing:fastify.request.handler:start'

/** What a server emits when its parser has refused what came. */
export const UNPARSABLE = 'unparsable'

/** A Fastify app that leaves bodies on the wire and takes every method. */
export function createHost({ limits, logger }: HostOptions): Host {
  let contexts: RouteContext[] = []
  const queries = new QueryReader()
  const buildPrettyMeta = ({ store }: { readonly store: RouteContext }): object => {
    contexts.push(store)
    return {}
  }
  const options: FastifyHttpOptions<Server> = {
    // It is that of the gateway for each request, since one for each costs more than all the rest of the way.
    ...(logger !== undefined && {
      loggerInstance: withoutAddress(logger),
      childLoggerFactory: (given) => given,
    }),
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    http: serverOptions(limits),
    clientErrorHandler: (error, socket) => {
      const refusal = rejectUnparsable(error, socket)
      if (refusal !== undefined) app.server.emit(UNPARSABLE, refusal)
    },
    rewriteUrl: routableUrl,
    return503OnClosing: false,
    // Documented by find-my-way, and missing from Fastify's types.
    routerOptions: {
      buildPrettyMeta,
      querystringParser: queries.read,
    } as FastifyHttpOptions<Server>['routerOptions'] & object,
  }
  const app: FastifyInstance = Fastify(options)
  app.server.maxHeadersCount = MAX_HEADERS
  distinguish(app.server, headerTimeoutOf(limits))
  serveHalfClosed(app.server)
  meetExpectations(app.server)
  trackConnections(app.server)
  // A method without a body, to Fastify, is one whose content type it leaves alone, missing or malformed as it may be.
  for (const method of METHODS) {
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
  const ending: (() => Promise<void>)[] = []
  app.addHook('preClose', async () => {
    for (const work of ending) await work()
    if (app.server.listening) closeIdleFromNow(app.server)
  })
  let known: UserHooks | undefined
  const inspect = (): UserHooks => {
    contexts = []
    app.printRoutes({ includeMeta: true })
    const own = contexts.filter(({ config }) => config?.[OURS] === true)
    const has = (hooks: readonly string[]): boolean =>
      own.length === 0 || own.some((context) => hooks.some((hook) => !isEmpty(context[hook])))
    const any = has(HOOKS)
    queries.isNeeded = any || own.length !== contexts.length || channel(HANDLER_CHANNEL).hasSubscribers
    const onResponse = has(['preSerialization', 'onSend', 'onError'])
    return { any, onResponse, onValue: has(['preSerialization']) }
  }
  // Nothing can be added to an app that has started.
  const beforeClose = (work: () => Promise<void>): void => void ending.push(work)
  return { app, userHooks: () => (known ??= inspect()), beforeClose }
}

// Who starts a server says where it listens.
function withoutAddress(logger: FastifyBaseLogger): FastifyBaseLogger {
  const child: FastifyBaseLogger['child'] = (bindings, options) => {
    const own = logger.child(bindings, options)
    const info: (...given: never[]) => void = own.info.bind(own)
    own.info = (...given: unknown[]) => {
      if (!String(given[0]).startsWith('Server listening at ')) info(...(given as never[]))
    }
    return own
  }
  return new Proxy(logger, {
    get: (target, name) => (name === 'child' ? child : Reflect.get(target, name)) as unknown,
  })
}

function isEmpty(hooks: unknown): boolean {
  return hooks === null || hooks === undefined || (Array.isArray(hooks) && hooks.length === 0)
}
