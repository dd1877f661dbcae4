import { METHODS, type IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { TargetMissing, UpstreamLoop } from '../errors.ts'
import type { ClientUrls } from '../http/client-urls.ts'
import { pairsOf, type HeaderPair } from '../http/headers.ts'
import type { HttpResponse } from '../message.ts'
import type { ContractCheck } from '../pipeline/contract.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { ExchangeRecorder } from '../recording/capture/recorder.ts'
import type { Target } from '../upstream/targets/targets.ts'
import { countsForwards, timesPassed, VIA_NAME } from '../upstream/sent-request.ts'
import type { Forwarding } from '../upstream/upstream.ts'
import { checkedRecorder, holdBy } from './check-forwarded.ts'
import type { Mode, ModeParts } from './mode.ts'

/** Everything goes to its upstream, declared or not. */
export const forward: Mode = (exchange, parts) => forwardTo(neededTarget(exchange, parts), exchange, parts)

/** Where a request goes when it is forwarded; `undefined` when nothing takes it. @throws TargetRefused */
export function targetOf(exchange: Exchange, { targets }: Pick<ModeParts, 'targets'>): Target | undefined {
  const target = targets.of(exchange, exchange.isProxied)
  // A query of its mark alone means nothing here, but an upstream may care.
  const isBare = target !== undefined && exchange.search === '' && exchange.url.endsWith('?')
  return isBare ? { ...target, url: `${target.url}?` } : target
}

/** As `targetOf`. @throws TargetMissing when nothing takes the request */
export function neededTarget(exchange: Exchange, parts: ModeParts): Target {
  const target = targetOf(exchange, parts)
  if (target === undefined) throw new TargetMissing(exchange.method, exchange.path, exchange.mode)
  return target
}

/** What is different from a plain forward. */
interface Changes {
  /** Who sees the exchange. Default: the gateway's recorder. */
  readonly recorder?: ExchangeRecorder | undefined
  /** The request's body where some of it was read already. */
  readonly body?: Readable | undefined
}

/** More of these gateways in a row than anybody has put there. */
const MAX_PASSED = 10

/** Streams a request to its target and the response back. @throws UpstreamLoop */
export function forwardTo(
  target: Target,
  exchange: Exchange,
  parts: Pick<ModeParts, 'upstream' | 'recorder' | 'targets' | 'rewriteBodies' | 'log' | 'requestIds'>,
  changes: Changes = {},
): Promise<HttpResponse> {
  const { node } = exchange
  const { upstream, rewriteBodies, log, requestIds } = parts
  const { recorder = parts.recorder, body = exchange.received?.rewind() } = changes
  const { check } = exchange
  if (countsForwards(node.request) && Number(node.request.headers['max-forwards']) === 0)
    return Promise.resolve(lastAnswer(node.request))
  const passed = timesPassed(node.request)
  if (passed >= MAX_PASSED) throw new UpstreamLoop(target.origin, passed)
  exchange.source = 'upstream'
  return upstream.forward({
    request: node.request,
    response: node.response,
    target,
    body,
    rewriteBodies: rewriteBodies === true,
    // Servers that a client named are those of others, who get what the client sent.
    ...(requestIds !== undefined &&
      target.served !== undefined && { requestId: requestIds.forUpstream(exchange) }),
    sized: (bytes) => (exchange.responseLength = bytes),
    urls: () => urlsOf(target, exchange, parts),
    ...(check === undefined ? { recorder } : looked(check, recorder, exchange)),
    broken: (error) => {
      exchange.errorCode = error.code
      const text = `${error.message} (${error.code})`
      if (requestIds === undefined) log.warn(text)
      else log.warn({ requestId: requestIds.of(exchange) }, text)
    },
    switched: () => {
      exchange.endStatus = 101
    },
    begin: (status, flat) => {
      if (status >= 400) exchange.advice = flat
      const added = addedHeaders(exchange)
      node.takeOver()
      // RFC 9110, section 7.6.3: a proxy says so in both directions, a gateway in that of requests.
      return exchange.isProxied ? [...added, VIA] : added
    },
  })
}

// What is enforced holds the answer back, and all else sees it as it passes.
function looked(
  check: ContractCheck,
  recorder: ExchangeRecorder | undefined,
  exchange: Exchange,
): Pick<Forwarding, 'recorder' | 'hold'> {
  if (check.isEnforced) return { recorder, hold: holdBy(check) }
  return { recorder: checkedRecorder(check, recorder, () => exchange.showViolations()) }
}

/** The URLs of a target as the client knows them; nothing for a client of a proxy, who knows them by their own names. */
export function urlsOf(
  { served }: Target,
  exchange: Exchange,
  { targets }: Pick<ModeParts, 'targets'>,
): ClientUrls | undefined {
  return served === undefined || exchange.isProxied
    ? undefined
    : targets.urls.seenBy(exchange.seenAt(), served)
}

const VIA: HeaderPair = ['via', `1.1 ${VIA_NAME}`]
const PRIVATE = /^(authorization|proxy-authorization|cookie)$/i

// RFC 9110, sections 7.6.2 and 9.3.8: a request that may be passed on no further is answered here.
function lastAnswer({ method, url, httpVersion, rawHeaders }: IncomingMessage): HttpResponse {
  if (method === 'OPTIONS') return { status: 204, headers: ['allow', METHODS.join(', ')] }
  const shown = pairsOf(rawHeaders).filter(([name]) => !PRIVATE.test(name))
  const lines = [
    `TRACE ${url} HTTP/${httpVersion}`,
    ...shown.map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ]
  return { status: 200, headers: ['content-type', 'message/http'], body: lines.join('\r\n') }
}

const NONE: readonly HeaderPair[] = []

/** The headers that plugins and hooks of users gave a response. */
export function addedHeaders({ node, responseHeaders }: Exchange): readonly HeaderPair[] {
  const own = node.userHeaders()
  return own.length === 0 && responseHeaders.length === 0 ? NONE : pairsOf([...own, ...responseHeaders])
}
