import type { ServerResponse } from 'node:http'
import { constants, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'

/** Breaks the connection at once: a TCP reset, or of HTTP/2 a reset of the one stream. */
export function resetConnection(response: ServerResponse): void {
  const stream = streamOf(response)
  if (stream !== undefined) return stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  const socket = socketOf(response)
  try {
    socket?.resetAndDestroy()
  } catch {
    // Only TCP knows resets.
    socket?.destroy()
  }
  response.destroy()
}

/** Closes the connection in good order, whatever was sent of the answer, once that is out. */
export function closeConnection(response: ServerResponse): void {
  const stream = streamOf(response)
  if (stream !== undefined) return stream.close(constants.NGHTTP2_CANCEL)
  const { socket } = response
  if (socket === null || typeof socket.destroySoon !== 'function') response.destroy()
  else socket.destroySoon()
}

/** Sends bytes that are no HTTP, and closes the connection. HTTP/2 has no place for them, so its stream is broken. */
export function sendGarbage(response: ServerResponse, bytes: Buffer): void {
  const stream = streamOf(response)
  if (stream !== undefined) return stream.close(constants.NGHTTP2_PROTOCOL_ERROR)
  response.socket?.write(bytes)
  closeConnection(response)
}

function streamOf(response: ServerResponse): ServerHttp2Stream | undefined {
  return (response as ServerResponse & { readonly stream?: ServerHttp2Stream }).stream
}

// A TLS socket has the TCP one below it.
function socketOf({ socket }: ServerResponse): Socket | null {
  const { _parent: below } = (socket ?? {}) as { readonly _parent?: Socket | null }
  return below ?? socket
}
