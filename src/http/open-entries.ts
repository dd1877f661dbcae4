import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { createConnectHandler, type ConnectOptions } from './connect.ts'
import { createTlsInterception } from './tls-interception.ts'
import { whenFree } from './turns.ts'
import { answerUpgrade } from './upgrade.ts'
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Session } from 'node:http2'
import { createRequire } from 'node:module'
import { lazy } from '../engine/lazy.ts'

/** What the entries besides plain requests need. */
export interface EntryOptions extends Pick<
  ConnectOptions,
  'authenticate' | 'openTunnel' | 'intercepts' | 'log'
> {
  /** Where the certificate authority lives; this user's own by default. */
  readonly caDirectory: string | undefined
}

/** What a server emits when another app takes the requests to come. */
export const RETIRED = 'retired'

/** Opens every entry to an app besides plain requests to its server: tunnels, HTTP/2 and upgrades. */
export function openEntries(app: FastifyInstance, { caDirectory, ...options }: EntryOptions): void {
  const { server } = app
  const answer = (request: IncomingMessage, response: ServerResponse): void => app.routing(request, response)
  const http2 = createHttp2(answer)
  const open = new Set<Duplex>()
  const track = (socket: Duplex): void => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }
  const reenter = (socket: Duplex & { alpnProtocol?: unknown }, tunnel: Duplex): void => {
    open.delete(tunnel)
    if (socket.alpnProtocol === 'h2') http2.accept(socket)
    else server.emit('connection', socket)
  }
  const connect = createConnectHandler({
    ...options,
    interception: createTlsInterception(caDirectory),
    reenter,
  })

  server.once(RETIRED, () => http2.retire())
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    track(socket)
    socket.on('error', () => socket.destroy())
    whenFree(socket, () => void connect(request, socket, head))
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    track(socket)
    answerUpgrade(request, socket, head, answer)
  })
  // The server closes what it reads requests from, but no longer knows of the connections that it gave away.
  app.addHook('preClose', async () => {
    http2.close()
    for (const socket of open) socket.destroy()
  })
}

const MAX_STREAMS = 256
/** Streams that never end are cut when a closing gateway has waited this long. */
const DRAIN_MS = 10_000

/** Speaks HTTP/2 on connections that come from elsewhere. */
interface Http2 {
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
