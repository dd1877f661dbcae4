import type { Writable } from 'node:stream'
import { createSwallow, type BodySink } from '../recording/body-sink.ts'
import { captureBody } from '../recording/capture-body.ts'
import { startClock } from '../recording/exchange-clock.ts'
import {
  headerValue,
  mayHaveBody,
  type Capture,
  type ExchangeHead,
  type HeaderPairs,
  type ResponseHead,
} from '../recording/har.ts'
import { kindOf } from '../recording/media.ts'
import { createTimeline, type Timeline } from '../recording/timeline.ts'
import { createMessageLog, type MessageLog } from '../recording/web-socket/message-log.ts'

/** Takes one exchange as it streams by. */
export interface ExchangeTap {
  /** Gets a copy of each request chunk; when `write` is false the source waits for `drain`. It never fails. */
  readonly requestBody: Writable
  /** What the answer must wait for before it begins, if anything: what ended before its request came is written. */
  ready(): Promise<void> | undefined
  /** Notes the final response; what is returned gets its body, as `requestBody` does the request's. */
  respond(head: ResponseHead): Writable
  /** Notes that the connection goes on in another protocol; what is returned gets copies of what passes. */
  switchProtocol(head: ResponseHead): ConnectionTap
  /** Both directions ended: the exchange is written, after this call has returned. */
  complete(trailers?: HeaderPairs): void
  /**
   * The client left or the upstream broke: nothing is written, and what was stored is removed. Of an event stream or
   * another protocol, which may never end, all until now is written.
   */
  abandon(reason: string): void
}

/** Takes what passes on a connection, and never makes it wait. */
export interface ConnectionTap {
  sent(chunk: Buffer): void
  received(chunk: Buffer): void
  /** The connection ended: the exchange is written. */
  end(): void
}

/** What a tap needs of its recorder. */
export interface TapHome {
  /** What the answer to a request that comes now must wait for. */
  order(): () => Promise<void> | undefined
  openBody(headers: HeaderPairs, onChunk?: (bytes: number) => void): BodySink
  /** Has an exchange written that ended, once it is its turn; `undefined` where its bodies broke off. */
  store(work: () => Promise<Capture | undefined>, heldBytes: number): void
  /** Is told of an exchange that nothing is written of. */
  forget(removed: Promise<unknown>): void
  /** Makes room for a message of a connection, if there is any. */
  hold(bytes: number): boolean
  /** The messages of a connection need their room no longer. */
  release(bytes: number): void
}

/** What came within this time counts as one chunk. */
const NEAR_MS = 5

/** What one exchange costs in memory besides its bodies, about. */
const HEAD_BYTES = 2048

/** Begins to take an exchange. @param underWay holds the taps that have not ended */
export function createTap(home: TapHome, underWay: Set<ExchangeTap>, request: ExchangeHead): ExchangeTap {
  const clock = startClock()
  const sent = home.openBody(request.headers)
  const ready = home.order()
  let response: ResponseHead | undefined
  let received: BodySink | undefined
  let timeline: Timeline | undefined
  let log: MessageLog | undefined
  sent.writable.once('finish', () => clock.sent())

  const finish = (head: ResponseHead, trailers?: HeaderPairs, isAborted = false): void => {
    if (!underWay.delete(tap)) return
    const messageBytes = log?.held() ?? 0
    const held = sent.held() + (received?.held() ?? 0) + messageBytes + HEAD_BYTES
    const seen = { ...clock.read(), request, response: head, trailers, isAborted }
    const arrival = { arrived: timeline?.read(), isPartial: isAborted }
    // Taken now: what the sources may still send is not part of this exchange.
    const taken = Promise.all([sent.take(), received === undefined ? null : received.take(), log?.end()])
    taken.catch(() => undefined)
    home.release(messageBytes)
    home.store(async () => {
      const [asked, answered, webSocket] = await taken
      if (asked === undefined || answered === undefined) return undefined
      const requestBody = await captureBody(asked, request.headers)
      const responseBody = answered === null ? undefined : await captureBody(answered, head.headers, arrival)
      return { ...seen, requestBody, responseBody, webSocket }
    }, held)
  }
  const tap: ExchangeTap = {
    requestBody: sent.writable,
    ready,
    respond(head) {
      if (!underWay.has(tap)) return createSwallow()
      clock.responded(sent.size() > 0)
      response = head
      if (!mayHaveBody(request.method, head.status)) return createSwallow()
      const arrivals = createTimeline(() => clock.sinceSentMs(), isEvents(head) ? 1 : NEAR_MS)
      timeline = arrivals
      received = home.openBody(head.headers, (bytes) => arrivals.note(bytes))
      return received.writable
    },
    switchProtocol(head) {
      clock.responded(false)
      response = head
      const isWebSocket = headerValue(head.headers, 'upgrade').toLowerCase() === 'websocket'
      const messages = isWebSocket
        ? createMessageLog(headerValue(head.headers, 'sec-websocket-extensions'), home.hold)
        : undefined
      log = messages
      return {
        sent: (chunk) => messages?.sent(chunk),
        received: (chunk) => messages?.received(chunk),
        end: () => finish(head),
      }
    },
    complete(trailers) {
      if (response === undefined) return tap.abandon('there was no response')
      finish(response, trailers)
    },
    abandon() {
      const isKept =
        log !== undefined || (received !== undefined && received.size() > 0 && isEvents(response))
      if (isKept && response !== undefined) return finish(response, undefined, true)
      if (!underWay.delete(tap)) return
      home.forget(Promise.all([sent.discard(), received?.discard()]))
    },
  }
  underWay.add(tap)
  return tap
}

/** A tap that keeps nothing. */
export function createIdleTap(): ExchangeTap {
  return {
    requestBody: createSwallow(),
    ready: () => undefined,
    respond: () => createSwallow(),
    switchProtocol: () => ({ sent: () => undefined, received: () => undefined, end: () => undefined }),
    complete: () => undefined,
    abandon: () => undefined,
  }
}

function isEvents(head: ResponseHead | undefined): boolean {
  return kindOf(headerValue(head?.headers ?? [], 'content-type')) === 'events'
}
