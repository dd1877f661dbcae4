import { METHODS, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { HostList } from '../routing/host-list.ts'
import type { Targets } from '../upstream/targets/targets.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { ReadUser } from './proxy-auth.ts'
import { createConnectHandler } from './connect.ts'
import { createHttp2 } from './http2.ts'
import { createInterception } from './tls-interception.ts'
import { answerUpgrade, upgradeOf } from './upgrade.ts'
import { wayOf } from './request-target.ts'

/** What the ways in lead to. */
export interface WaysInto {
  readonly readUser: ReadUser
  readonly targets: Targets
  readonly upstream: Upstream
  /** The hosts whose tunnels end here. */
  readonly intercepts: HostList
  /** Where the certificate authority lives; this user's own unless told. */
  readonly caDirectory: string | undefined
}

/** What a server emits when another app takes the requests to come. */
export const RETIRED = 'retired'

/** Opens every other way into an app besides plain requests to its server: tunnels, HTTP/2 and upgrades. */
export function openWaysIn(app: FastifyInstance, { caDirectory, ...into }: WaysInto): void {
  const { server, log } = app
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
    ...into,
    interception: createInterception(caDirectory),
    reenter,
    log,
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
  // Node's parser drops what comes in the same packet after an upgrade that is left aside, so it must be sent again.
  app.addHook('onRequest', ({ raw }, reply, done) => {
    // RFC 9110, section 9.3.7: such a question is about this server, and about no resource.
    if (wayOf(raw).url === '*') {
      reply.code(204).header('allow', METHODS.join(', ')).send()
      return
    }
    if (raw.headers.upgrade !== undefined && upgradeOf(raw) === undefined) reply.raw.shouldKeepAlive = false
    done()
  })
  // The server closes what it reads requests from, but no longer knows of the connections that it gave away.
  app.addHook('preClose', async () => {
    http2.close()
    for (const socket of open) socket.destroy()
  })
}
