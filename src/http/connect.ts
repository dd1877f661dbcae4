import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { readHost, type Host, type HostList } from '../routing/host.ts'
import { SimError } from '../errors.ts'
import type { AuthenticateClient } from './credentials.ts'
import { malformed, setTunnel } from './request-head.ts'
import type { TlsInterception } from './tls-interception.ts'
import type { Log } from './log.ts'
import { pipeSockets } from './upgrade.ts'
import { rejectSocket } from './reject-socket.ts'

/** What CONNECT needs. */
export interface ConnectOptions {
  readonly authenticate: AuthenticateClient
  /** Opens a connection to an authority. @throws TargetRefused, UpstreamUnreachable, UpstreamTimeout */
  readonly openTunnel: (authority: string) => Promise<Socket>
  /** The hosts whose tunnels end here. */
  readonly intercepts: HostList
  readonly interception: TlsInterception
  /** Takes the connections that come out of such tunnels. */
  readonly reenter: (socket: Duplex, tunnel: Duplex) => void
  readonly log: Log
}

/** Answers CONNECT: with a tunnel to the server, or with one that ends here, whose requests are handled as all others. */
export type Connect = (request: IncomingMessage, socket: Socket, head: Buffer) => Promise<void>

/** How long a client may take until it has begun TLS with the server it named, and TLS is agreed on. */
const GREETING_MS = 30_000
const ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n'

/** @returns the answer to CONNECT */
export function createConnectHandler(options: ConnectOptions): Connect {
  const { authenticate, openTunnel, intercepts, log } = options

  return async (request, client, head) => {
    const authority = request.url ?? ''
    let isEstablished = false
    try {
      const user = authenticate(request.headers['proxy-authorization'])
      const host = readHost(authority)
      if (host?.port === undefined) throw malformed('CONNECT names a host and a port')
      if (head.length > 0) client.unshift(head)
      if (intercepts(host)) {
        isEstablished = true
        client.write(ESTABLISHED)
        await endHere(client, host, authority, user, options)
        return
      }
      const server = await openTunnel(authority)
      isEstablished = true
      if (client.destroyed) server.destroy()
      else client.write(ESTABLISHED)
      pipeSockets(client, server)
    } catch (error) {
      if (!SimError.is(error)) log.error(error as Error)
      if (SimError.is(error) && !isEstablished) rejectSocket(client, error)
      else client.destroy()
    }
  }
}

async function endHere(
  client: Socket,
  { name }: Host,
  authority: string,
  user: string | undefined,
  { interception, reenter, log }: ConnectOptions,
): Promise<void> {
  const tunnel = { authority, user }
  client.setTimeout(GREETING_MS, () => client.destroy())
  // Some clients open a tunnel for plain HTTP too; the first byte of a TLS greeting is 22.
  if ((await firstByte(client)) !== 22) {
    setTunnel(client, tunnel)
    client.setTimeout(0)
    reenter(client, client)
    return
  }
  // TLS has no half-closed connections, and HTTP/2 would not notice that a client has gone.
  client.allowHalfOpen = false
  const decrypted = await interception.accept(client, name)
  setTunnel(decrypted, tunnel)
  decrypted.on('error', (error: NodeJS.ErrnoException) => {
    if (/alert (unknown ca|bad certificate|certificate unknown)/i.test(error.message))
      log.warn(distrust(name))
    decrypted.destroy()
  })
  decrypted.once('secure', () => {
    client.setTimeout(0)
    // Node's own TLS server notes the end of the handshake in this way, and its HTTP/2 waits for the note.
    reenter(Object.assign(decrypted, { secureConnecting: false }), client)
  })
}

function distrust(host: string): string {
  return `A client does not trust the certificate made for ${host}: it must trust the file that sim ca prints`
}

function firstByte(socket: Socket): Promise<number | undefined> {
  return new Promise((resolve) => {
    const read = (): void => {
      const chunk = socket.read() as Buffer | null
      if (chunk !== null) socket.unshift(chunk)
      socket.off('close', read)
      resolve(chunk?.[0])
    }
    socket.once('readable', read)
    socket.once('close', read)
  })
}
