import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Session } from 'node:http2'
import { createRequire } from 'node:module'
import type { Duplex } from 'node:stream'
import { lazy } from '../engine/lazy.ts'

const MAX_STREAMS = 256
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
  const settings = { maxConcurrentStreams: MAX_STREAMS }
  // Most gateways never see a connection of it, so its code is loaded with the first.
  const server = lazy(() => {
    const { createServer } = createRequire(import.meta.url)('node:http2') as typeof import('node:http2')
    const made = createServer({ settings }, (request: Http2ServerRequest, response: Http2ServerResponse) =>
      answer(request as unknown as IncomingMessage, response as unknown as ServerResponse),
    )
    made.on('session', (session) => {
      sessions.add(session)
      session.once('close', () => sessions.delete(session))
      session.on('error', () => session.destroy())
    })
    return made
  })
  const retire = (): void => sessions.forEach((session) => session.close())
  return {
    accept: (socket) => void server().emit('connection', socket),
    retire,
    close() {
      retire()
      setTimeout(() => {
        for (const session of sessions) session.destroy()
      }, DRAIN_MS).unref()
    },
  }
}
