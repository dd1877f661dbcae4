import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isSafe } from '../message.ts'

/** The last unsafe request that waits on a connection, whose answer has not gone out. */
const UNSAFE = Symbol('unsafe')
/** The responses that have not got the connection yet. */
const WAITING = Symbol('waiting')

interface Connection extends Duplex {
  /** Whose answer goes out now, as Node's server notes it. */
  readonly _httpMessage?: ServerResponse | null
  [UNSAFE]?: ServerResponse
  [WAITING]?: Set<ServerResponse>
}

/**
 * A response that stays without a connection where an earlier one has ended that. Node's server would have it go out, and
 * end the process over its place among those that wait.
 */
export class GatewayResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override assignSocket(socket: Socket): void {
    if (!socket.writableEnded && !socket.destroyed) super.assignSocket(socket)
  }
}

/** Whether a request is the first on its connection that has no answer. */
export function isItsTurn(response: ServerResponse): boolean {
  // A response gets the connection when those before it are out; those of HTTP/2 and of `inject` have their own.
  return response.socket !== null || 'stream' in response
}

/**
 * Has a request wait for those before it on its connection, where it or one of them may change something: only safe
 * ones may be handled at the same time (RFC 9112, section 9.3.2). Nobody handles one whose turn never comes.
 */
export function onTurn(request: IncomingMessage, response: ServerResponse, handle: () => void): void {
  const connection = request.socket as Connection
  closeWith(connection, response)
  const before = connection[UNSAFE] ?? connection._httpMessage ?? undefined
  if (before === undefined) return
  if (isSafe(request.method ?? '') && isSafe(before.req.method ?? '')) return handle()
  if (!isSafe(request.method ?? '')) connection[UNSAFE] = response
  response.once('socket', () => {
    if (connection[UNSAFE] === response) delete connection[UNSAFE]
    handle()
  })
}

// Node's server lets a response that has no connection yet outlive it.
function closeWith(connection: Connection, response: ServerResponse): void {
  const waiting = (connection[WAITING] ??= waitingFor(connection))
  waiting.add(response)
  response.once('socket', () => waiting.delete(response))
}

function waitingFor(connection: Connection): Set<ServerResponse> {
  const waiting = new Set<ServerResponse>()
  connection.once('close', () => {
    for (const response of waiting) response.destroy().emit('close')
  })
  return waiting
}

/** Calls back once a connection that the server gave away has no answer under way. */
export function whenFree(socket: Duplex, then: () => void): void {
  if (socket.destroyed) return
  const { _httpMessage: current } = socket as Connection
  if (current === null || current === undefined) then()
  else current.once('close', () => whenFree(socket, then))
}
