import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isSafe } from '../message.ts'

/** The last unsafe request that waits on a connection, whose answer has not gone out. */
const UNSAFE = Symbol('unsafe')
/** The responses that have not got the connection yet. */
const WAITING = Symbol('waiting')

/** How many safe requests of a connection are handled at the same time; as many more wait, and nothing more is read. */
const MAX_AT_ONCE = 100

interface Connection extends Duplex {
  /** Whether nothing more is read, as Node's server notes it; a `drain` has it look again. */
  _paused?: boolean
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
  const waiting = keepWaiting(connection, response)
  const before = connection[UNSAFE] ?? connection._httpMessage ?? undefined
  if (before === undefined) return
  const isOneOfFew = waiting.size <= MAX_AT_ONCE
  if (isOneOfFew && isSafe(request.method ?? '') && isSafe(before.req.method ?? '')) return handle()
  if (!isSafe(request.method ?? '')) connection[UNSAFE] = response
  response.once('socket', () => {
    if (connection[UNSAFE] === response) delete connection[UNSAFE]
    handle()
  })
}

/** The responses that have no connection yet, with this one. */
function keepWaiting(connection: Connection, response: ServerResponse): Set<ServerResponse> {
  const waiting = (connection[WAITING] ??= waitingFor(connection))
  waiting.add(response)
  if (waiting.size > 2 * MAX_AT_ONCE && connection._paused !== true) {
    connection._paused = true
    connection.pause()
  }
  response.once('socket', () => {
    waiting.delete(response)
    const isPaused = connection._paused === true && !connection.writableNeedDrain
    if (isPaused && waiting.size === MAX_AT_ONCE) connection.emit('drain')
  })
  return waiting
}

// Node's server lets a response that has no connection yet outlive it.
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
