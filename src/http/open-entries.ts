import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { createConnectHandler, type ConnectOptions } from './connect.ts'
import { createHttp2 } from './http2.ts'
import { createTlsInterception } from './tls-interception.ts'
import { answerUpgrade } from './upgrade.ts'

/** What the entries besides plain requests need. */
export interface EntryOptions extends Pick<
  ConnectOptions,
  'authenticate' | 'openTunnel' | 'intercepts' | 'log'
> {
  /** Where the certificate authority lives; this user's own unless told. */
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
    void connect(request, socket, head)
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
