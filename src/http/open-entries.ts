import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureContext } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { TooManyOpenFiles, type RequestMalformed } from '../errors.ts'
import { checkAuthority } from './certificate-authority.ts'
import { createConnectHandler } from './connect.ts'
import type { AuthenticateClient } from './credentials.ts'
import { CROWDED } from './first-bytes.ts'
import { UNPARSABLE } from './fastify-host.ts'
import { answerKnownMethods, createHttp2Connect } from './http2-connect.ts'
import { createHttp2 } from './http2.ts'
import { plainAddress } from './ip-address.ts'
import { isLast, openFilesLimit, warnOfOpenFiles } from './open-files.ts'
import { rejectSocket } from './reject-socket.ts'
import { createSocks5 } from './socks5.ts'
import { caDirectory, createEndTls, issuedContexts } from './tls-interception.ts'
import { createTunnels, type TunnelOptions } from './tunnel.ts'
import { whenFree } from './turns.ts'
import { answerUpgrade, canUpgrade, CLOSING, withoutUpgrade } from './upgrade.ts'

/** What the entries besides plain requests need. */
export interface EntryOptions extends Pick<
  TunnelOptions,
  'openTunnel' | 'intercepts' | 'log' | 'noteAside' | 'timeoutMs'
> {
  readonly authenticate: AuthenticateClient
  /** Where the certificate authority lives; this user's own by default. */
  readonly caDirectory: string | undefined
  /** What clients are shown that speak TLS with the gateway itself; one of the authority by default. */
  readonly ownCertificate: SecureContext | undefined
}

/** How long WebSockets may take to end when the gateway closes. */
const CLOSING_MS = 1000

/** What a server emits when another app takes the requests to come. */
export const RETIRED = 'retired'

/** Opens every entry to an app besides plain requests to its server: tunnels, SOCKS5, TLS, HTTP/2 and upgrades. */
export function openEntries(app: FastifyInstance, options: EntryOptions): void {
  const { authenticate, log, noteAside, timeoutMs, ownCertificate } = options
  const { server } = app
  const answer = (request: IncomingMessage, response: ServerResponse): void => app.routing(request, response)
  const open = new Set<Duplex>()
  const known = new WeakSet<Duplex>()
  const track = (socket: Duplex): void => {
    open.add(socket)
    // One that was read on after an upgrade comes again.
    if (known.has(socket)) return
    known.add(socket)
    socket.once('close', () => open.delete(socket))
    // The server no longer listens to it.
    socket.on('error', () => socket.destroy())
  }
  const reenter = (socket: Duplex & { alpnProtocol?: unknown }, before: Duplex): void => {
    open.delete(before)
    if (socket.alpnProtocol === 'h2') http2.accept(socket)
    else server.emit('connection', socket)
  }
  const directory = options.caDirectory ?? caDirectory()
  const issued = issuedContexts(directory)
  const ending = { reenter, log, timeoutMs }
  const endTls = createEndTls(issued, ending)
  const endOwnTls = ownCertificate === undefined ? endTls : createEndTls(() => ownCertificate, ending)
  const openTunnel = createTunnels({ ...options, endTls, reenter })
  const connect = createConnectHandler(authenticate, openTunnel, noteAside)
  const http2 = createHttp2(
    answerKnownMethods(answer, noteAside),
    timeoutMs,
    createHttp2Connect({ answer, authenticate, openTunnel, noteAside, track }),
  )
  const socks5 = createSocks5({ authenticate, openTunnel, log, noteAside, timeoutMs })

  app.addHook('onReady', () => checkAuthority(directory, options.caDirectory !== undefined))
  server.once(RETIRED, () => http2.retire())
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    track(socket)
    whenFree(socket, () => connect(request, socket, head))
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    track(socket)
    if (canUpgrade(request)) answerUpgrade(request, socket, head, answer)
    else whenFree(socket, () => reenter(withoutUpgrade(request, socket, head), socket))
  })
  server.on(CROWDED, (socket: Socket) => {
    const error = new TooManyOpenFiles(openFilesLimit())
    warnOfOpenFiles(log, error)
    if (isLast(socket)) socket.destroy()
    // What the client has sent is read: unread, it would break the connection, and the answer be lost.
    else rejectSocket(socket.resume(), error, (each) => each.destroy())
  })
  if (noteAside !== undefined)
    server.on(UNPARSABLE, ({ statusCode, code, message }: RequestMalformed) => {
      noteAside({ status: statusCode, by: 'gateway', error: code, reason: message })
    })
  server.on('http2', http2.accept)
  server.on('socks5', (socket: Socket) => {
    track(socket)
    void socks5(socket)
  })
  server.on('tls', (socket: Socket) => {
    track(socket)
    endOwnTls(socket, plainAddress(socket.localAddress ?? 'localhost')).catch((error: Error) => {
      log.error(error)
      socket.destroy()
    })
  })
  // The server closes what it reads requests from, but no longer knows of the connections that it gave away.
  app.addHook('preClose', async () => {
    http2.close()
    for (const socket of open) if (!socket.emit(CLOSING)) socket.destroy()
    setTimeout(() => {
      for (const socket of open) socket.destroy()
    }, CLOSING_MS).unref()
  })
}
