import { request } from 'node:http'
import type { Socket } from 'node:net'
import { OptionInvalid } from '../errors.ts'
import { readNoProxy } from './no-proxy.ts'
import { placeOf, type Place } from './address.ts'

/** Another proxy that upstreams are reached through. */
export interface UpstreamProxy {
  /** `http://host:port` or `https://host:port`, with a user name and password where it asks for them. */
  readonly url: string
  /** Hosts that are reached directly, in the form of the environment variable `NO_PROXY`. */
  readonly noProxy?: string | undefined
}

/** Another proxy, ready to be used. */
export interface ProxyAhead {
  readonly origin: string
  readonly place: Place
  /** The headers that open it: its `Proxy-Authorization`, where it asks for one. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether a host is reached through it. */
  serves(hostname: string, port: number): boolean
}

/** @throws OptionInvalid when its URL is not an http or https URL */
export function readUpstreamProxy({ url: text, noProxy = '' }: UpstreamProxy): ProxyAhead {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new OptionInvalid('The upstream proxy must be a URL such as http://proxy.example.com:3128')
  }
  const isDirect = readNoProxy(noProxy)
  const place = placeOf(url.origin, undefined)
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const basic = `Basic ${Buffer.from(credentials).toString('base64')}`
  return {
    origin: url.origin,
    place,
    headers: url.username === '' ? {} : { 'proxy-authorization': basic },
    serves: (hostname, port) =>
      !(hostname === place.hostname && port === place.port) && !isDirect(hostname, port),
  }
}

/** Asks a proxy, on a connection to it, for a tunnel to an authority. Rejects when it refuses. */
export function tunnelThrough(socket: Socket, authority: string, proxy: ProxyAhead): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const asked = request({
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxy.headers },
      createConnection: () => socket,
    })
    asked.once('error', reject)
    asked.once('response', (response) => {
      socket.destroy()
      reject(new Error(`the proxy ${proxy.origin} answered ${response.statusCode} to CONNECT ${authority}`))
    })
    asked.once('connect', (response, tunnel: Socket, head) => {
      if (response.statusCode !== 200) {
        tunnel.destroy()
        reject(new Error(`the proxy ${proxy.origin} answered ${response.statusCode} to CONNECT ${authority}`))
        return
      }
      if (head.length > 0) tunnel.unshift(head)
      resolve(tunnel)
    })
    asked.end()
  })
}
