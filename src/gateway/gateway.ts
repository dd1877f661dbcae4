import { METHODS, type IncomingMessage } from 'node:http'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { createCounters } from '../engine/counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { Route } from '../engine/route.ts'
import fastifyCors from '@fastify/cors'
import { createChainState, registerChain, type ChainDefaults, type ChainState } from './chain.ts'
import { createDescribe } from './describe.ts'
import { applyMiddleware, type Middleware } from './middleware.ts'
import { readJsonBody } from './read-body.ts'
import { readOperationBody } from './read-operation-body.ts'
import { createMode } from './modes.ts'
import { readCall, routableUrl } from './read-call.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { sendError } from './reply.ts'
import { createUpstream } from './upstream.ts'
import { setVisit, visitOf } from './visit.ts'

/** What a gateway is made of. */
export interface GatewayOptions {
  /** Answers the declared routes. */
  readonly engine: Engine
  /** Base URL of the server that everything else is forwarded to; without one it is 404. */
  readonly upstream?: string | undefined
  /** Directory of the recording that forwarded exchanges are saved to. */
  readonly record?: string | undefined
  /** What the plugins do where a route does not say otherwise, and to everything that is forwarded. */
  readonly defaults?: ChainDefaults
  readonly state?: ChainState
  /** Plugins and middleware around everything, the outermost first. */
  readonly middleware?: readonly Middleware[]
  /** Answer CORS preflight requests: from any origin, or from the listed ones. */
  readonly cors?: boolean | readonly string[] | undefined
  readonly logger?: FastifyBaseLogger
  /** Makes the OpenAPI document of the declared routes; served where there is no upstream. */
  readonly openapi?: () => unknown
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
    rewriteUrl: routableUrl,
    return503OnClosing: false,
  })
  takeEveryMethod(app)
  app.register(gatewayPlugin(options))
  return app
}

/** The gateway as a plugin, so that it can also live inside another Fastify app. */
export function gatewayPlugin(options: GatewayOptions): (app: FastifyInstance) => Promise<void> {
  const { engine, defaults = {}, state = createChainState() } = options
  const upstream = options.upstream === undefined ? undefined : createUpstream(options.upstream)

  return async (app) => {
    const recorder = options.record === undefined ? undefined : await openRecorder(app, options.record)
    const arrivals = createCounters()

    // Bodies stay on the wire: a declared route reads its own, and everything else streams through.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    app.setErrorHandler(sendError)

    await registerCors(app, options.cors)
    await applyMiddleware(app, options.middleware ?? [])
    app.addHook('onRequest', async (request) => enter(request, app.prefix, engine))
    app.addHook('preValidation', async (request, reply) => {
      await readInput(request, reply, engine)
      visitOf(request).ordinal = arrivals.next(visitOf(request).key)
    })
    await registerChain(app, engine.seed, state, defaults)

    const describe = options.openapi === undefined ? undefined : createDescribe(options.openapi)
    const answer = createMode({ engine, upstream, recorder, describe })
    // With CORS on, its plugin answers OPTIONS and passes what is no preflight to the not-found handler.
    const taken = options.cors === undefined || options.cors === false ? [] : ['OPTIONS']
    const methods = app.supportedMethods.filter((method) => !taken.includes(method))
    app.route({ method: methods, url: '/*', handler: answer })
    if (app.prefix === '') app.setNotFoundHandler(answer)
    else app.route({ method: methods, url: '/', handler: answer })

    app.addHook('onClose', async () => {
      await upstream?.close()
      await recorder?.close()
    })
  }
}

async function registerCors(app: FastifyInstance, cors: GatewayOptions['cors']): Promise<void> {
  if (cors === undefined || cors === false) return
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
  await app.register(fastifyCors, { origin: cors === true ? '*' : [...cors], methods })
}

async function openRecorder(app: FastifyInstance, directory: string): Promise<Recorder> {
  return createRecorder({
    directory,
    onError: (error) => app.log.error(`Recording stopped, traffic goes on: ${error.message}`),
  })
}

// A method without a body, to Fastify, is one whose content type it leaves alone, missing or malformed as it may be.
function takeEveryMethod(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
}

function enter(request: FastifyRequest, prefix: string, engine: Engine): void {
  const call = readCall(request, prefix)
  const match = engine.match(call)
  const key = match?.route.key ?? `${call.method} ${call.path}`
  setVisit(request, { call, match, key, input: {}, ordinal: 0 })
}

async function readInput(request: FastifyRequest, reply: FastifyReply, engine: Engine): Promise<void> {
  const visit = visitOf(request)
  if (visit.match === undefined) return
  try {
    const body = await readBody(request.raw, visit.match.route)
    if (body !== undefined) visit.call = { ...visit.call, body }
  } catch (error) {
    // What is still to come of a body given up midway would stand in the way of the connection's next request.
    if (request.raw.destroyed) reply.header('connection', 'close')
    throw error
  }
  visit.input = engine.readInput(visit.match, visit.call)
}

async function readBody(request: IncomingMessage, { method, operation }: Route): Promise<unknown> {
  if (operation !== undefined) return operation.body && readOperationBody(request, operation.body)
  return method === 'GET' ? undefined : readJsonBody(request)
}
