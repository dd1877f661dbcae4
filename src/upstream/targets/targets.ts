import type { LookupFunction } from 'node:net'
import { OptionInvalid, TargetRefused } from '../../errors.ts'
import { isHeaderName, pairsOf } from '../../http/headers.ts'
import type { ServedUrl } from '../../http/client-urls.ts'
import type { HttpRequest } from '../../message.ts'
import { hostOfCall, readHost, readHostPattern, type NamedHost } from '../../routing/host.ts'
import { createGuard, type Listening, type Resolve } from './guard.ts'
import { changeHeaders, hostIn, type HeaderChanges } from './header-changes.ts'
import { createRewrite, type Rewrite } from './rewrite.ts'
import { createServedUrls, type ServedUrls } from './served-urls.ts'

/** Where a request that is forwarded goes, and how. */
export interface Target {
  /** Scheme, host and port of the server, such as `http://127.0.0.1:3000`. */
  readonly origin: string
  /** Path and query to request. */
  readonly url: string
  /** What is done to the headers on the way there, if anything. */
  readonly requestHeaders?: HeaderChanges | undefined
  /** What is done to the headers of the response, if anything. */
  readonly responseHeaders?: HeaderChanges | undefined
  /**
   * Resolves the server's name and refuses addresses that may not be reached. A connection must be made with it, so
   * that the address that was checked is the one connected to. Absent for the servers that the operator named.
   */
  readonly lookup: LookupFunction | undefined
  /** The base URL that the server has at the gateway; absent where the client named the server itself. */
  readonly served?: ServedUrl | undefined
}

/** Where a tunnel goes. */
export interface TunnelTarget {
  /** The name or address, without the brackets of IPv6. */
  readonly hostname: string
  readonly port: number
  /** As of `Target`. */
  readonly lookup: LookupFunction
}

/** Knows where requests go. */
export interface Targets {
  /** Whether the operator named a server at all. */
  readonly hasUpstream: boolean
  /**
   * The target of a request; `undefined` when there is none, which is a 404.
   * @param isProxied whether the client named the host as that of a proxy's target: in absolute form, or by CONNECT
   * @throws TargetRefused when the host may not be forwarded to
   */
  of(request: HttpRequest, isProxied: boolean): Target | undefined
  /**
   * The target of a CONNECT, by its authority as the client wrote it.
   * @throws TargetRefused when the host may not be forwarded to, or is not named by the authority
   */
  tunnel(authority: string): TunnelTarget
  /** What upstreams call themselves, and what their clients call them. */
  readonly urls: ServedUrls
}

/** Where requests may go. */
export interface TargetOptions {
  /** Servers by host and path; of those that take a request, the one that says most about it gets it. */
  readonly upstreams?: readonly UpstreamRule[] | undefined
  /** Whether clients may name the server to forward to, as those of a proxy do. */
  readonly proxy?: boolean | undefined
  /** The only hosts that clients may name, such as `api.example.com`, `*.example.com` or `10.0.0.7:8080`. */
  readonly allow?: readonly string[] | undefined
  /** Resolves the names that clients give. Default: as the system does. */
  readonly resolve?: Resolve | undefined
  /** Base URLs besides those of the upstreams that stand for the gateway's own. */
  readonly serverUrls?: readonly string[] | undefined
}

/** A server, and the requests that go to it. */
export interface UpstreamRule {
  /** Its base URL; the path of it comes before all others. */
  readonly url: string
  /** The hosts whose requests it takes, such as `api.example.com` or `*.example.com`; without it, any. */
  readonly host?: string | undefined
  /** The paths that it takes: this one, and all below it. */
  readonly path?: string | undefined
  /** Whether that prefix is left out of the path that is requested. */
  readonly stripPath?: boolean | undefined
  /** How paths change on the way, without the prefix if that is stripped; the first that fits counts. */
  readonly rewrite?: readonly Rewrite[] | undefined
  readonly requestHeaders?: HeaderChanges | undefined
  readonly responseHeaders?: HeaderChanges | undefined
}

/**
 * Decides where requests go.
 * @param upstream the server of all that nothing else takes
 * @param listening where the gateway listens
 * @throws OptionInvalid for an upstream or allowed host that cannot be
 */
export function createTargets(
  options: TargetOptions,
  upstream: string | undefined,
  listening: () => readonly Listening[],
): Targets {
  const { upstreams = [], proxy = false, allow, resolve, serverUrls = [] } = options
  const last: UpstreamRule[] = upstream === undefined ? [] : [{ url: upstream }]
  const rules = [...upstreams, ...last].map(compileRule).toSorted((a, b) => b.weight - a.weight)
  const addresses = remembered(listening)
  const guard = createGuard({ allow, listening: addresses, resolve })

  const checked = (authority: string, scheme?: 'http' | 'https'): NamedHost => {
    const written = readHost(authority)
    const host = hostOfCall({ host: authority, ...(scheme !== undefined && { scheme }) })
    if (written === undefined || host === undefined)
      throw new TargetRefused(shown(authority), 'that is not a host')
    if (!proxy) throw new TargetRefused(host.name, 'it is not a forward proxy')
    if (scheme === undefined && written.port === undefined)
      throw new TargetRefused(host.name, 'CONNECT names a host and a port')
    if (host.port === 0) throw new TargetRefused(host.name, 'nothing has port 0')
    guard.check(host)
    return host
  }
  const named = (request: HttpRequest): Target => {
    const { name, port } = checked(request.host, request.scheme)
    const { origin } = new URL(`${request.scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`)
    return { origin, url: withSearch(request.path, request), lookup: guard.lookup(port) }
  }
  return {
    urls: createServedUrls([
      ...rules.flatMap(({ served, alias }) => (alias === undefined ? [served] : [served, alias])),
      ...serverUrls.map((url) => ({ url, at: '' })),
    ]),
    hasUpstream: rules.length > 0,
    of(request, isProxied) {
      // What is meant for a proxy is a request like any other to a server that is none (RFC 9112, section 3.2.2).
      const isNamed = isProxied && proxy
      for (const rule of rules) {
        if (!rule.takes(request, isNamed)) continue
        if (addresses().some(({ port }) => port === rule.server.port)) guard.checkLoop(rule.server)
        return rule.targetOf(request)
      }
      return isNamed ? named(request) : undefined
    },
    tunnel(authority) {
      const { name, port } = checked(authority)
      return { hostname: name, port, lookup: guard.lookup(port) }
    },
  }
}

const [FIRST_MS, LAST_MS] = [1000, 60_000]

// To look up the addresses is a question to the system, which is too much for each request. An app that listens on a
// name begins on one of its addresses after the other: the longer ago that was, the less is new.
function remembered(addresses: () => readonly Listening[]): () => readonly Listening[] {
  let known: readonly Listening[] = []
  let until = 0
  let span = FIRST_MS
  return () => {
    const now = performance.now()
    if (now < until && known.length > 0) return known
    if (known.length > 0) span = Math.min(2 * span, LAST_MS)
    until = now + span
    known = addresses()
    return known
  }
}

function withSearch(path: string, { search }: HttpRequest): string {
  return search === '' ? path : `${path}?${search}`
}

function shown(authority: string): string {
  // What comes before the @ may be a password.
  return JSON.stringify(authority.replace(/^.*@/s, '…@').slice(0, 100))
}

interface CompiledRule {
  /** Orders rules that take the same request: the higher one says more. */
  readonly weight: number
  /** Where the upstream is. */
  readonly server: NamedHost
  readonly served: ServedUrl
  /** What the upstream takes itself for, where the `Host` that it gets is set. */
  readonly alias: ServedUrl | undefined
  /** @param isProxied whether the client of a proxy named the host */
  takes(request: HttpRequest, isProxied: boolean): boolean
  /** The target of a request that the rule takes. */
  targetOf(request: HttpRequest): Target
}

/** @throws OptionInvalid for a URL, host, path, rewrite or header that cannot be */
function compileRule(rule: UpstreamRule): CompiledRule {
  const { url, path = '/', stripPath = false, requestHeaders, responseHeaders } = rule
  const { origin, pathname, host: authority, protocol } = readBaseUrl(url)
  const basePath = pathname.replace(/\/$/, '')
  const host = rule.host === undefined ? undefined : readHostPattern(rule.host)
  if (rule.host !== undefined && host === undefined)
    throw new OptionInvalid(
      `upstreams: host must be like api.example.com or *.example.com, not '${rule.host}'`,
    )
  if (!path.startsWith('/')) throw new OptionInvalid(`upstreams: path must start with '/', not '${path}'`)
  const prefix = path.replace(/(?<!\/)\/+$/, '')
  const rewrite = rule.rewrite && createRewrite(rule.rewrite)
  checkHeaders(requestHeaders)
  checkHeaders(responseHeaders)
  const server = hostOfCall({ host: authority, scheme: protocol === 'https:' ? 'https' : 'http' })
  if (server === undefined) throw new OptionInvalid(`The upstream must be a URL with a host, not '${url}'`)
  const reached = `${basePath}${stripPath ? '' : prefix}`
  const served: ServedUrl = { url: `${origin}${reached}`, at: prefix, host: rule.host }
  const named = requestHeaders && hostIn(requestHeaders)
  return {
    served,
    alias: named === undefined ? undefined : { ...served, url: `${protocol}//${named}${reached}` },
    server,
    weight: (host?.weight ?? 0) * 10_000 + prefix.length,
    takes(request, isProxied) {
      if (request.path !== prefix && !request.path.startsWith(`${prefix}/`)) return false
      // A client of a proxy names the server itself: only a rule that names it too may send it elsewhere.
      if (host === undefined) return !isProxied
      const requested = hostOfCall(request)
      return requested !== undefined && host.matches(requested)
    },
    targetOf(request) {
      const kept = stripPath ? request.path.slice(prefix.length) || '/' : request.path
      const rewritten = rewrite === undefined ? kept : rewrite(kept)
      const target = withSearch(basePath + rewritten, request)
      return { origin, url: target, requestHeaders, responseHeaders, lookup: undefined, served }
    },
  }
}

function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new OptionInvalid(`The upstream must be a URL such as http://127.0.0.1:3000, not '${text}'`)
  }
  return url
}

// RFC 9110, section 5.1 and 5.5: a value that ends its line would begin another header.
function checkHeaders(changes: HeaderChanges = {}): void {
  for (const [name, value] of [
    ...pairsOf(changeHeaders([], changes)),
    ...(changes.remove ?? []).map((each) => [each, '']),
  ]) {
    if (!isHeaderName(name ?? '')) throw new OptionInvalid(`upstreams: '${name}' is not a header name`)
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value ?? ''))
      throw new OptionInvalid(
        `upstreams: the value of header ${name} holds a character that headers cannot have`,
      )
  }
}
