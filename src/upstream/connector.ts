import { isIPv6, type Socket } from 'node:net'
import { rootCertificates } from 'node:tls'
import { readHostList } from '../routing/host.ts'
import type { Address } from './address.ts'
import type { ReadBuffers } from './socket-reads.ts'
import type { NextProxy } from './proxy-tunnel.ts'
import { undici } from './undici.ts'

/** What TLS to upstreams goes by. */
export interface UpstreamTls {
  /** Hosts whose certificates are not checked, such as `localhost` or `*.test`. */
  readonly insecure?: readonly string[] | undefined
  /** Certificates (PEM) of authorities that are trusted besides the well-known ones. */
  readonly ca?: string | undefined
  /** Certificate and key (PEM) that this gateway shows when an upstream asks for them. */
  readonly clientCert?: string | undefined
  readonly clientKey?: string | undefined
}

/**
 * Opens a connection, with TLS for `https:`, through the next proxy where that serves the host.
 * @param allowH2 whether HTTP/2 may be agreed on
 */
export type Connect = (address: Address, allowH2: boolean) => Promise<Socket>

/** How long it may take until a connection is there, with TLS and through a proxy. */
export const CONNECT_TIMEOUT_MS = 10_000
// More than Node reads at once, so that reading does not stop and start again with each full read.
const READ_AHEAD_BYTES = 128 * 1024

/** @throws OptionInvalid when a host of `insecure` is not a host */
export function createConnect(
  tls: UpstreamTls = {},
  proxy?: NextProxy,
  buffers?: ReadBuffers,
  timeoutMs = CONNECT_TIMEOUT_MS,
): Connect {
  const isInsecure = readHostList('insecure', tls.insecure)
  const credentials = {
    ...(tls.ca !== undefined && { ca: [...rootCertificates, tls.ca] }),
    ...(tls.clientCert !== undefined && { cert: tls.clientCert }),
    ...(tls.clientKey !== undefined && { key: tls.clientKey }),
  }
  const open = (address: Address, allowH2: boolean, through?: Socket): Promise<Socket> => {
    const { protocol, hostname, port, lookup } = address
    const connect = undici().buildConnector({
      ...credentials,
      allowH2,
      timeout: timeoutMs,
      maxCachedSessions: 0,
      ...(protocol === 'http:' && { highWaterMark: READ_AHEAD_BYTES }),
      ...(protocol === 'http:' && allowH2 && buffers !== undefined && { onread: buffers.onread }),
      ...(lookup !== undefined && { lookup }),
      ...(isInsecure({ name: hostname, port }) && { rejectUnauthorized: false }),
    })
    const options = { protocol, hostname, host: hostname, port: String(port) }
    return new Promise((resolve, reject) => {
      connect({ ...options, ...(through !== undefined && { httpSocket: through }) }, (error, socket) =>
        error === null ? resolve(socket) : reject(error),
      )
    })
  }
  return async (address, allowH2) => {
    if (proxy?.serves(address.hostname, address.port) !== true) return open(address, allowH2)
    const socket = await open(proxy.address, false)
    const tunnel = await inTime(socket, proxy.tunnel(socket, authorityOf(address)), timeoutMs)
    return address.protocol === 'https:' ? open(address, allowH2, tunnel) : tunnel
  }
}

// A proxy may take a connection and say nothing.
async function inTime(socket: Socket, tunnel: Promise<Socket>, timeoutMs: number): Promise<Socket> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(Object.assign(new Error('the proxy did not answer'), { code: 'UND_ERR_CONNECT_TIMEOUT' }))
      socket.destroy()
    }, timeoutMs)
  })
  try {
    return await Promise.race([tunnel, late])
  } finally {
    clearTimeout(timer)
  }
}

function authorityOf({ hostname, port }: Address): string {
  return `${isIPv6(hostname) ? `[${hostname}]` : hostname}:${port}`
}
