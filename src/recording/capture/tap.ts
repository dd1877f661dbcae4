import type { Writable } from 'node:stream'
import { type BodySink, captureBody, createSwallow, type TakenBody } from './body-sink.ts'
import {
  type Capture,
  type ExchangeHead,
  type HeaderPairs,
  headerValue,
  mayHaveBody,
  type ResponseHead,
} from '../files/har.ts'
import { codingsIn } from '../../http/headers.ts'
import { contentKindOf } from '../../media-type.ts'
import { CHECKED_BYTES } from '../files/decode.ts'
import { UNANSWERED } from '../exchange.ts'
import { createTimeline, startClock, type Timeline } from './timing.ts'
import { createMessageLog, type MessageLog } from './web-socket.ts'
import type { CaptureWork } from './write-queue.ts'

/** Takes one exchange as it streams by. */
export interface Tap {
  /** Gets a copy of each request chunk; when `write` is false the source waits for `drain`. It never fails. */
  readonly requestBody: Writable
  /** All of the request's body was passed on. */
  requestSent?(): void
  /** What the answer must wait for before it begins, if anything: what ended before its request came is written. */
  ready(): Promise<void> | undefined
  /** Notes the final response; its body is given to what is returned. */
  response(head: ResponseHead): BodyTap
  /** Notes that the connection goes on in another protocol; what is returned gets copies of what passes. */
  upgraded(head: ResponseHead): ConnectionTap
  /** Both directions ended: the exchange is written, after this call has returned. */
  complete(trailers?: HeaderPairs): void
  /**
   * The client left or the upstream broke: nothing is written, and what was stored is removed. Of an event stream, a
   * stream of lines or another protocol, which may never end, all until now is written; and so it is of a request
   * whose client waited in vain, as with long polling.
   * @param hasLeft whether the client left, or the gateway ends
   */
  abandon(hasLeft: boolean): void
}

/** Takes the body of a response, in one of two ways. */
export interface BodyTap {
  /** What gets its chunks, as `requestBody` does the request's. */
  stream(): Writable
  /** Takes one that came in one piece, which is kept as it is and must not change. */
  body(body: Buffer): void
}

/** Takes what passes on a connection, and never makes it wait. */
export interface ConnectionTap {
  sent(chunk: Buffer): void
  received(chunk: Buffer): void
  /** The connection ended: the exchange is written. */
  end(): void
}

/** What a tap needs of its recorder. */
export interface TapHost {
  /** The most bytes that are kept of a body. */
  readonly maxBodyBytes?: number | undefined
  /** Marks what ended until now. */
  mark(): number
  /** What an answer must wait for, if anything, before which all is to be written until a mark. */
  ready(mark: number): Promise<void> | undefined
  openBody(headers: HeaderPairs, onChunk?: (chunk: Buffer) => void): BodySink
  /** Has an exchange written that ended. */
  store(work: CaptureWork, heldBytes: number): void
  /** Hears of an exchange that nothing is written of. */
  forget(removed: Promise<unknown>): void
  /** Whether more may wait to be written. */
  hasCapacity(): boolean
  /** Reserves memory for a message of a connection, if there is any. */
  hold(bytes: number): boolean
  /** Frees what was reserved. */
  release(bytes: number): void
}

/** Who leaves earlier has hardly waited for something to happen. */
const LONG_WAIT_MS = 1_000

const NO_RESPONSE: ResponseHead = { status: UNANSWERED, statusText: '', httpVersion: '1.1', headers: [] }

/** What came within this time counts as one chunk. */
const NEAR_MS = 5

const NEWLINE = 10

/** What one exchange costs in memory besides its bodies, about. */
const HEAD_BYTES = 2048

/** A tap that has not ended. */
export type OpenTap = Tap & Entry

/** Begins to take an exchange. @param inFlight holds the taps that have not ended */
export function createTap(host: TapHost, inFlight: InFlight<OpenTap>, request: ExchangeHead): Tap {
  const tap = new RecordingTap(host, inFlight, request)
  inFlight.add(tap)
  return tap
}

// A class, since one is made for each request.
class RecordingTap implements OpenTap, BodyTap {
  index = -1
  readonly #mark: number
  readonly #host: TapHost
  readonly #inFlight: InFlight<OpenTap>
  readonly #request: ExchangeHead
  readonly #clock = startClock()
  #sent: BodySink | undefined
  #response: ResponseHead | undefined
  /** The response's body, where it streams by; `#whole` where it came in one piece. */
  #received: BodySink | undefined
  #whole: Buffer | undefined
  #timeline: Timeline | undefined
  /** Whether all that came until now came in whole lines. */
  #areLines = true
  #log: MessageLog | undefined
  #isSent = false

  constructor(host: TapHost, inFlight: InFlight<OpenTap>, request: ExchangeHead) {
    this.#host = host
    this.#inFlight = inFlight
    this.#request = request
    this.#mark = host.mark()
  }

  ready(): Promise<void> | undefined {
    return this.#host.ready(this.#mark)
  }

  get requestBody(): Writable {
    this.#sent ??= this.#openSent()
    return this.#sent.writable
  }

  requestSent(): void {
    this.#isSent = true
    this.#clock.sent()
  }

  response(head: ResponseHead): BodyTap {
    if (this.index < 0) return SWALLOW
    this.#clock.responded(this.#sent !== undefined && this.#sent.size() > 0)
    this.#response = head
    return mayHaveBody(this.#request.method, head.status) ? this : SWALLOW
  }

  stream(): Writable {
    // Nobody would take or discard what is gathered of an exchange that was abandoned meanwhile.
    if (this.index < 0) return createSwallow()
    const head = this.#response
    const arrivals = createTimeline(() => this.#clock.sinceSentMs(), isEvents(head) ? 1 : NEAR_MS)
    this.#timeline = arrivals
    this.#received = this.#host.openBody(head?.headers ?? [], (chunk) => {
      arrivals.note(chunk.length)
      this.#areLines &&= chunk.at(-1) === NEWLINE
    })
    return this.#received.writable
  }

  body(body: Buffer): void {
    // The times of events are recorded, even where all came at once.
    const isLong = body.length > (this.#host.maxBodyBytes ?? CHECKED_BYTES)
    if (this.#host.hasCapacity() && !isEvents(this.#response) && !isLong) this.#whole = body
    else this.stream().end(body)
  }

  upgraded(head: ResponseHead): ConnectionTap {
    this.#clock.responded(false)
    this.#response = head
    const isWebSocket = headerValue(head.headers, 'upgrade').toLowerCase() === 'websocket'
    const messages = isWebSocket
      ? createMessageLog(headerValue(head.headers, 'sec-websocket-extensions'), this.#host.hold)
      : undefined
    this.#log = messages
    return {
      sent: (chunk) => messages?.sent(chunk),
      received: (chunk) => messages?.received(chunk),
      end: () => this.#finish(head),
    }
  }

  complete(trailers?: HeaderPairs): void {
    if (this.#response === undefined) this.abandon(false)
    else this.#finish(this.#response, trailers)
  }

  abandon(hasLeft: boolean): void {
    const [response, received] = [this.#response, this.#received]
    const isStream = isEvents(response) || (this.#areLines && mayBeLines(response))
    const hasBegun = received !== undefined && received.size() > 0
    const isKept = this.#log !== undefined || (hasBegun ? isStream : hasLeft && this.#hasWaited())
    if (isKept) return this.#finish(response ?? NO_RESPONSE, undefined, true)
    if (!this.#inFlight.delete(this)) return
    if (this.#sent !== undefined || received !== undefined)
      this.#host.forget(Promise.all([this.#sent?.discard(), received?.discard()]))
  }

  #hasWaited(): boolean {
    if (this.#sent !== undefined && !this.#isSent) return false
    if (this.#response === undefined) this.#clock.responded(this.#sent !== undefined)
    return this.#clock.sinceSentMs() >= LONG_WAIT_MS
  }

  #openSent(): BodySink {
    const sink = this.#host.openBody(this.#request.headers)
    sink.writable.once('finish', () => this.#clock.sent())
    return sink
  }

  #finish(response: ResponseHead, trailers?: HeaderPairs, isAborted = false): void {
    if (!this.#inFlight.delete(this)) return
    const request = this.#request
    const { startedAt, timings } = this.#clock.read()
    const seen: Capture = { startedAt, timings, request, response, trailers, isAborted }
    const whole = takenOf(this.#whole)
    const known = (whole?.wireSize ?? 0) + HEAD_BYTES
    if (this.#sent === undefined && this.#received === undefined && this.#log === undefined) {
      const body =
        whole === null ? undefined : captureBody(whole, response.headers, {}, this.#host.maxBodyBytes)
      const work =
        body instanceof Promise
          ? async (): Promise<Capture> => ({ ...seen, responseBody: await body })
          : { startedAt, timings, request, response, trailers, isAborted, responseBody: body }
      return this.#host.store(work, known)
    }
    const messageBytes = this.#log?.held() ?? 0
    const held = (this.#sent?.held() ?? 0) + (this.#received?.held() ?? 0) + messageBytes + known
    // Taken now: what the sources may still send is not part of this exchange.
    const taken = Promise.all([
      this.#sent === undefined ? null : this.#sent.take(),
      this.#received === undefined ? whole : this.#received.take(),
      this.#log?.end(),
    ])
    taken.catch(() => undefined)
    this.#host.release(messageBytes)
    const arrival = { arrived: this.#timeline?.read(), isPartial: isAborted }
    this.#host.store(async () => {
      const [sent, received, webSocket] = await taken
      if (sent === undefined || received === undefined) return undefined
      const requestBody =
        sent === null ? undefined : await captureBody(sent, request.headers, {}, this.#host.maxBodyBytes)
      const responseBody =
        received === null
          ? undefined
          : await captureBody(received, response.headers, arrival, this.#host.maxBodyBytes)
      return { ...seen, requestBody, responseBody, webSocket }
    }, held)
  }
}

function takenOf(whole: Buffer | undefined): TakenBody | null {
  return whole === undefined ? null : { wireSize: whole.length, bytes: whole }
}

const SWALLOW: BodyTap = { stream: createSwallow, body: () => undefined }

/** A tap that keeps nothing. */
export function createIdleTap(): Tap {
  return {
    requestBody: createSwallow(),
    ready: () => undefined,
    response: () => SWALLOW,
    upgraded: () => ({ sent: () => undefined, received: () => undefined, end: () => undefined }),
    complete: () => undefined,
    abandon: () => undefined,
  }
}

function isEvents(head: ResponseHead | undefined): boolean {
  return contentKindOf(headerValue(head?.headers ?? [], 'content-type')) === 'events'
}

// Nobody knows how long such a text will be, as that of the watches of Kubernetes and CouchDB.
function mayBeLines(head: ResponseHead | undefined): boolean {
  const headers = head?.headers ?? []
  const kind = contentKindOf(headerValue(headers, 'content-type'))
  const isPlain = codingsIn(headerValue(headers, 'content-encoding')).length === 0
  return kind !== 'binary' && isPlain && headerValue(headers, 'content-length') === ''
}

/** Something that has begun, and knows where among its like it is kept. */
interface Entry {
  /** Below zero when it is not among them. */
  index: number
}

/**
 * Those that have begun and not yet ended. A list rather than a `Set`: one that many come to and go from leaves tables
 * behind that keep what was in them alive until the whole heap is collected.
 */
export class InFlight<Each extends Entry> {
  readonly #entries: Each[] = []

  add(entry: Each): void {
    entry.index = this.#entries.push(entry) - 1
  }

  /** Whether it was there. */
  delete(entry: Each): boolean {
    const { index } = entry
    const last = this.#entries.at(-1)
    if (index < 0 || last === undefined) return false
    this.#entries[index] = last
    last.index = index
    this.#entries.pop()
    entry.index = -1
    return true
  }

  /** Those that are there now. */
  all(): readonly Each[] {
    return [...this.#entries]
  }
}
