import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Tap, BodyTap } from '../recording/capture/tap.ts'
import type { ClientUrls } from '../http/client-urls.ts'
import { endToEnd, faultOfHead, type FlatHeaders, type HeaderPair } from '../http/headers.ts'
import { mayNameUrl, trailersOf } from '../http/headers.ts'
import { rewriteBody } from '../http/rewrite-body.ts'
import { UpstreamMalformed, type UpstreamBodyTimeout, type UpstreamCut } from '../errors.ts'
import { addChunk, HANDLED, type HttpResponse } from '../message.ts'
import type { AnswerHold } from './answer-hold.ts'
import { breakOf, namedError } from './named-error.ts'
import type { ReadBuffers } from './socket-reads.ts'
import { changeHeaders, type HeaderChanges } from './targets/header-changes.ts'
import {
  addTrailers,
  endBody,
  hasGone,
  hasLeft,
  isHttp2,
  joinable,
  MAX_JOINED,
  prepareHead,
  withoutLength,
  withAdded,
  writeBody,
  writeHead,
  writeInformation,
} from '../http/response-writer.ts'

/** What is done with a response. */
export interface RelayOptions {
  readonly tap: Tap | undefined
  readonly hold?: AnswerHold | undefined
  /** Called with its status and headers when it begins; returns headers to add to it. */
  readonly begin: (status: number, flat: FlatHeaders) => readonly HeaderPair[]
  /** What is done to its headers. */
  readonly changes: HeaderChanges | undefined
  /** The upstream's URLs as the client knows them. */
  readonly urls: () => ClientUrls | undefined
  readonly rewriteBodies: boolean
  readonly origin: string
  /** Makes pairs of its headers. */
  readonly pairsOf: (flat: FlatHeaders) => readonly HeaderPair[]
  /** What the upstream's sockets read into. */
  readonly buffers: ReadBuffers
  /** Called when the upstream breaks it off. */
  readonly broken?: ((error: UpstreamCut | UpstreamBodyTimeout) => void) | undefined
  /** Called when there is none; returns whether the request is sent once more, to the same relay. */
  readonly again?: ((error: Error) => boolean) | undefined
  /** Gets the length of its body. */
  readonly sized?: ((bytes: number) => void) | undefined
  readonly resolve: (response: HttpResponse) => void
  readonly reject: (error: Error) => void
}

const NOTHING = Buffer.alloc(0)

/**
 * Writes the upstream's response to the client as it arrives. Of undici's two kinds of handlers it is the one that gets
 * headers as they came: to have them parsed as well takes longer than all that is done with them here.
 */
export class ResponseRelay implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse
  readonly #options: RelayOptions
  /** Takes the body: whole, or by its stream once that is open. */
  #tap: BodyTap | undefined
  #recorded: Writable | undefined
  /** Takes the body where it is rewritten on its way. */
  #rewritten: Writable | undefined
  #hasLeft = false
  #hasFailed = false
  /** Whether its head is all of it, by its status (RFC 9112, section 6.3). */
  #isBodiless = false
  /** How many `drain` events must come before more is read. */
  #slow = 0
  /** How many answers came that only inform of the one that is to come (RFC 9110, section 15.2). */
  #informed = 0
  #abort: ((error?: Error) => void) | undefined
  /** How much of the body has come. */
  #bytes = 0
  /** Absent again once all has come: from then on, the connection is another response's. */
  #resume: (() => void) | undefined
  /** What is to be done once the response may begin, while it may not: pausing does not hold back all that comes. */
  #waiting: (() => void)[] | undefined
  /** What has come of the body meanwhile. */
  #pieces: Buffer[] | undefined
  /** Whether a tap makes it wait. */
  #isPending = false
  /** Whether what comes is held back, to be looked at. */
  #isHeld = false
  /** The first chunk, or nothing, while the head waits for what comes along with it. */
  #held: Buffer | undefined

  constructor(response: ServerResponse, options: RelayOptions) {
    this.#response = response
    this.#options = options
  }

  onConnect(abort: (error?: Error) => void): void {
    const response = this.#response
    this.#abort = abort
    const leave = (): void => {
      // A stream of HTTP/2 that was reset says that it has finished, but not that it was ended.
      this.#hasLeft = !response.writableFinished || !response.writableEnded
      if (this.#hasLeft) abort(new Error('the client left'))
    }
    // The client may have left while the connection was made.
    if (hasLeft(response)) leave()
    else response.on('close', leave)
  }

  onHeaders(status: number, raw: readonly (Buffer | string)[], resume: () => void, statusText = ''): boolean {
    this.#resume = resume
    const { tap, origin, pairsOf: headersOf } = this.#options
    const fault = faultOfHead(raw, status < 200 ? ++this.#informed : 0)
    if (fault !== undefined) {
      this.#giveUp(new UpstreamMalformed(origin, fault, ''))
      return false
    }
    const flat = endToEnd(raw)
    if (status < 200) {
      writeInformation(this.#response, status, this.#forClient(flat))
      return true
    }
    this.#isBodiless = status === 304 || status === 204
    this.#tap = tap?.response({ status, statusText, httpVersion: 'HTTP/1.1', headers: headersOf(flat) })
    const ready = tap?.ready()
    const { hold } = this.#options
    if (ready === undefined && hold === undefined) {
      this.#start(status, statusText, flat)
      return true
    }
    this.#waiting = [() => this.#start(status, statusText, flat)]
    if (hold !== undefined && !this.#hold(hold, status, flat)) return false
    if (ready === undefined) {
      if (!this.#isHeld) this.#startLate()
      return true
    }
    this.#isPending = true
    const goOn = (): void => {
      this.#isPending = false
      if (this.#isHeld) this.#resume?.()
      else this.#startLate()
    }
    ready.then(goOn).catch((error: Error) => this.#giveUp(error))
    return false
  }

  // Whether the client may have the head.
  #hold(hold: AnswerHold, status: number, flat: FlatHeaders): boolean {
    try {
      this.#isHeld = hold.head(status, flat) && !this.#isBodiless
      return true
    } catch (error) {
      this.#refuse(error as Error)
      return false
    }
  }

  #refuse(error: Error): void {
    // It has no end that it could go on to.
    this.#isBodiless = false
    this.#isHeld = false
    this.#giveUp(error)
  }

  #letGo(): void {
    this.#isHeld = false
    if (!this.#isPending) this.#startLate()
  }

  onData(chunk: Buffer): boolean {
    if (this.#isBodiless) return true
    if (this.#waiting !== undefined) {
      addChunk((this.#pieces ??= []), chunk)
      if (!this.#isHeld) return false
      if (this.#options.hold?.chunk(chunk) === false) this.#letGo()
      return !this.#isPending && this.#slow === 0
    }
    this.#bytes += chunk.length
    if (this.#rewritten !== undefined) {
      this.#record(chunk)
      if (!this.#rewritten.write(chunk)) this.#slowDown(this.#rewritten)
    } else if (this.#held === NOTHING && chunk.length <= MAX_JOINED) {
      this.#held = chunk
    } else {
      // A head that still waits goes out along with a piece that is too long to be copied.
      if (this.#held === NOTHING) this.#held = undefined
      this.release()
      this.#record(chunk)
      if (!writeBody(this.#response, chunk)) this.#slowDown(this.#response)
      if (this.#recorded === undefined && hasGone(this.#response)) this.#options.buffers.giveBack(chunk)
    }
    return this.#slow === 0
  }

  onComplete(rawTrailers: string[] | null): void {
    this.#resume = undefined
    if (this.#waiting !== undefined) {
      this.#waiting.push(() => this.onComplete(rawTrailers))
      if (this.#isHeld && !this.#hasFailed)
        this.#options.hold?.end().then(
          () => this.#letGo(),
          (error: Error) => this.#refuse(error),
        )
      return
    }
    const { tap, sized, resolve } = this.#options
    const trailers = trailersOf(rawTrailers)
    addTrailers(this.#response, trailers)
    this.#end()
    tap?.complete(trailers)
    sized?.(this.#bytes)
    resolve(HANDLED)
  }

  onError(error: Error): void {
    // A 304 may state the length that a 200 would have had (RFC 9110, section 8.6), of which undici misses the bytes;
    // and what comes after a response without a body is none of it.
    if (this.#isBodiless && !this.#hasLeft && this.#resume !== undefined) return this.onComplete(null)
    const { tap, origin, broken, resolve, reject, again } = this.#options
    // Once a head has come, be it of an interim response, it has begun.
    if (!this.#hasLeft && this.#resume === undefined && again?.(error) === true) return
    this.#hasFailed = true
    this.#rewritten?.destroy()
    tap?.abandon(this.#hasLeft)
    if (!this.#hasLeft && !this.#response.headersSent) return reject(namedError(origin, error))
    if (!this.#hasLeft) broken?.(breakOf(origin, error))
    this.#response.destroy()
    this.#options.sized?.(this.#bytes)
    resolve(HANDLED)
  }

  /** Sends the head that waits, with what came along with it. */
  release(): void {
    const held = this.#held
    if (held === undefined) return
    this.#held = undefined
    if (held.length > 0) this.#record(held)
    if (!writeBody(this.#response, joinable(held))) this.#slowDown(this.#response)
  }

  #start(status: number, statusText: string, flat: FlatHeaders): void {
    const { begin, changes, urls, rewriteBodies } = this.#options
    const map = rewriteBodies ? urls()?.map : undefined
    const rewritten = map && rewriteBody({ status, headers: flat }, this.#response.req, map)
    const right = this.#isBodiless ? withoutLength(flat, status) : flat
    const own = this.#forClient(rewritten?.headers ?? right)
    const head = withAdded(changes === undefined ? own : changeHeaders(own, changes), begin(status, own))
    if (rewritten?.open !== undefined) {
      writeHead(this.#response, status, statusText, head)
      this.#rewritten = rewritten.open(this.#response)
      return
    }
    if (isHttp2(this.#response)) return writeHead(this.#response, status, statusText, head)
    prepareHead(this.#response, status, statusText, head)
    // What came in one packet goes out in one; a head that came alone goes out before anything else is read.
    this.#held = NOTHING
    process.nextTick(release, this)
  }

  #forClient(flat: FlatHeaders): FlatHeaders {
    return mayNameUrl(flat) ? (this.#options.urls()?.response(flat) ?? flat) : flat
  }

  #startLate(): void {
    const [start, ...others] = this.#waiting ?? []
    this.#waiting = undefined
    if (this.#hasFailed) return
    start?.()
    this.#pieces?.forEach((piece) => void this.onData(piece))
    for (const act of others) act()
    if (this.#slow === 0) this.#resume?.()
  }

  #giveUp(error: Error): void {
    this.#abort?.(error)
    if (!this.#hasFailed) this.onError(error)
  }

  #end(): void {
    const held = this.#held
    this.#held = undefined
    if (this.#recorded !== undefined) this.#recorded.end()
    else this.#tap?.body(held ?? NOTHING)
    if (this.#rewritten !== undefined) return void this.#rewritten.end()
    if (held === undefined || held === NOTHING) return void this.#response.end()
    endBody(this.#response, joinable(held))
  }

  #record(chunk: Buffer): void {
    if (this.#tap === undefined) return
    this.#recorded ??= this.#tap.stream()
    if (!this.#recorded.write(chunk)) this.#slowDown(this.#recorded)
  }

  // Until both who take the body are ready for more of it.
  #slowDown(slow: Writable): void {
    this.#slow++
    slow.once('drain', () => {
      if (--this.#slow === 0) this.#resume?.()
    })
  }
}

const release = (relay: ResponseRelay): void => relay.release()
