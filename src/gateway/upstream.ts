import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { endToEnd, pairsOf, type HeaderPair } from './headers.ts'
import type { Recorder } from './recorder.ts'
import { changeHeaders, settledHost } from './targets/header-changes.ts'
import type { Target } from './targets/targets.ts'
import { createAgents, type Pool } from './upstream/agents.ts'
import { answerTo, namedError } from './upstream/answer-to.ts'
import { createConnect, type UpstreamTls } from './upstream/connector.ts'
import { forwardUpgrade } from './upstream/forward-upgrade.ts'
import { placeOf, type Place } from './upstream/place-of.ts'
import { bodyOf, requestHeaders } from './upstream/request-of.ts'
import { readUpstreamProxy, type ProxyAhead, type UpstreamProxy } from './upstream/tunnel-through.ts'
import { upgradeOf } from './ways-in/upgrade.ts'

/** How upstreams are reached. */
export interface UpstreamOptions {
  readonly tls?: UpstreamTls | undefined
  /** Another proxy that they are reached through. */
  readonly proxy?: UpstreamProxy | undefined
  /** How long an upstream may take to begin its answer; a minute unless told. */
  readonly headersTimeoutMs?: number | undefined
}

/** The servers that requests are forwarded to. */
export interface Upstream {
  /** Streams a request to its target and the answer back; resolves when both have ended. */
  forward(exchange: Forwarding): Promise<void>
  /**
   * Opens a connection of its own, for what is no request and answer.
   * @throws UpstreamUnreachable, UpstreamTimeout
   */
  connect(place: Place): Promise<Socket>
  /** What the pooled connections do, by server. */
  pools(): readonly Pool[]
  close(): Promise<void>
}

/** One request on its way. */
export interface Forwarding {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: Target
  readonly recorder?: Recorder | undefined
  /** The request's body where some of it was read already; otherwise it comes from the request. */
  readonly body?: Readable | undefined
  /** Called when the upstream's answer begins; returns headers to add to it. */
  readonly begin: () => readonly HeaderPair[]
}

const HEADERS_TIMEOUT_MS = 60_000

/**
 * Reaches upstreams over pooled keep-alive connections, by HTTP/1.1 or HTTP/2 as TLS agrees on.
 * Bodies stream in both directions: the slower side sets the pace, and nothing is held back.
 * @throws OptionInvalid for an option that cannot be
 */
export function createUpstream(options: UpstreamOptions = {}): Upstream {
  const { tls, headersTimeoutMs = HEADERS_TIMEOUT_MS } = options
  const proxy = options.proxy === undefined ? undefined : readUpstreamProxy(options.proxy)
  const open = createConnect(tls, proxy)
  const agents = createAgents(open, headersTimeoutMs)
  const connect: Upstream['connect'] = async (place) => {
    try {
      return await open(place, false)
    } catch (error) {
      throw namedError(`${place.hostname}:${place.port}`, error as Error)
    }
  }

  return {
    connect,
    pools: () => agents.pools(),
    close: () => agents.close(),
    async forward({ request, response, target, recorder, body, begin }) {
      // The parser hands out the first chunk of a body before it has looked at the next, which may be malformed.
      if (request.headers['transfer-encoding'] !== undefined) await setImmediate()
      if (hasLeft(request, response)) {
        begin()
        return void response.destroy()
      }
      const { origin, url, lookup } = target
      const place = placeOf(origin, lookup)
      const method = request.method ?? 'GET'
      const pairs = changeHeaders(endToEnd(pairsOf(request.rawHeaders)), target.requestHeaders)
      const named = settledHost(target.requestHeaders)
      const headers = [...requestHeaders(request, pairs), ...(named === undefined ? [] : ['host', named])]
      const change = (answered: HeaderPair[]): HeaderPair[] => changeHeaders(answered, target.responseHeaders)

      const head = { method, url: `${origin}${url}`, httpVersion: `HTTP/${request.httpVersion}` }
      const upgrade = upgradeOf(request)
      if (upgrade !== undefined) {
        const socket = await connect(place)
        const host = named ?? new URL(origin).host
        const protocol: HeaderPair = ['Upgrade', String(request.headers.upgrade)]
        const tap = recorder?.begin({ ...head, headers: [...pairs, protocol] })
        const asked = { method, url, host, headers: requestHeaders(request, pairs), request }
        return forwardUpgrade({ ...asked, upgrade, response, socket, tap, begin, change })
      }
      const tap = recorder?.begin({ ...head, headers: pairs })
      const asked = { method, headers, body: bodyOf(request, body, tap), origin, path: url }
      const isAhead = place.protocol === 'http:' && proxy?.serves(place.hostname, place.port) === true
      return new Promise<void>((resolve, reject) => {
        const answer = answerTo(response, { tap, begin, change, origin, resolve, reject })
        if (isAhead) agents.of(undefined, 0).dispatch(inAbsoluteForm(asked, proxy), answer)
        else agents.of(lookup, place.port).dispatch(asked, answer)
      })
    },
  }
}

// The client is gone since its request's head was read, or was refused because the rest of it is malformed.
function hasLeft(request: IncomingMessage, response: ServerResponse): boolean {
  const { stream } = response as { stream?: { destroyed: boolean } }
  return stream === undefined ? response.destroyed || request.socket.writableEnded : stream.destroyed
}

// A proxy ahead is asked for plain HTTP in absolute form (RFC 9112, section 3.2.2), and for a tunnel otherwise.
function inAbsoluteForm(
  asked: Dispatcher.DispatchOptions & { readonly origin: string; readonly headers: readonly string[] },
  proxy: ProxyAhead,
): Dispatcher.DispatchOptions {
  const opening = Object.entries(proxy.headers).flat()
  const isNamed = asked.headers.some((each, index) => index % 2 === 0 && each === 'host')
  const host = isNamed ? [] : ['host', new URL(asked.origin).host]
  const headers = [...asked.headers, ...host, ...opening]
  return { ...asked, origin: proxy.origin, path: `${asked.origin}${asked.path}`, headers }
}
