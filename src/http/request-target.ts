import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { readHost } from '../routing/host.ts'
import { RequestMalformed, RequestMisdirected, SimError } from '../errors.ts'
import type { AuthenticateClient } from './proxy-auth.ts'
import { closeAfterResponse, malformed, validateHead } from './request-head.ts'
import { isOwnAuthority } from './own-authority.ts'

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
  readonly user?: string | undefined
}

/** A tunnel whose traffic is read here. */
export interface Tunnel {
  /** Host and port as the client wrote them in CONNECT. */
  readonly authority: string
  /** Who the client said it is to the proxy. */
  readonly user: string | undefined
}

const TUNNEL = Symbol('tunnel')
const TARGET = Symbol('target')

/** Marks a connection that comes out of a tunnel. */
export function setTunnel(socket: Duplex, tunnel: Tunnel): void {
  ;(socket as { [TUNNEL]?: Tunnel })[TUNNEL] = tunnel
}

/** The tunnel that a request came through, if any. */
export function tunnelOf(request: IncomingMessage): Tunnel | undefined {
  return (request.socket as { [TUNNEL]?: Tunnel } | undefined)?.[TUNNEL]
}

/**
 * The target of a request, read once.
 * @throws RequestMalformed, RequestMisdirected
 */
export function readTarget(request: IncomingMessage): RequestTarget {
  const marked = request as { [TARGET]?: RequestTarget | SimError }
  const target = (marked[TARGET] ??= attempt(request))
  if (target instanceof SimError) throw target
  return target
}

/**
 * As `readTarget`; a client that uses the gateway as a proxy says who it is, unless it has done so
 * for its tunnel.
 * @throws RequestMalformed, RequestMisdirected, ProxyAuthRequired
 */
export function enterTarget(request: IncomingMessage, authenticate: AuthenticateClient): RequestTarget {
  const target = readTarget(request)
  if (!target.isProxied || tunnelOf(request) !== undefined) return target
  return { ...target, user: authenticate(request.headers['proxy-authorization']) }
}

function attempt(request: IncomingMessage): RequestTarget | SimError {
  try {
    return parseTarget(request)
  } catch (error) {
    if (error instanceof RequestMalformed) closeAfterResponse(request)
    if (error instanceof SimError) return error
    throw error
  }
}

const ABSOLUTE = /^(https?):\/\/([^/?]*)(.*)$/i

function parseTarget(request: IncomingMessage): RequestTarget {
  const { url = '/' } = request
  const tunnel = tunnelOf(request)
  validateHead(request)
  if (url.includes('#')) throw malformed('its target has a fragment')
  const [, scheme, authority, rest = ''] = url.startsWith('/') ? [] : (ABSOLUTE.exec(url) ?? [])
  const named = scheme === undefined ? undefined : hostNamed(authority)
  const path = named === undefined ? url : rest.startsWith('/') ? rest : `/${rest}`
  if (path === '*' ? request.method !== 'OPTIONS' : !path.startsWith('/'))
    throw malformed('its target is neither a path nor an http or https URL')

  if (tunnel !== undefined) return inTunnel(request, tunnel, path, named ?? hostOf(request))
  if (named === undefined || isOwnAuthority(named, request.socket)) {
    return { isProxied: false, scheme: schemeOf(request), host: named ?? hostOf(request) ?? '', url: path }
  }
  return {
    isProxied: true,
    scheme: scheme?.toLowerCase() === 'https' ? 'https' : 'http',
    host: named,
    url: path,
  }
}

// RFC 9110, section 4.2.4: a user name in a URL hides which host is meant.
function hostNamed(authority = ''): string {
  if (authority.includes('@')) throw malformed('its target holds a user name')
  if (readHost(authority) === undefined) throw malformed('its target names no host')
  return authority
}

function inTunnel(
  request: IncomingMessage,
  tunnel: Tunnel,
  url: string,
  requested: string | undefined,
): RequestTarget {
  const scheme = schemeOf(request)
  const host = tunnel.authority.replace(scheme === 'https' ? /:443$/ : /:80$/, '')
  const [led, named] = [
    readHost(host)?.name ?? '',
    requested === undefined ? undefined : readHost(requested)?.name,
  ]
  // By an address alone the tunnel does not say which of the hosts there is meant.
  const isAddress = /^[\d.]+$|:/.test(led)
  if (named !== undefined && named !== led && !isAddress) throw new RequestMisdirected(named, led)
  return { isProxied: true, scheme, host, url, user: tunnel.user }
}

function schemeOf(request: IncomingMessage): 'http' | 'https' {
  return (request.socket as { encrypted?: boolean } | undefined)?.encrypted === true ? 'https' : 'http'
}

function hostOf({ headers }: IncomingMessage): string | undefined {
  const { ':authority': authority, host } = headers
  return typeof authority === 'string' ? authority : host
}

/**
 * A URL that Fastify's router takes: only path and query, whatever form the client chose, and without percent escapes
 * that are not UTF-8, which an upstream may well know. The URL as the client wrote it stays on the request.
 */
export function routableUrl(request: Pick<IncomingMessage, 'url'>): string {
  const { url: raw = '/' } = request
  if (raw.startsWith('/') && !raw.includes('%')) return raw
  const url = urlOf(request as IncomingMessage)
  if (!url.includes('%')) return url.startsWith('/') ? url : '/'
  try {
    decodeURIComponent(url)
    return url
  } catch {
    return url.replaceAll('%', '%25')
  }
}

// What is malformed is refused when the request is read.
function urlOf(request: IncomingMessage): string {
  try {
    return readTarget(request).url
  } catch {
    return '/'
  }
}
