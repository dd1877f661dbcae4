import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FlatHeaders, Headers, HttpResponse } from '../message.ts'
import { isJson } from './headers.ts'
import { interceptBody, type CreateBodyWriter } from './body-writer.ts'
import { closeConnection, resetConnection, sendGarbage } from './break-connection.ts'
import { enterTarget, type RequestTarget } from './request-target.ts'
import { hasEnded, writeWhole } from './response-writer.ts'
import type { NodeExchange, Transport } from './transport.ts'
import type { AuthenticateClient } from './proxy-auth.ts'

/** What all requests to one app have in common. */
export interface AppContext {
  readonly prefix: string
  readonly authenticate: AuthenticateClient
  /** What hooks users have, once the app has started. */
  readonly userHooks: () => UserHooks
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

/** A request that Fastify has read, and the reply that it expects. */
export class FastifyTransport implements Transport, NodeExchange {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #app: AppContext
  #isIntercepted = false

  constructor(request: FastifyRequest, reply: FastifyReply, app: AppContext) {
    this.#request = request
    this.#reply = reply
    this.#app = app
  }

  get method(): string {
    return this.#request.raw.method ?? 'GET'
  }

  get headers(): Headers {
    return this.#request.raw.headers
  }

  get rawHeaders(): readonly string[] {
    return this.#request.raw.rawHeaders
  }

  get prefix(): string {
    return this.#app.prefix
  }

  get remoteAddress(): string | undefined {
    return this.#request.raw.socket.remoteAddress
  }

  get node(): NodeExchange {
    return this
  }

  get request(): NodeExchange['request'] {
    return this.#request.raw
  }

  get response(): ServerResponse {
    return this.#reply.raw
  }

  get sentStatus(): number | undefined {
    const { raw } = this.#reply
    return raw.headersSent ? raw.statusCode : undefined
  }

  target(): RequestTarget {
    return enterTarget(this.#request.raw, this.#app.authenticate)
  }

  body(): Readable {
    return this.#request.raw
  }

  send(response: HttpResponse, added: FlatHeaders): boolean {
    const { status, body } = response
    const hooks = this.#app.userHooks()
    const headers = added.length === 0 ? response.headers : [...added, ...response.headers]
    if (hooks.onResponse) {
      if (!this.#reply.sent) sendByReply(this.#reply, { status, headers, body }, hooks.onValue)
      return false
    }
    const { raw } = this.#reply
    if (raw.headersSent || hasEnded(raw)) return false
    const all = hooks.any ? withOwn(this.userHeaders(), headers) : headers
    this.#reply.hijack()
    writeWhole(raw, this.method === 'HEAD', status, all, body)
    return !this.#isIntercepted
  }

  fail(error: Error, response: HttpResponse, added: FlatHeaders): boolean {
    if (!this.#app.userHooks().onResponse) return this.send(response, added)
    if (this.#reply.sent) return false
    setHeaders(this.#reply, added)
    this.#app.errorResponses.set(error, response)
    this.#reply.send(error)
    return false
  }

  abort(how: 'reset' | 'close' | 'hang', garbage?: Buffer): void {
    const { raw } = this.#reply
    this.#reply.hijack()
    if (how === 'hang') {
      const { hanging } = this.#app
      hanging.add(raw)
      raw.socket?.once('end', () => raw.destroy())
      raw.once('close', () => hanging.delete(raw))
      return
    }
    // Node's parser is still in the request's head: a connection that ends under it is never taken off the server's list.
    process.nextTick(() => {
      if (garbage !== undefined) sendGarbage(raw, garbage)
      else if (how === 'reset') resetConnection(raw)
      else closeConnection(raw)
    })
  }

  interceptBody(create: CreateBodyWriter): void {
    const { raw } = this.#reply
    this.#isIntercepted = true
    interceptBody(raw, () => closeConnection(raw), create)
  }

  onClose(listener: () => void): void {
    const { raw } = this.#reply
    if (raw.closed) listener()
    else raw.once('close', listener)
  }

  userHeaders(): FlatHeaders {
    if (!this.#app.userHooks().any) return NONE
    return Object.entries(this.#reply.getHeaders()).flatMap(([name, values]) =>
      [values ?? []].flat().flatMap((value) => [name, String(value)]),
    )
  }

  takeOver(): void {
    this.#reply.hijack()
  }
}

/** Sends a response by way of Fastify, which runs the hooks of users. @param isValue whether some see values */
export function sendByReply(
  reply: FastifyReply,
  { status, headers, body }: HttpResponse,
  isValue: boolean,
): void {
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
