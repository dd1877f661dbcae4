import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse as parseQuery, type ParsedUrlQuery } from 'node:querystring'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FlatHeaders, Headers, HttpResponse } from '../message.ts'
import { isJson } from './headers.ts'
import {
  interceptBody,
  type CreateBodyWriter,
  closeConnection,
  resetConnection,
  sendGarbage,
} from './body-writer.ts'
import { enterTarget, passedOf, type PassedTarget, type RequestTarget } from './request-head.ts'
import { applyMiddleware, type Middleware } from './middleware.ts'
import { writeWhole } from './response-writer.ts'
import { isItsTurn, onTurn } from './turns.ts'
import { upgradeOf } from './upgrade.ts'
import type { NodeExchange, Transport } from './transport.ts'
import type { AuthenticateClient } from './credentials.ts'

/** Marks our routes in their configuration. */
export const OURS = 'simGateway'

/** What all requests to one app have in common. */
interface AppContext {
  readonly prefix: string
  readonly authenticate: AuthenticateClient
  /** What hooks users have; known once the app has started. */
  userHooks: UserHooks
  /** What became of errors that are on their way through the error hooks of users. */
  readonly errorResponses: WeakMap<Error, HttpResponse>
  /** Responses that never come, whose clients wait. */
  readonly hanging: Set<ServerResponse>
}

/** Which hooks besides our own are on the way of a request. */
export interface UserHooks {
  /** Whether there are any, which may have given the response headers. */
  readonly any: boolean
  /** Whether some see or change a response, so that it has to leave by way of Fastify. */
  readonly onResponse: boolean
  /** Whether some see the values that are written as JSON. */
  readonly onValue: boolean
}

const NONE: FlatHeaders = []
const NO_QUERY: ParsedUrlQuery = Object.freeze({})

/** Reads queries for hooks and routes of users; ours read them by the models of routes. */
export class QueryReader {
  /** Whether anybody but us sees a request. */
  isNeeded = true

  readonly read = (search: string): ParsedUrlQuery =>
    this.isNeeded ? parseQuery(search, '&', '=', { maxKeys: 0 }) : NO_QUERY
}

/** A request that Fastify has read, and the reply that it expects. */
export class FastifyTransport implements Transport, NodeExchange {
  readonly method: string
  readonly headers: Headers
  readonly rawHeaders: readonly string[]
  readonly prefix: string
  readonly node: NodeExchange
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly #reply: FastifyReply
  readonly #app: AppContext
  #isIntercepted: boolean

  constructor({ raw }: FastifyRequest, reply: FastifyReply, app: AppContext) {
    this.method = raw.method ?? 'GET'
    this.headers = raw.headers
    this.rawHeaders = raw.rawHeaders
    this.prefix = app.prefix
    this.node = this
    this.request = raw
    this.response = reply.raw
    this.#reply = reply
    this.#app = app
    this.#isIntercepted = false
  }

  get remoteAddress(): string | undefined {
    const { passed } = this
    return passed === undefined ? this.request.socket.remoteAddress : passed.remoteAddress
  }

  get passed(): PassedTarget | undefined {
    return passedOf(this.request)
  }

  get sentStatus(): number | undefined {
    return this.response.headersSent ? this.response.statusCode : undefined
  }

  target(): RequestTarget {
    return enterTarget(this.request, this.#app.authenticate)
  }

  body(): IncomingMessage {
    return this.request
  }

  send({ status, headers, body }: HttpResponse, added: FlatHeaders): boolean {
    const hooks = this.#app.userHooks
    let all = added.length === 0 ? headers : [...added, ...headers]
    if (hooks.onResponse) {
      if (!this.#reply.sent) sendByReply(this.#reply, { status, headers: all, body }, hooks.onValue)
      return false
    }
    const { response } = this
    if (response.headersSent || response.writableEnded || response.destroyed) return false
    if (hooks.any) all = withOwn(this.userHeaders(), all)
    this.#reply.hijack()
    writeWhole(response, this.method === 'HEAD', status, all, body)
    return !this.#isIntercepted
  }

  fail(error: Error, response: HttpResponse, added: FlatHeaders): boolean {
    if (!this.#app.userHooks.onResponse) return this.send(response, added)
    if (this.#reply.sent) return false
    setHeaders(this.#reply, added)
    this.#app.errorResponses.set(error, response)
    this.#reply.send(error)
    return false
  }

  abort(how: 'reset' | 'close' | 'hang', garbage?: Buffer): void {
    const { response: raw } = this
    this.#reply.hijack()
    if (how === 'hang') return this.#hang()
    // Node's parser is still in the request's head: a connection that ends under it is never taken off the server's list.
    process.nextTick(() => {
      if (garbage !== undefined) sendGarbage(raw, garbage)
      else if (how === 'reset') resetConnection(raw)
      else closeConnection(raw)
    })
  }

  #hang(): void {
    const { hanging } = this.#app
    const { response } = this
    hanging.add(response)
    response.socket?.once('end', () => response.destroy())
    response.once('close', () => hanging.delete(response))
  }

  interceptBody(create: CreateBodyWriter): void {
    const { response } = this
    this.#isIntercepted = true
    upgradeOf(this.request)?.writers.push(create)
    interceptBody(response, create, {
      close: () => closeConnection(response),
      hang: () => this.#hang(),
    })
  }

  onClose(listener: () => void): void {
    // It is emitted once, and `once` costs more.
    if (this.response.closed) listener()
    else this.response.on('close', listener)
  }

  userHeaders(): FlatHeaders {
    if (!this.#app.userHooks.any) return NONE
    return Object.entries(this.#reply.getHeaders()).flatMap(([name, values]) =>
      [values ?? []].flat().flatMap((value) => [name, String(value)]),
    )
  }

  takeOver(): void {
    this.#reply.hijack()
  }
}

/** Sends a response by way of Fastify, which runs the hooks of users. @param isValue whether some see values */
function sendByReply(reply: FastifyReply, { status, headers, body }: HttpResponse, isValue: boolean): void {
  reply.code(status)
  setHeaders(reply, headers)
  if (body === undefined) reply.send()
  else if (typeof body !== 'string') reply.send(Buffer.from(body))
  else if (isValue && isJson(headers)) sendValue(reply, textOf(body))
  else reply.send(textOf(body))
}

// Hooks get the value, and the text stays as it is where they leave that alone.
function sendValue(reply: FastifyReply, text: string): void {
  const value: unknown = JSON.parse(text)
  if (value === null || typeof value !== 'object') reply.send(text)
  else reply.serializer((given: unknown) => (given === value ? text : JSON.stringify(given))).send(value)
}

/** Headers of a response over those that hooks gave it before. */
function withOwn(before: FlatHeaders, headers: FlatHeaders): FlatHeaders {
  const names = new Set(headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()))
  const kept = before.filter((_, index) => !names.has((before[index - (index % 2)] ?? '').toLowerCase()))
  return [...kept, ...headers]
}

function setHeaders(reply: FastifyReply, flat: FlatHeaders): void {
  const byName = new Map<string, string | string[]>()
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const [name, value] = [(flat[index] as string).toLowerCase(), flat[index + 1] as string]
    const known = byName.get(name)
    byName.set(name, known === undefined ? value : [known, value].flat())
  }
  for (const [name, value] of byName) reply.header(name, value)
}

function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString()
}

/** What may be in an app that cannot be inspected. */
const ALL_HOOKS: UserHooks = { any: true, onResponse: true, onValue: true }

/** What the catch-all route of an app needs. */
export interface CatchAllOptions {
  readonly handle: (transport: Transport) => void
  readonly authenticate: AuthenticateClient
  /** Absent inside an app of a user, which cannot be inspected. */
  readonly userHooks?: (() => UserHooks) | undefined
  readonly middleware: readonly Middleware[]
  /** Looks whether another gateway has passed a request on; absent where none can. */
  readonly readPassed?: ((request: IncomingMessage) => void) | undefined
  /** The response that an error becomes. */
  readonly toResponse: (error: Error) => HttpResponse
}

/** Hands every request of an app over, whatever its method and path. Hooks and routes of users come first. */
export async function addCatchAll(app: FastifyInstance, options: CatchAllOptions): Promise<void> {
  const { handle, authenticate, middleware, toResponse, readPassed } = options
  const context: AppContext = {
    prefix: app.prefix,
    authenticate,
    userHooks: ALL_HOOKS,
    errorResponses: new WeakMap<Error, HttpResponse>(),
    hanging: new Set<ServerResponse>(),
  }
  // Bodies stay on the wire: a declared route reads its own, and everything else streams through.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.setErrorHandler((error: FastifyError | Error, _request, reply) => {
    sendByReply(reply, context.errorResponses.get(error) ?? toResponse(error), true)
  })

  const { userHooks } = options
  if (userHooks !== undefined)
    app.addHook('onReady', async () => {
      context.userHooks = userHooks()
    })
  const answer = (request: FastifyRequest, reply: FastifyReply): void => {
    readPassed?.(request.raw)
    const transport = new FastifyTransport(request, reply, context)
    if (isItsTurn(reply.raw)) handle(transport)
    else onTurn(request.raw, reply.raw, () => handle(transport))
  }
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
