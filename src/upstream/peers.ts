import type { IncomingMessage } from 'node:http'
import { SimError, UpstreamConnectTimeout, UpstreamNameUnknown, UpstreamUnreachable } from '../errors.ts'
import { pairsOf, type HeaderPair } from '../http/headers.ts'
import { PASSED_HEADER, type Passed, type PassedMarks } from '../http/passed-on.ts'
import type { NodeExchange } from '../http/transport.ts'
import { SESSION_HEADER } from '../state/sessions.ts'
import { isSafe } from '../message.ts'
import type { Readable } from 'node:stream'
import type { FlatHeaders } from '../message.ts'
import type { AnswerHold } from './answer-hold.ts'
import type { Target } from './targets/targets.ts'
import { createUpstream, type UpstreamOptions } from './upstream.ts'

/** Where another gateway is. */
export interface Peer {
  /** One process of it. */
  readonly id: string
  /** Its base URL. */
  readonly url: string
}

/** A request that is passed on. */
export interface PassingOn {
  readonly node: NodeExchange
  /** Path and query as the client wrote them. */
  readonly url: string
  readonly from: Omit<Passed, 'to' | 'at'>
  readonly body?: Readable | undefined
  /** Called when the answer begins; returns headers to add to it. */
  readonly begin: (status: number, flat: FlatHeaders) => readonly HeaderPair[]
  readonly sized: (bytes: number) => void
}

/**
 * What became of a request: `answered`, by the other gateway to the client; not at all, where it never came there
 * (`refused`) or was not taken (`moved`); or nobody knows, as it broke off (`lost`).
 */
export type PassedOn = 'answered' | 'refused' | 'moved' | 'lost'

/** The other gateways of a state. They do not count as upstreams: nothing else is ever sent to them. */
export interface Peers {
  pass(peer: Peer, passing: PassingOn): Promise<PassedOn>
  /** Has another gateway forget a world that was put back. Nothing is said of one that cannot be reached. */
  forget(peer: Peer, world: string): Promise<void>
  close(): Promise<void>
}

const CONNECT_MS = 2000
const FORGET_MS = 2000
// An adapter may let its clients wait for 20 minutes.
const ANSWER_MS = 21 * 60_000

/** Not what the other gateway answers to what is passed on to it. */
class NotAnswered extends SimError {
  override readonly name = 'NotAnswered'
  readonly code = 'SIM_STATE_ELSEWHERE'
  readonly statusCode = 503
}

// What is not marked comes from whoever has that address now, or from a gateway that ends.
const hold: AnswerHold = {
  head(_status, flat) {
    const isAnswer = pairsOf(flat).some(
      ([name, value]) => name.toLowerCase() === PASSED_HEADER && value === 'answered',
    )
    if (!isAnswer) throw new NotAnswered('not answered')
    return false
  },
  chunk: () => false,
  end: () => Promise.resolve(),
}

/** Reaches other gateways. */
export function createPeers(marks: PassedMarks, { tls }: UpstreamOptions = {}): Peers {
  const upstream = createUpstream({ tls, connectTimeoutMs: CONNECT_MS, headersTimeoutMs: ANSWER_MS })
  const targetOf = (
    { id, url: base }: Peer,
    method: string,
    url: string,
    from: PassingOn['from'],
    session?: string,
  ): Target => {
    const mark = marks.sign(method, url, { ...from, to: id, at: Date.now() })
    const set = {
      [PASSED_HEADER]: mark,
      ...(from.host !== '' && { host: from.host }),
      // An upstream does not get it.
      ...(session !== undefined && { [SESSION_HEADER]: session }),
    }
    const { origin } = new URL(base)
    return {
      origin,
      url,
      lookup: undefined,
      requestHeaders: { set },
      responseHeaders: { remove: [PASSED_HEADER] },
    }
  }
  return {
    async pass(peer, { node, url, from, body, begin, sized }) {
      const { request, response } = node
      const { method = 'GET', headers } = request
      const target = targetOf(peer, method, url, from, headers[SESSION_HEADER] as string | undefined)
      try {
        await upstream.forward({ request, response, target, body, hold, begin, sized })
        return 'answered'
      } catch (error) {
        if (!SimError.is(error)) throw error
        if (error instanceof NotAnswered) return 'moved'
        const neverCame = [UpstreamUnreachable, UpstreamConnectTimeout, UpstreamNameUnknown]
        if (neverCame.some((kind) => error instanceof kind)) return 'refused'
        return isSafe(method) ? 'refused' : 'lost'
      }
    },
    async forget(peer, world) {
      const url = '/__sim/health'
      const from = { scheme: 'http', host: '', isProxied: false, forget: world } as const
      const requested = upstream.request({
        request: {
          method: 'POST',
          headers: {},
          rawHeaders: [],
          httpVersion: '1.1',
        } as unknown as IncomingMessage,
        target: targetOf(peer, 'POST', url, from),
        headers: [PASSED_HEADER, marks.sign('POST', url, { ...from, to: peer.id, at: Date.now() })],
        ...{ body: undefined, maxBytes: 1024, signal: AbortSignal.timeout(FORGET_MS) },
      })
      await requested.catch(() => undefined)
    },
    close: () => upstream.close(),
  }
}
