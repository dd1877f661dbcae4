import type { Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'

/** How long a response may take before it is looked into whether its client is still there. */
const GRACE_MS = 250
/** A client that has left answers the first probe by breaking the connection, which the second one notices. */
const BETWEEN_PROBES_MS = 50
const NEXT_PROBE_MS = 20_000
/** How long a body may stall before its client counts as gone. */
const MAX_STALL_MS = 5_000

/**
 * Has a server respond to clients that close their side of the connection once they have sent their request, as RFC
 * 9112, section 9.6, lets them. From the end of what it sends alone, such a client looks like one that has left: where
 * the response takes longer it is probed with interim responses (RFC 9110, section 15.2), which break the connection of
 * a client that is gone.
 */
export function serveHalfClosed(server: Server): void {
  ;(server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true
  const known = new WeakSet<Duplex>()
  server.on('connection', (socket: Duplex) => {
    // One that was read on after an upgrade comes again.
    if (known.has(socket)) return
    known.add(socket)
    socket.once('end', () =>
      socket instanceof Socket && canHalfClose(socket) ? watch(socket) : socket.end(),
    )
  })
}

/** Whether a client may close its side alone: TLS has that since 1.3 (RFC 8446, section 6.1). */
export function canHalfClose(socket: Socket): boolean {
  return !(socket instanceof TLSSocket) || socket.getProtocol() === 'TLSv1.3'
}

function watch(socket: Socket): void {
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse | null }
  if (response === undefined || response === null || response.writableEnded) return
  let probes = 0
  let written = -1
  let timer = setTimeout(look, GRACE_MS)
  response.once('close', () => clearTimeout(timer))

  function look(): void {
    if (response === undefined || response === null || response.writableEnded) return
    if (response.headersSent) return lookForProgress(response)
    if (response.req.httpVersion !== '1.1') return
    response.writeProcessing()
    timer = setTimeout(look, probes++ === 0 ? BETWEEN_PROBES_MS : NEXT_PROBE_MS)
  }

  // Bytes of a body find out that a client has left; where none are sent, nothing does.
  function lookForProgress(sending: ServerResponse): void {
    if (isEventStream(sending) || socket.bytesWritten === written) return void socket.destroy()
    written = socket.bytesWritten
    timer = setTimeout(look, MAX_STALL_MS)
  }
}

function isEventStream(response: ServerResponse): boolean {
  const { _header: head } = response as unknown as { readonly _header: string | null }
  return /^content-type: *text\/event-stream/im.test(head ?? '')
}

const CHECK_MS = 50

const connections = new WeakMap<Server, Set<Socket>>()

/** Keeps a server's connections, so that closing it can end those that have sent nothing yet. */
export function trackConnections(server: Server): void {
  const open = new Set<Socket>()
  connections.set(server, open)
  server.on('connection', (socket) => {
    if (!(socket instanceof Socket) || open.has(socket)) return
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
}

/**
 * Closes a closing server's connections as they fall idle. One whose last answer goes out after the closing began would
 * stay open for a next request, and the server with it; so would one that was opened in advance and has sent nothing,
 * which Node does not count as idle.
 */
export function closeIdleFromNow(server: Server): void {
  const close = (): void => {
    server.closeIdleConnections()
    for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy()
  }
  close()
  const timer = setInterval(close, CHECK_MS).unref()
  server.once('close', () => clearInterval(timer))
}
