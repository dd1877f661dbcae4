import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FlatHeaders, Headers, HttpResponse } from '../message.ts'
import type { CreateBodyWriter } from './body-writer.ts'
import type { ReceivedBody } from './read-body.ts'
import type { PassedTarget, RequestTarget } from './request-head.ts'

/** How one request arrived, and how its response leaves. */
export interface Transport {
  readonly method: string
  readonly headers: Headers
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[]
  /** The path below which the gateway is mounted; `''` for none. */
  readonly prefix: string
  /** The address of the client; absent in process and behind a socket file. */
  readonly remoteAddress: string | undefined
  /** What another gateway says of it that has passed it on; absent where none has. */
  readonly passed?: PassedTarget | undefined
  /** Node's own objects, where the request came over a connection. */
  readonly node: NodeExchange | undefined
  /** Checks the head and reads whom it is for. @throws RequestMalformed, RequestMisdirected */
  target(): RequestTarget
  /** The request's body; the same at each call. */
  body(): ReceivedBody
  /**
   * Writes a response.
   * @param added headers beside those of the response
   * @returns whether all of it was handed over; else it ends, or breaks off, later
   */
  send(response: HttpResponse, added: FlatHeaders): boolean
  /** Has an error become the response that it is, by way of the error hooks of users. */
  fail(error: Error, response: HttpResponse, added: FlatHeaders): boolean
  /** Breaks the connection in place of a response; `hang` leaves it silent until the client leaves or the server closes. */
  abort(how: 'reset' | 'close' | 'hang', garbage?: Buffer): void
  /** Has the response's body pass through a writer on its way out. */
  interceptBody(create: CreateBodyWriter): void
  /** Calls back once, when the response has ended or its connection broke. */
  onClose(listener: () => void): void
  /** The status that was sent, if one was. */
  readonly sentStatus: number | undefined
}

/** A request and its response as Node has them. */
export interface NodeExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Headers that user code gave the response before. */
  userHeaders(): FlatHeaders
  /** Takes the response out of the hands of the server's framework. */
  takeOver(): void
}
