import type { IncomingMessage, ServerResponse } from 'node:http'
import { WebSocketServer, type ServerOptions, type WebSocket } from 'ws'
import { RequestMalformed } from '../errors.ts'
import { CLOSING, detach, interceptUpgraded, type Upgrade } from './upgrade.ts'

/** A WebSocket that a client wants to open, and that ends here. */
export interface SocketRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly upgrade: Upgrade
  /** Called when the connection is no longer HTTP's. */
  readonly takeOver: () => void
}

/** How a WebSocket is accepted. */
export interface Accepting extends Pick<ServerOptions, 'handleProtocols' | 'maxPayload'> {
  /** Lines of the answer's head besides those of the handshake. */
  readonly lines?: readonly string[]
}

/** The code of a server that ends (RFC 6455, section 7.4.1). */
const GOING_AWAY = 1001
const VERSION = 13
/** How much may wait to be sent until no more is read. */
const MAX_WAITING_BYTES = 1024 * 1024

/**
 * Accepts a WebSocket. What a client breaks is answered with the close code for it; there is nothing else to do.
 * @param use gets it once it is open
 * @throws RequestMalformed for a handshake that is not one (RFC 6455, section 4.2.1); it is to be answered as HTTP
 */
export function acceptWebSocket(
  { request, response, upgrade, takeOver }: SocketRequest,
  { lines = [], ...options }: Accepting,
  use: (socket: WebSocket) => void,
): void {
  const { 'sec-websocket-version': version } = request.headers
  if (version !== String(VERSION))
    throw new RequestMalformed(`its version of WebSocket is ${version ?? 'missing'}, and not ${VERSION}`, {
      statusCode: 426,
      headers: { 'sec-websocket-version': String(VERSION) },
    })
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, ...options })
  let refused: Error | undefined
  server.once('wsClientError', (error) => (refused = error))
  // It is about to be written.
  server.once('headers', (head) => {
    head.push(...lines)
    takeOver()
    detach(response, upgrade)
    // It no longer hears that its connection ends, and who notes the request waits for that.
    upgrade.socket.once('close', () => response.emit('close'))
  })
  server.handleUpgrade(request, upgrade.socket, upgrade.head, (socket) => {
    // It closes itself with the right code, which has to reach the client.
    socket.on('error', () => undefined)
    upgrade.socket.once(CLOSING, () => socket.close(GOING_AWAY))
    interceptUpgraded(upgrade, true)
    // Who does not read what is sent gets no more of it for what is said meanwhile.
    socket.on('message', () => {
      if (socket.isPaused || upgrade.socket.writableLength < MAX_WAITING_BYTES) return
      socket.pause()
      upgrade.socket.once('drain', () => socket.resume())
    })
    use(socket)
  })
  if (refused !== undefined) throw new RequestMalformed(refused.message, { cause: refused })
}
