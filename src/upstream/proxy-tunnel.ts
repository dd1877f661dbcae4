import { request, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import { OptionInvalid, UpstreamProxyRefused } from '../errors.ts'
import { readNoProxy } from './no-proxy.ts'
import { addressOf, type Address } from './address.ts'
import { tunnelThroughSocks5 } from './socks5-tunnel.ts'

/** A request as undici sends it. */
export type SentRequest = Dispatcher.DispatchOptions & {
  readonly origin: string
  readonly headers: string[]
}

/** Another proxy that upstreams are reached through. */
export interface UpstreamProxy {
  /** `http://`, `https://` or `socks5://` with host and port, and a user name and password where it requires them. */
  readonly url: string
  /** Hosts that are reached directly, in the form of the environment variable `NO_PROXY`. */
  readonly noProxy?: string | undefined
}

/** Another proxy, ready to be used. */
export interface NextProxy {
  readonly origin: string
  readonly address: Address
  /** Whether it takes requests in absolute form. */
  readonly takesRequests: boolean
  /** The headers that open it: its `Proxy-Authorization`, where it requires one. */
  readonly headers: Readonly<Record<string, string>>
  /** Opens a tunnel to an authority, on a connection to it. Rejects when it refuses. */
  tunnel(socket: Socket, authority: string): Promise<Socket>
  /** Whether a host is reached through it. */
  serves(hostname: string, port: number): boolean
}

const SOCKS5_PORT = 1080

/** @throws OptionInvalid when its URL is of another kind */
export function readUpstreamProxy({ url: text, noProxy = '' }: UpstreamProxy): NextProxy {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^(https?|socks5h?):$/.test(url.protocol) || url.hostname === '') {
    throw new OptionInvalid(
      'The upstream proxy must be a URL such as http://proxy.example.com:3128 or socks5://proxy.example.com:1080',
    )
  }
  const isDirect = readNoProxy(noProxy)
  const isSocks5 = url.protocol.startsWith('socks5')
  const address = addressOf(
    isSocks5 ? `http://${url.hostname}:${url.port || SOCKS5_PORT}` : url.origin,
    undefined,
  )
  const origin = isSocks5 ? `${url.protocol}//${url.hostname}:${address.port}` : url.origin
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const headers = user === '' ? {} : { 'proxy-authorization': basic }
  return {
    ...{ origin, address, headers, takesRequests: !isSocks5 },
    tunnel: (socket, authority) =>
      isSocks5
        ? tunnelThroughSocks5(socket, authority, { origin, user, password })
        : tunnelThrough(socket, authority, { origin, headers }),
    serves: (hostname, port) =>
      !(hostname === address.hostname && port === address.port) && !isDirect(hostname, port),
  }
}

function tunnelThrough(
  socket: Socket,
  authority: string,
  proxy: Pick<NextProxy, 'origin' | 'headers'>,
): Promise<Socket> {
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

/** A request in the absolute form that a next proxy gets of plain HTTP (RFC 9112, section 3.2.2). */
export function inAbsoluteForm(sent: SentRequest, proxy: NextProxy): Dispatcher.DispatchOptions {
  const isNamed = sent.headers.some((each, index) => index % 2 === 0 && each === 'host')
  const host = isNamed ? [] : ['host', new URL(sent.origin).host]
  const headers = [...sent.headers, ...host, ...Object.entries(proxy.headers).flat()]
  return { ...sent, origin: proxy.origin, path: `${sent.origin}${sent.path}`, headers }
}
