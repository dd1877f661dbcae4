import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2'
import type { Duplex } from 'node:stream'

const MOST_STREAMS = 256
/** Streams that never end are cut when a closing gateway has waited this long. */
const DRAIN_MS = 10_000

/** Speaks HTTP/2 on connections that come from elsewhere. */
export interface Http2 {
  accept(socket: Duplex): void
  /** Lets clients begin no more requests on the connections that are there. */
  retire(): void
  /** Lets the requests under way finish within ten seconds, and no others begin. */
  close(): void
}

/** @param answer gets each request, in the form that Node gives those of HTTP/1.1 */
export function createHttp2(answer: (request: IncomingMessage, response: ServerResponse) => void): Http2 {
  const sessions = new Set<ServerHttp2Session>()
  const settings = { maxConcurrentStreams: MOST_STREAMS }
  const server = createServer({ settings }, (request: Http2ServerRequest, response: Http2ServerResponse) =>
    answer(request as unknown as IncomingMessage, response as unknown as ServerResponse),
  )
  server.on('session', (session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
    session.on('error', () => session.destroy())
  })
  const retire = (): void => sessions.forEach((session) => session.close())
  return {
    accept: (socket) => void server.emit('connection', socket),
    retire,
    close() {
      retire()
      setTimeout(() => {
        for (const session of sessions) session.destroy()
      }, DRAIN_MS).unref()
    },
  }
}
