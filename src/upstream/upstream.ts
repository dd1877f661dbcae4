import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Agent, Dispatcher } from 'undici'
import { OptionInvalid, type UpstreamBodyTimeout, type UpstreamCut } from '../errors.ts'
import { HANDLED, type HttpResponse } from '../message.ts'
import type { ClientUrls } from '../http/client-urls.ts'
import { createPairsOf, pairsOf, type FlatHeaders, type HeaderPair } from '../http/headers.ts'
import { isForServer } from '../http/request-head.ts'
import { hasLeft } from '../http/response-writer.ts'
import { upgradeOf, type Upgrade } from '../http/upgrade.ts'
import { strongIfMatch } from '../http/rewrite-body.ts'
import type { ExchangeRecorder } from '../recording/capture/recorder.ts'
import type { Tap } from '../recording/capture/tap.ts'
import { addressOf, type Address } from './address.ts'
import { createAgents, type Pool } from './agents.ts'
import { createConnect, type UpstreamTls } from './connector.ts'
import { keepOffline } from './offline.ts'
import { namedError } from './named-error.ts'
import { expectationOf, maySendAgain, sendOnOwnConnection } from './own-connection.ts'
import { inAbsoluteForm, readUpstreamProxy, type SentRequest, type UpstreamProxy } from './proxy-tunnel.ts'
import { createReadBuffers } from './socket-reads.ts'
import type { AnswerHold } from './answer-hold.ts'
import { bodyOf, headOf, passedHeaders, sentHeaders } from './sent-request.ts'
import { collect, type Collected, type Collecting } from './collect-response.ts'
import { ResponseRelay } from './response-relay.ts'
import { hostIn, saysOf } from './targets/header-changes.ts'
import type { Target } from './targets/targets.ts'

/** How upstreams are reached. */
export interface UpstreamOptions {
  readonly tls?: UpstreamTls | undefined
  /** Whether nothing beyond this machine is reached: no address but loopback, and no name but `localhost`. */
  readonly offline?: boolean | undefined
  /** Another proxy that they are reached through. */
  readonly proxy?: UpstreamProxy | undefined
  /** How long it may take until a connection is there, with TLS and through the proxy. Default: ten seconds. */
  readonly connectTimeoutMs?: number | undefined
  /** How long an upstream may take to begin its response. Default: a minute. */
  readonly headersTimeoutMs?: number | undefined
  /** How long an upstream may pause within a response. Default: as long as it likes, as an event stream may for hours. */
  readonly bodyTimeoutMs?: number | undefined
}

/** The servers that requests are forwarded to. */
export interface Upstream {
  /** Streams a request to its target and the response back; resolves when both have ended. */
  forward(forwarding: Forwarding): Promise<HttpResponse>
  /** Sends a request that nobody waits for, and resolves with the whole response. @throws SimError where there is none */
  request(collecting: Collecting): Promise<Collected>
  /**
   * Opens a connection of its own, for what is not a request with a response.
   * @throws UpstreamUnreachable, UpstreamTimeout
   */
  connect(address: Address): Promise<Socket>
  /** What the pooled connections do, by server. */
  pools(): readonly Pool[]
  close(): Promise<void>
}

/** A request that is forwarded. */
export interface Forwarding {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: Target
  readonly recorder?: ExchangeRecorder | undefined
  /** Holds the response back until it is known whether the client may have it. */
  readonly hold?: AnswerHold | undefined
  /** The request's body where some of it was read already; otherwise it comes from the request. */
  readonly body?: Readable | undefined
  /** Put into `X-Request-Id`, where nothing else is said of that. */
  readonly requestId?: string | undefined
  /** Gets the length of the response's body as the upstream sent it. */
  readonly sized?: ((bytes: number) => void) | undefined
  /** Called with status and headers when the upstream's response begins; returns headers to add to it. */
  readonly begin: (status: number, flat: FlatHeaders) => readonly HeaderPair[]
  /** Called when the connection goes on in another protocol. */
  readonly switched?: (() => void) | undefined
  /** Called when the upstream breaks its response off. */
  readonly broken?: ((error: UpstreamCut | UpstreamBodyTimeout) => void) | undefined
  /** The upstream's URLs as the client knows them; nothing where they are the same. */
  readonly urls?: (() => ClientUrls | undefined) | undefined
  /** Whether bodies of responses get these, too. */
  readonly rewriteBodies?: boolean
}

/** A request that is under way: what records it, and what takes its response. */
interface Relayed {
  readonly tap: Tap | undefined
  readonly relay: ResponseRelay
}

type Resolve = (response: HttpResponse) => void
type Reject = (error: Error) => void

const HEADERS_TIMEOUT_MS = 60_000

/**
 * Reaches upstreams over pooled keep-alive connections, by HTTP/1.1 or HTTP/2 as TLS agrees on.
 * Bodies stream in both directions: the slower side sets the pace, and nothing is held back.
 * @throws OptionInvalid for an option that cannot be
 */
export function createUpstream(options: UpstreamOptions = {}): Upstream {
  const { tls, offline = false, headersTimeoutMs = HEADERS_TIMEOUT_MS, bodyTimeoutMs } = options
  const proxy = options.proxy === undefined ? undefined : readUpstreamProxy(options.proxy)
  if (offline && proxy !== undefined)
    throw new OptionInvalid(
      'Offline, nothing beyond this machine is reached, so that there can be no upstream proxy: leave one of both out',
    )
  const buffers = createReadBuffers()
  const connectTo = createConnect(tls, proxy, buffers, options.connectTimeoutMs)
  const open = offline ? keepOffline(connectTo) : connectTo
  const agents = createAgents(open, headersTimeoutMs, bodyTimeoutMs)
  const [requestPairs, responsePairs] = [createPairsOf(), createPairsOf()]
  let agent: Agent | undefined

  const connect = async (address: Address): Promise<Socket> => {
    try {
      return await open(address, false)
    } catch (error) {
      throw namedError(`${address.hostname}:${address.port}`, error as Error)
    }
  }
  const dispatch = (
    { origin, lookup }: Target,
    sent: SentRequest,
    relay: Dispatcher.DispatchHandler,
  ): void => {
    agent ??= agents.of(undefined, 0)
    // Where nothing is guarded and nothing is between, there is no need to read the origin.
    if (lookup === undefined && proxy === undefined) return void agent.dispatch(sent, relay)
    const { protocol, hostname, port } = addressOf(origin, lookup)
    if (protocol === 'http:' && proxy?.takesRequests === true && proxy.serves(hostname, port))
      agent.dispatch(inAbsoluteForm(sent, proxy), relay)
    else agents.of(lookup, port).dispatch(sent, relay)
  }
  const send = (forwarding: Forwarding, resolve: Resolve, reject: Reject): void => {
    const {
      request,
      response,
      target,
      recorder,
      begin,
      broken,
      switched,
      urls = noUrls,
      rewriteBodies = false,
      hold,
      sized,
    } = forwarding
    const { origin, lookup, requestHeaders, responseHeaders: changes } = target
    const isOfServer = target.served === undefined && isForServer(request)
    const url = isOfServer ? '*' : target.url
    // The client may be gone since the request's head was read, or refused because the rest of it is malformed.
    if (hasLeft(response) || (!('stream' in response) && request.socket.writableEnded)) {
      begin(0, [])
      response.destroy()
      return resolve(HANDLED)
    }
    const own = passedHeaders(request, requestHeaders, urls)
    const passed = rewriteBodies ? strongIfMatch(own) : own
    const isIdSaid = requestHeaders !== undefined && saysOf(requestHeaders, 'x-request-id')
    const requestId = isIdSaid ? undefined : forwarding.requestId
    const host = requestHeaders && hostIn(requestHeaders)
    const relayTo = (tap: Tap | undefined, again?: (error: Error) => boolean): ResponseRelay =>
      new ResponseRelay(response, {
        again,
        ...{
          tap,
          begin,
          broken,
          changes,
          urls,
          rewriteBodies,
          origin,
          buffers,
          pairsOf: responsePairs,
          hold,
          sized,
          resolve,
          reject,
        },
      })
    const sendAlone = async (upgrade: Upgrade | undefined, open: () => Relayed): Promise<void> => {
      const socket = await connect(addressOf(origin, lookup))
      const { tap, relay } = open()
      sendOnOwnConnection(
        {
          ...{ request, socket, path: url, timeoutMs: headersTimeoutMs, bodyTimeoutMs },
          headers: ['Host', host ?? new URL(origin).host, ...sentHeaders(request, passed, requestId)],
          body: () => (upgrade === undefined ? bodyOf(request, forwarding.body, tap) : null),
        },
        { response, upgrade, tap, begin, changes, urls, switched, resolve },
        relay,
      )
    }
    if (isOfServer || needsOwnConnection(request)) {
      const upgrade = upgradeOf(request)
      const pairs = [
        ...passed,
        ...(upgrade === undefined ? [] : ['Upgrade', String(request.headers.upgrade)]),
      ]
      sendAlone(upgrade, () => {
        const tap = recorder?.begin(headOf(request, target, pairsOf(pairs)))
        return { tap, relay: relayTo(tap) }
      }).catch(reject)
      return
    }
    const tap = recorder?.begin(headOf(request, target, requestPairs(passed)))
    const headers = sentHeaders(request, passed, requestId)
    if (host !== undefined) headers.push('host', host)
    const body = bodyOf(request, forwarding.body, tap)
    let isRepeated = body !== null
    const relay = relayTo(tap, (failure) => {
      if (isRepeated || !maySendAgain(request, failure)) return false
      isRepeated = true
      sendAlone(undefined, () => ({ tap, relay })).catch((error: Error) => relay.onError(error))
      return true
    })
    dispatch(target, { method: request.method ?? 'GET', headers, body, origin, path: url }, relay)
  }
  const start = (forwarding: Forwarding, resolve: Resolve, reject: Reject): void => {
    try {
      send(forwarding, resolve, reject)
    } catch (error) {
      reject(error as Error)
    }
  }
  return {
    connect,
    request: (collecting) => collect(collecting, dispatch),
    pools: () => agents.pools(),
    close: () => agents.close(),
    forward: (forwarding) =>
      new Promise((resolve, reject) => {
        // The parser hands out a request before it has looked at what comes after it, which may be malformed; the
        // first chunk of a body, before it has read the next.
        if (forwarding.request.headers['transfer-encoding'] !== undefined)
          setImmediate(start, forwarding, resolve, reject)
        else process.nextTick(start, forwarding, resolve, reject)
      }),
  }
}

function noUrls(): undefined {
  return undefined
}

// Whether a request has what undici does not send: an upgrade, an expectation for the upstream, or trailers.
function needsOwnConnection(request: IncomingMessage): boolean {
  const { expect, trailer, upgrade, 'transfer-encoding': encoding } = request.headers
  return (
    (expect !== undefined && expectationOf(request) !== undefined) ||
    (trailer !== undefined && encoding !== undefined) ||
    (upgrade !== undefined && upgradeOf(request) !== undefined)
  )
}
