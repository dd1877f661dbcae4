import { METHODS, type Server, type ServerResponse } from 'node:http'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { HttpResponse } from '../message.ts'
import { closeConnection } from './break-connection.ts'
import { closeIdleFromNow, trackConnections } from './close-idle.ts'
import { FastifyTransport, sendByReply, type AppContext, type UserHooks } from './fastify-transport.ts'
import { serveHalfClosed } from './half-closed.ts'
import { MAX_HEADERS, serverOptions, type Limits } from './limits.ts'
import { applyMiddleware, type Middleware } from './middleware.ts'
import type { AuthenticateClient } from './proxy-auth.ts'
import { rejectUnparsable } from './reject-socket.ts'
import { routableUrl } from './request-target.ts'
import type { Transport } from './transport.ts'

/** What an app of its own is made of. */
export interface HostOptions {
  readonly limits?: Limits | undefined
  /** For plugins and middleware of users. */
  readonly logger?: FastifyBaseLogger | undefined
}

/** A Fastify app on a server of its own, and what is known of its routes once it is ready. */
export interface Host {
  readonly app: FastifyInstance
  /** The hooks besides our own on the way of our routes, as Fastify has them after its start. */
  readonly userHooks: () => UserHooks
}

/** The parts of a route's context that hold hooks. */
interface RouteContext {
  readonly config?: { readonly [OURS]?: boolean }
  readonly [hook: string]: unknown
}

const OURS = 'simGateway'
/** The hooks on the way of a request, by Fastify's names. */
export const HOOKS = [
  ...['onRequest', 'preParsing', 'preValidation', 'preHandler', 'preSerialization'],
  ...['onSend', 'onResponse', 'onError', 'onTimeout', 'onRequestAbort'],
] as const

/** A Fastify app that leaves bodies on the wire and takes every method. */
export function createHost({ limits, logger }: HostOptions): Host {
  let contexts: RouteContext[] = []
  const buildPrettyMeta = ({ store }: { readonly store: RouteContext }): object => {
    contexts.push(store)
    return {}
  }
  const options: FastifyHttpOptions<Server> = {
    ...(logger !== undefined && { loggerInstance: logger }),
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    http: serverOptions(limits),
    clientErrorHandler: rejectUnparsable,
    rewriteUrl: routableUrl,
    return503OnClosing: false,
    // Documented by find-my-way, and missing from Fastify's types.
    routerOptions: { buildPrettyMeta } as FastifyHttpOptions<Server>['routerOptions'] & object,
  }
  const app: FastifyInstance = Fastify(options)
  app.server.maxHeadersCount = MAX_HEADERS
  serveHalfClosed(app.server)
  trackConnections(app.server)
  // A method without a body, to Fastify, is one whose content type it leaves alone, missing or malformed as it may be.
  for (const method of METHODS) {
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
  app.addHook('preClose', async () => {
    if (app.server.listening) closeIdleFromNow(app.server)
  })
  let known: UserHooks | undefined
  const inspect = (): UserHooks => {
    contexts = []
    app.printRoutes({ includeMeta: true })
    const own = contexts.filter(({ config }) => config?.[OURS] === true)
    const has = (hooks: readonly string[]): boolean =>
      own.length === 0 || own.some((context) => hooks.some((hook) => !isEmpty(context[hook])))
    const onResponse = has(['preSerialization', 'onSend', 'onError'])
    return { any: has(HOOKS), onResponse, onValue: has(['preSerialization']) }
  }
  // Nothing can be added to an app that has started.
  return { app, userHooks: () => (known ??= inspect()) }
}

/** What may be in an app that cannot be inspected. */
const ALL_HOOKS: UserHooks = { any: true, onResponse: true, onValue: true }

function isEmpty(hooks: unknown): boolean {
  return hooks === null || hooks === undefined || (Array.isArray(hooks) && hooks.length === 0)
}

/** What the catch-all route of an app needs. */
export interface CatchAllOptions {
  readonly handle: (transport: Transport) => void
  readonly authenticate: AuthenticateClient
  /** Absent inside an app of a user, which cannot be inspected. */
  readonly userHooks?: (() => UserHooks) | undefined
  readonly middleware: readonly Middleware[]
  /** The response that an error becomes. */
  readonly toResponse: (error: Error) => HttpResponse
}

/** Hands every request of an app over, whatever its method and path. Hooks and routes of users come first. */
export async function addCatchAll(app: FastifyInstance, options: CatchAllOptions): Promise<void> {
  const { handle, authenticate, middleware, toResponse } = options
  const context: AppContext = {
    prefix: app.prefix,
    authenticate,
    userHooks: options.userHooks ?? (() => ALL_HOOKS),
    errorResponses: new WeakMap<Error, HttpResponse>(),
    hanging: new Set<ServerResponse>(),
  }
  // Bodies stay on the wire: a declared route reads its own, and everything else streams through.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.setErrorHandler((error: FastifyError | Error, _request, reply) => {
    sendByReply(reply, context.errorResponses.get(error) ?? toResponse(error), true)
  })

  const answer = (request: FastifyRequest, reply: FastifyReply): void =>
    handle(new FastifyTransport(request, reply, context))
  const config = { [OURS]: true }
  const add = (child: FastifyInstance, ...urls: readonly string[]): void => {
    for (const url of urls) child.route({ method: app.supportedMethods, url, config, handler: answer })
  }
  // The control plane is open whatever middleware does, which is around all else.
  await app.register(async (child) => add(child, '/__sim/*'))
  await app.register(async (child) => {
    await applyMiddleware(child, middleware)
    add(child, '/*', '/__sim/s/*')
    if (app.prefix === '') child.setNotFoundHandler(answer)
    else add(child, '/')
  })

  // Who waits for a response that never comes must not keep the server from closing.
  app.addHook('preClose', async () => {
    for (const response of context.hanging) closeConnection(response)
  })
}
