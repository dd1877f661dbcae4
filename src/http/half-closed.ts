import type { Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'

/** How long a response may take before it is looked into whether its client is still there. */
const GRACE_MS = 250
/** A client that has left answers the first probe by breaking the connection, which the second one notices. */
const BETWEEN_PROBES_MS = 50
const NEXT_PROBE_MS = 20_000

/**
 * Has a server respond to clients that close their side of the connection once they have sent their request, as RFC
 * 9112, section 9.6, lets them. From the end of what it sends alone, such a client looks like one that has left: where
 * the response takes longer it is probed with interim responses (RFC 9110, section 15.2), which break the connection of
 * a client that is gone.
 */
export function serveHalfClosed(server: Server): void {
  ;(server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true
  server.on('connection', (socket: Duplex) => {
    // TLS has no half-closed connections.
    if (socket instanceof Socket && !(socket instanceof TLSSocket)) socket.once('end', () => watch(socket))
  })
}

function watch(socket: Socket): void {
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse | null }
  if (response === undefined || response === null || response.writableEnded) return
  let timer = setTimeout(probe, GRACE_MS)
  let count = 0
  response.once('close', () => clearTimeout(timer))

  function probe(): void {
    if (response === undefined || response === null || response.writableEnded) return
    if (response.headersSent) {
      // What is sent now and then says nothing of its client for as long as nothing is sent.
      if (isEventStream(response)) socket.destroy()
      return
    }
    if (response.req.httpVersion !== '1.1') return
    response.writeProcessing()
    timer = setTimeout(probe, count++ === 0 ? BETWEEN_PROBES_MS : NEXT_PROBE_MS)
  }
}

function isEventStream(response: ServerResponse): boolean {
  const { _header: head } = response as unknown as { readonly _header: string | null }
  return /^content-type: *text\/event-stream/im.test(head ?? '')
}
