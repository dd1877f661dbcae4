import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { PLAIN_HOST, readHost } from '../routing/host.ts'
import { RequestMalformed, RequestMisdirected, SimError } from '../errors.ts'
import { isLoopback, plainAddress } from './ip-address.ts'
import type { AuthenticateClient } from './credentials.ts'

/** Whom a request is for, however it reached the gateway. */
export interface RequestTarget {
  /** Whether the client named the server that is to answer: in absolute form, or by CONNECT. */
  readonly isProxied: boolean
  readonly scheme: 'http' | 'https'
  /** The authority that the client named: host and, where it is not the scheme's default, port. */
  readonly host: string
  /** Path and query as the client wrote them; `*` for the server itself. */
  readonly url: string
  /** Who the client says it is to the proxy. */
  readonly user: string | undefined
  /** Whether it is for a server that the client named, and not for what is there. */
  readonly isOfServer?: boolean
}

/** A tunnel whose traffic is read here. */
export interface Tunnel {
  /** Host and port as the client wrote them in CONNECT. */
  readonly authority: string
  /** Who the client said it is to the proxy. */
  readonly user: string | undefined
}

const TARGET = Symbol('target')
const PASSED = Symbol('passed')
const LAST = Symbol('last request')
const REFUSED = Symbol('refused')
const HOST = Symbol('host')
const TUNNEL = Symbol('tunnel')
const MAX_HEADERS = 2_000

/** What is known of a connection besides its current request. */
interface Connection {
  readonly encrypted?: boolean
  [LAST]?: IncomingMessage
  [REFUSED]?: boolean
  /** The last Host header that was right. */
  [HOST]?: string
  [TUNNEL]?: Tunnel
}

/** Marks a connection that comes out of a tunnel. */
export function setTunnel(socket: Duplex, tunnel: Tunnel): void {
  ;(socket as Connection)[TUNNEL] = tunnel
}

/** The tunnel that a connection comes out of. */
export function tunnelOf(socket: Duplex | undefined): Tunnel | undefined {
  return (socket as Connection | undefined)?.[TUNNEL]
}

/** The request whose head came last on a connection; its body may still be on the way. */
export function lastRequestOf(socket: Duplex): IncomingMessage | undefined {
  return (socket as Connection)[LAST]
}

/** The error of a malformed request. */
export function malformed(reason: string, statusCode = 400): RequestMalformed {
  return new RequestMalformed(reason, { statusCode })
}

/**
 * The target of a request, read once; a client that uses the gateway as a proxy says who it is, unless it has done so
 * for its tunnel.
 * @throws RequestMalformed, RequestMisdirected, ProxyAuthRequired
 */
export function enterTarget(request: IncomingMessage, authenticate: AuthenticateClient): RequestTarget {
  const target = readTarget(request)
  if (target instanceof SimError) throw target
  if (!target.isProxied || passedOf(request) !== undefined) return target
  if (tunnelOf(request.socket) !== undefined) return target
  return { ...target, user: authenticate(request.headers['proxy-authorization']) }
}

/** What a request was for where another gateway has passed it on. */
export type PassedTarget = Omit<RequestTarget, 'url' | 'user'> & {
  readonly user?: string | undefined
  readonly remoteAddress?: string | undefined
  readonly forget?: string | undefined
}

/** Has a request count as the one that another gateway got, or as refused. */
export function setPassed(request: IncomingMessage, passed: PassedTarget | SimError): void {
  const marked = request as { [TARGET]?: RequestTarget | SimError; [PASSED]?: PassedTarget }
  if (passed instanceof SimError) {
    marked[TARGET] = passed
    return
  }
  const { isProxied, scheme, host, user } = passed
  marked[TARGET] = { isProxied, scheme, host, url: request.url ?? '/', user }
  marked[PASSED] = passed
}

/** What is known of a request that another gateway has passed on. */
export function passedOf(request: IncomingMessage): PassedTarget | undefined {
  return (request as { [PASSED]?: PassedTarget })[PASSED]
}

/** Whether a request is for a server itself: the last proxy on its way sends it so (RFC 9112, section 3.2.4). */
export function isForServer(request: IncomingMessage): boolean {
  if (request.method !== 'OPTIONS') return false
  const target = readTarget(request)
  return !(target instanceof SimError) && target.isOfServer === true
}

function readTarget(request: IncomingMessage): RequestTarget | SimError {
  const marked = request as { [TARGET]?: RequestTarget | SimError | undefined }
  const known = marked[TARGET]
  if (known !== undefined) return known
  // HTTP/2's has none once its stream has ended.
  const connection = (request.socket as Connection | undefined) ?? {}
  try {
    return (marked[TARGET] = parseTarget(request, connection))
  } catch (error) {
    if (!SimError.is(error)) throw error
    // Nobody knows what of all that still comes on its connection is a request.
    if (error instanceof RequestMalformed && !('stream' in request)) connection[REFUSED] = true
    return (marked[TARGET] = error)
  }
}

const ABSOLUTE = /^(https?):\/\/([^/?]*)(.*)$/i

/** RFC 9110, section 10.1.1. */
const KNOWN_EXPECTATION = /^100-continue$/i

function parseTarget(request: IncomingMessage, connection: Connection): RequestTarget {
  const { url = '/', headers } = request
  if ('stream' in request) validateAuthority(headers)
  else validateHead(request, connection)
  if (url.includes('#')) throw malformed('its target has a fragment')
  const { expect } = headers
  if (expect !== undefined && !KNOWN_EXPECTATION.test(expect))
    throw malformed(`it expects ${JSON.stringify(expect)}, which is not known`, 417)
  const scheme = connection.encrypted === true ? 'https' : 'http'
  const authority = (headers[':authority'] as string | undefined) ?? headers.host
  const { [TUNNEL]: tunnel } = connection
  if (tunnel === undefined && url.charCodeAt(0) === SLASH)
    return { isProxied: false, scheme, host: authority ?? '', url, user: undefined }

  const [, named, written, rest = ''] = url.startsWith('/') ? [] : (ABSOLUTE.exec(url) ?? [])
  const host = named === undefined ? undefined : hostNamed(written)
  const path = host === undefined ? url : rest.startsWith('/') ? rest : `/${rest}`
  if (path === '*' ? request.method !== 'OPTIONS' : !path.startsWith('/'))
    throw malformed('its target is neither a path nor an http or https URL')
  if (tunnel !== undefined) return inTunnel(tunnel, scheme, path, host ?? authority)
  if (host === undefined || isOwnAuthority(host, request.socket))
    return { isProxied: false, scheme, host: host ?? authority ?? '', url: path, user: undefined }
  const isSecure = named?.toLowerCase() === 'https'
  const isOfServer = rest === '' && request.method === 'OPTIONS'
  return {
    isProxied: true,
    scheme: isSecure ? 'https' : 'http',
    host,
    url: path,
    user: undefined,
    isOfServer,
  }
}

const SLASH = 0x2f

// RFC 9113, section 8.3.1.
function validateAuthority({ ':authority': authority, host }: IncomingMessage['headers']): void {
  if (typeof authority !== 'string') return
  const named = readHost(authority)
  if (named === undefined) throw malformed('its :authority names no host')
  if (host === undefined || host === authority) return
  const other = readHost(host)
  if (other?.name !== named.name || other.port !== named.port)
    throw malformed('its Host header and its :authority name two hosts')
}

// RFC 9110, section 4.2.4: a user name in a URL hides which host is meant.
function hostNamed(authority = ''): string {
  if (authority.includes('@')) throw malformed('its target holds a user name')
  if (readHost(authority) === undefined) throw malformed('its target names no host')
  return authority
}

function inTunnel(
  tunnel: Tunnel,
  scheme: 'http' | 'https',
  url: string,
  requested: string | undefined,
): RequestTarget {
  const host = tunnel.authority.replace(scheme === 'https' ? /:443$/ : /:80$/, '')
  const opened = readHost(host)?.name ?? ''
  const named = requested === undefined ? undefined : readHost(requested)?.name
  // By an address alone the tunnel does not say which of the hosts there is meant.
  const isAddress = /^[\d.]+$|:/.test(opened)
  if (named !== undefined && named !== opened && !isAddress) throw new RequestMisdirected(named, opened)
  return { isProxied: true, scheme, host, url, user: tunnel.user }
}

/** Whether an authority is the one that a connection to this server was made to, so that no other server is meant. */
export function isOwnAuthority(authority: string, socket: Socket | undefined): boolean {
  const { localAddress, localPort } = socket ?? {}
  const host = readHost(authority)
  if (host === undefined || localAddress === undefined || (host.port ?? 80) !== localPort) return false
  const own = plainAddress(localAddress)
  return host.name === 'localhost' ? isLoopback(own) : plainAddress(host.name) === own
}

// Refuses what Node's parser lets pass although two servers could read it in two ways (RFC 9112).
function validateHead(request: IncomingMessage, connection: Connection): void {
  const { rawHeaders, headers, httpVersionMajor, httpVersionMinor } = request
  connection[LAST] = request
  if (connection[REFUSED] === true) throw malformed('so was one before it on the same connection')
  if (rawHeaders.length > 2 * MAX_HEADERS) throw malformed(`it has over ${MAX_HEADERS} headers`, 431)
  let hosts = 0
  let lengths = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
    else if (name.length === 14 && name.toLowerCase() === 'content-length') lengths++
  }
  if (httpVersionMajor !== 1 || httpVersionMinor > 1)
    throw malformed(`HTTP/${request.httpVersion} is not spoken here`, 505)
  if (hosts > 1) throw malformed('it has more than one Host header')
  // RFC 9112, section 3.2: an empty value is right where the target has no host.
  if (headers.host === undefined && httpVersionMinor === 1) throw malformed('it has no Host header')
  if (headers.host !== undefined && headers.host !== connection[HOST]) checkHost(headers.host, connection)
  if (lengths > 0 || headers['transfer-encoding'] !== undefined) checkLength(request, lengths)
}

function checkHost(host: string, connection: Connection): void {
  if (host === '') return
  if (!PLAIN_HOST.test(host) && readHost(host) === undefined) throw malformed('its Host header names no host')
  connection[HOST] = host
}

// RFC 9112, section 6.1.
function checkLength(request: IncomingMessage, lengths: number): void {
  const { 'transfer-encoding': encoding, 'content-length': length } = request.headers
  if (length !== undefined && (lengths > 1 || !/^\d+$/.test(length)))
    throw malformed('its Content-Length is not one number')
  if (encoding === undefined) return
  if (request.httpVersion === '1.0') throw malformed('HTTP/1.0 has no Transfer-Encoding')
  if (length !== undefined) throw malformed('it has both Content-Length and Transfer-Encoding')
  if (/^chunked$/i.test(encoding)) return
  const codings = encoding.split(',').map((coding) => coding.trim().toLowerCase())
  const isFramed = codings.indexOf('chunked') === codings.length - 1
  throw isFramed
    ? malformed(`Transfer-Encoding ${encoding} is not known here`, 501)
    : malformed('its Transfer-Encoding does not end with one chunked')
}

/**
 * A URL that Fastify's router takes: only path and query, whatever form the client chose, and without percent escapes
 * that are not UTF-8, which an upstream may well know. The URL as the client wrote it stays on the request.
 */
export function routableUrl(request: Pick<IncomingMessage, 'url'>): string {
  const { url: raw = '/' } = request
  if (raw.charCodeAt(0) === SLASH && !raw.includes('%')) return raw
  const target = readTarget(request as IncomingMessage)
  // What is malformed is refused when the request is handled.
  const url = target instanceof SimError ? '/' : target.url
  if (!url.includes('%')) return url.startsWith('/') ? url : '/'
  try {
    decodeURIComponent(url)
    return url
  } catch {
    return url.replaceAll('%', '%25')
  }
}
