import { request, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { OptionInvalid, UpstreamProxyRefused } from '../errors.ts'
import { readNoProxy } from './no-proxy.ts'
import { addressOf, type Address } from './address.ts'

/** Another proxy that upstreams are reached through. */
export interface UpstreamProxy {
  /** `http://host:port` or `https://host:port`, with a user name and password where it requires them. */
  readonly url: string
  /** Hosts that are reached directly, in the form of the environment variable `NO_PROXY`. */
  readonly noProxy?: string | undefined
}

/** Another proxy, ready to be used. */
export interface NextProxy {
  readonly origin: string
  readonly address: Address
  /** The headers that open it: its `Proxy-Authorization`, where it requires one. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether a host is reached through it. */
  serves(hostname: string, port: number): boolean
}

/** @throws OptionInvalid when its URL is not an http or https URL */
export function readUpstreamProxy({ url: text, noProxy = '' }: UpstreamProxy): NextProxy {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new OptionInvalid('The upstream proxy must be a URL such as http://proxy.example.com:3128')
  }
  const isDirect = readNoProxy(noProxy)
  const address = addressOf(url.origin, undefined)
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const basic = `Basic ${Buffer.from(credentials).toString('base64')}`
  return {
    origin: url.origin,
    address,
    headers: url.username === '' ? {} : { 'proxy-authorization': basic },
    serves: (hostname, port) =>
      !(hostname === address.hostname && port === address.port) && !isDirect(hostname, port),
  }
}

/** Requests a tunnel to an authority from a proxy, on a connection to it. Rejects when it refuses. */
export function tunnelThrough(socket: Socket, authority: string, proxy: NextProxy): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const requested = request({
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxy.headers },
      createConnection: () => socket,
    })
    const refuse = ({ statusCode }: IncomingMessage): void => {
      socket.destroy()
      reject(new UpstreamProxyRefused(proxy.origin, statusCode ?? 0, authority))
    }
    requested.once('error', reject)
    requested.once('response', refuse)
    requested.once('connect', (response, tunnel: Socket, head) => {
      if (response.statusCode !== 200) return refuse(response)
      if (head.length > 0) tunnel.unshift(head)
      resolve(tunnel)
    })
    requested.end()
  })
}
