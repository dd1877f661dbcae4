import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { ExchangeHead, HeaderPairs } from '../recording/files/har.ts'
import { createPairsOf, endToEnd, pairsOf, type FlatHeaders, type HeaderPair } from '../http/headers.ts'
import type { Recorder } from '../recording/capture/recorder.ts'
import { changeHeaders, settledHost } from './targets/header-changes.ts'
import type { Target } from './targets/targets.ts'
import { createAgents, type Pool } from './agents.ts'
import { AnswerTo } from './response-relay.ts'
import { createConnect, type UpstreamTls } from './connector.ts'
import { forwardUpgrade } from './forward-upgrade.ts'
import { namedError } from './named-error.ts'
import { placeOf, type Place } from './address.ts'
import { createReadBuffers } from './read-buffers.ts'
import { bodyOf, requestHeaders } from './request-headers.ts'
import { readUpstreamProxy, type ProxyAhead, type UpstreamProxy } from './proxy-tunnel.ts'
import { upgradeOf } from '../http/upgrade.ts'

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
  const buffers = createReadBuffers()
  const open = createConnect(tls, proxy, buffers)
  const agents = createAgents(open, headersTimeoutMs)
  const [askedPairs, answeredPairs] = [createPairsOf(), createPairsOf()]
  const connect: Upstream['connect'] = async (place) => {
    try {
      return await open(place, false)
    } catch (error) {
      throw namedError(`${place.hostname}:${place.port}`, error as Error)
    }
  }

  const dispatch = (target: Target, asked: Asked, answer: AnswerTo): void => {
    const { origin, lookup } = target
    // Where all is plain, there is no need to read the origin.
    if (lookup === undefined && proxy === undefined)
      return void agents.of(undefined, 0).dispatch(asked, answer)
    const place = placeOf(origin, lookup)
    const isAhead = place.protocol === 'http:' && proxy?.serves(place.hostname, place.port) === true
    if (isAhead) agents.of(undefined, 0).dispatch(inAbsoluteForm(asked, proxy), answer)
    else agents.of(lookup, place.port).dispatch(asked, answer)
  }
  const send = ({ request, response, target, recorder, body, begin }: Forwarding): Promise<void> => {
    const { origin, url } = target
    const passed = changeHeaders(endToEnd(request.rawHeaders), target.requestHeaders)
    const named = settledHost(target.requestHeaders)
    const headers = requestHeaders(request, passed)
    if (named !== undefined) headers.push('host', named)
    const tap = recorder?.begin(headOf(request, target, askedPairs(passed)))
    const asked = {
      method: request.method ?? 'GET',
      headers,
      body: bodyOf(request, body, tap),
      origin,
      path: url,
    }
    const change = (flat: FlatHeaders): FlatHeaders => changeHeaders(flat, target.responseHeaders)
    return new Promise<void>((resolve, reject) => {
      dispatch(
        target,
        asked,
        new AnswerTo(response, {
          tap,
          begin,
          change,
          origin,
          buffers,
          pairsOf: answeredPairs,
          resolve,
          reject,
        }),
      )
    })
  }

  return {
    connect,
    pools: () => agents.pools(),
    close: () => agents.close(),
    async forward(forwarding) {
      const { request, response, target, recorder, begin } = forwarding
      // The parser hands out a request before it has looked at what comes after it, which may be malformed; the first
      // chunk of a body, before it has read the next.
      await (request.headers['transfer-encoding'] === undefined ? undefined : setImmediate())
      if (hasLeft(request, response)) {
        begin()
        return void response.destroy()
      }
      const upgrade = upgradeOf(request)
      if (upgrade === undefined) return send(forwarding)
      const { origin, url, lookup } = target
      const method = request.method ?? 'GET'
      const socket = await connect(placeOf(origin, lookup))
      const host = settledHost(target.requestHeaders) ?? new URL(origin).host
      const passed = changeHeaders(endToEnd(request.rawHeaders), target.requestHeaders)
      const pairs = pairsOf([...passed, 'Upgrade', String(request.headers.upgrade)])
      const tap = recorder?.begin(headOf(request, target, pairs))
      const asked = { method, url, host, headers: requestHeaders(request, passed), request }
      const change = (flat: FlatHeaders): FlatHeaders => changeHeaders(flat, target.responseHeaders)
      return forwardUpgrade({ ...asked, upgrade, response, socket, tap, begin, change })
    },
  }
}

// The request line, as a recording has it.
function headOf(
  { method = 'GET', httpVersion }: IncomingMessage,
  { origin, url }: Target,
  headers: HeaderPairs,
): ExchangeHead {
  return { method, url: `${origin}${url}`, httpVersion: `HTTP/${httpVersion}`, headers }
}

// The client is gone since its request's head was read, or was refused because the rest of it is malformed.
function hasLeft(request: IncomingMessage, response: ServerResponse): boolean {
  const { stream } = response as { stream?: { destroyed: boolean } }
  return stream === undefined ? response.destroyed || request.socket.writableEnded : stream.destroyed
}

type Asked = Dispatcher.DispatchOptions & { readonly origin: string; readonly headers: readonly string[] }

// A proxy ahead is asked for plain HTTP in absolute form (RFC 9112, section 3.2.2), and for a tunnel otherwise.
function inAbsoluteForm(asked: Asked, proxy: ProxyAhead): Dispatcher.DispatchOptions {
  const opening = Object.entries(proxy.headers).flat()
  const isNamed = asked.headers.some((each, index) => index % 2 === 0 && each === 'host')
  const host = isNamed ? [] : ['host', new URL(asked.origin).host]
  const headers = [...asked.headers, ...host, ...opening]
  return { ...asked, origin: proxy.origin, path: `${asked.origin}${asked.path}`, headers }
}
