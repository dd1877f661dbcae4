import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { SimError } from '../errors.ts'
import { readHost, type HostList } from '../routing/host.ts'
import type { Log, NoteAside } from './log.ts'
import { malformed, setTunnel, type Tunnel } from './request-head.ts'
import type { EndTls } from './tls-interception.ts'
import { pipeSockets } from './upgrade.ts'

/** What tunnels need. */
export interface TunnelOptions {
  /** Opens a connection to an authority. @throws TargetRefused, UpstreamUnreachable, UpstreamTimeout */
  readonly openTunnel: (authority: string) => Promise<Socket>
  /** The hosts whose tunnels end here. */
  readonly intercepts: HostList
  readonly endTls: EndTls
  /** Takes the connections that come out of such tunnels. */
  readonly reenter: (socket: Duplex, tunnel: Duplex) => void
  readonly log: Log
  /** Gets a line of each tunnel to a server when it has ended. */
  readonly noteAside: NoteAside | undefined
  /** How long a client may take until it has begun to speak with the server it named. */
  readonly timeoutMs: number
}

/** How a client is answered that wants a tunnel. */
export interface TunnelAnswers {
  accept(): void
  refuse(error: SimError): void
}

/** Gives a client its tunnel: to the server, or one that ends here, whose requests are handled as all others. */
export type OpenTunnel = (client: Duplex, tunnel: Tunnel, answers: TunnelAnswers) => Promise<void>

/** The one way to a tunnel, however it is requested. */
export function createTunnels(options: TunnelOptions): OpenTunnel {
  const { openTunnel, intercepts, log, noteAside } = options
  return async (client, tunnel, { accept, refuse }) => {
    let isAccepted = false
    try {
      const host = readHost(tunnel.authority)
      if (host?.port === undefined || host.port === 0) throw malformed('CONNECT names a host and a port')
      if (intercepts(host)) {
        isAccepted = true
        accept()
        await endHere(client, host.name, tunnel, options)
        return
      }
      const server = await openTunnel(tunnel.authority)
      isAccepted = true
      if (client.destroyed) server.destroy()
      else accept()
      if (noteAside !== undefined) noteEnd(tunnel, server, noteAside)
      pipeSockets(client, server)
    } catch (error) {
      if (!SimError.is(error)) log.error(error as Error)
      if (SimError.is(error) && !isAccepted) refuse(error)
      else client.destroy()
    }
  }
}

function noteEnd({ authority }: Tunnel, server: Socket, noteAside: NoteAside): void {
  const started = performance.now()
  server.once('close', () => {
    const ms = Math.round((performance.now() - started) * 1000) / 1000
    noteAside({
      method: 'CONNECT',
      path: authority,
      status: 200,
      ms,
      bytes: server.bytesRead,
      by: 'upstream',
    })
  })
}

/** Says of a tunnel that it was refused. A name and a password before the host are left out. */
export function noteRefused(noteAside: NoteAside | undefined, authority: string, error: SimError): void {
  const path = authority.replace(/^.*@/, '')
  noteAside?.({ method: 'CONNECT', path, status: error.statusCode, by: 'gateway', error: error.code })
}

async function endHere(
  client: Duplex,
  host: string,
  tunnel: Tunnel,
  { endTls, reenter, timeoutMs }: TunnelOptions,
): Promise<void> {
  const timer = setTimeout(() => client.destroy(), timeoutMs)
  // Some clients open a tunnel for plain HTTP too; the first byte of a TLS greeting is 22.
  const first = await firstByte(client)
  clearTimeout(timer)
  if (first === 22) return endTls(client, host, tunnel)
  setTunnel(client, tunnel)
  reenter(client, client)
}

function firstByte(socket: Duplex): Promise<number | undefined> {
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
