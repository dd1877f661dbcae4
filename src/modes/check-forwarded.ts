import { Writable } from 'node:stream'
import type { FlatHeaders } from '../http/headers.ts'
import type { ContractCheck } from '../pipeline/contract.ts'
import type { ExchangeRecorder } from '../recording/capture/recorder.ts'
import type { BodyTap, ConnectionTap, Tap } from '../recording/capture/tap.ts'
import type { HeaderPairs, ResponseHead } from '../recording/files/har.ts'
import { addChunk } from '../message.ts'
import type { AnswerHold } from '../upstream/answer-hold.ts'

/**
 * A recorder that has exchanges looked at as they pass, and makes none of them wait; the one given goes on as before.
 * @param show called when the request's body was looked at; the answer may have begun
 */
export function checkedRecorder(
  check: ContractCheck,
  recorder: ExchangeRecorder | undefined,
  show: () => void,
): ExchangeRecorder | undefined {
  if (!check.wantsRequestBody && !check.wantsAnswer) return recorder
  return { begin: (request) => new CheckTap(check, recorder?.begin(request), show) }
}

/** The pieces of a body up to a bound. */
class Pieces {
  readonly #limit: number
  #pieces: Buffer[] = []
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Returns whether more may come. */
  add(piece: Buffer): boolean {
    this.#size += piece.length
    if (this.#size > this.#limit) this.#pieces = []
    else addChunk(this.#pieces, piece)
    return this.#size <= this.#limit
  }

  /** All of it; `undefined` where it was longer. */
  bytes(): Buffer | undefined {
    if (this.#size > this.#limit) return undefined
    return this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces)
  }
}

// A class, since one is made for each request.
class CheckTap implements Tap {
  readonly #check: ContractCheck
  readonly #inner: Tap | undefined
  readonly #show: () => void
  #requestBody: Writable | undefined
  #sent: Pieces | undefined
  #received: Pieces | undefined

  constructor(check: ContractCheck, inner: Tap | undefined, show: () => void) {
    this.#check = check
    this.#inner = inner
    this.#show = show
  }

  get requestBody(): Writable {
    this.#requestBody ??= this.#openRequest()
    return this.#requestBody
  }

  requestSent(): void {
    this.#inner?.requestSent?.()
    if (this.#sent === undefined) return
    const looked = this.#check.requestBody(this.#sent.bytes())
    if (looked instanceof Promise) void looked.then(this.#show)
    else this.#show()
  }

  #openRequest(): Writable {
    const check = this.#check
    if (!check.wantsRequestBody) return this.#inner?.requestBody ?? swallow()
    this.#sent = new Pieces(check.bodyLimit)
    return passInto(this.#inner?.requestBody, this.#sent)
  }

  ready(): Promise<void> | undefined {
    return this.#inner?.ready()
  }

  response(head: ResponseHead): BodyTap {
    const inner = this.#inner?.response(head)
    const wantsBody = this.#check.answerInPairs(head.status, head.headers)
    if (!wantsBody) return inner ?? IDLE_BODY
    const received = new Pieces(this.#check.bodyLimit)
    this.#received = received
    return {
      stream: () => passInto(inner?.stream(), received),
      body(body) {
        received.add(body)
        inner?.body(body)
      },
    }
  }

  upgraded(head: ResponseHead): ConnectionTap {
    return this.#inner?.upgraded(head) ?? IDLE_CONNECTION
  }

  complete(trailers?: HeaderPairs): void {
    this.#inner?.complete(trailers)
    if (this.#received !== undefined) void this.#check.answerBody(this.#received.bytes())
  }

  abandon(hasLeft: boolean): void {
    this.#inner?.abandon(hasLeft)
  }
}

function swallow(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

const IDLE_BODY: BodyTap = { stream: swallow, body: () => undefined }
const IDLE_CONNECTION: ConnectionTap = { sent: nothing, received: nothing, end: nothing }

function nothing(): void {
  return undefined
}

function passInto(next: Writable | undefined, pieces: Pieces): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      pieces.add(chunk)
      if (next === undefined || next.write(chunk)) done()
      else next.once('drain', () => done())
    },
    final(done) {
      next?.end()
      done()
    },
  })
}

/** Holds answers back that are to be as described: the head, and a body up to the bound. */
export function holdBy(check: ContractCheck): AnswerHold | undefined {
  if (!check.wantsAnswer) return undefined
  const received = new Pieces(check.bodyLimit)
  const before = check.notes.violations.length
  const judge = (): void => {
    if (check.notes.violations.length > before) throw check.answerRefusal()
  }
  return {
    head(status: number, headers: FlatHeaders) {
      const wantsBody = check.answer(status, headers)
      judge()
      return wantsBody
    },
    chunk(chunk) {
      const hasSpace = received.add(chunk)
      if (!hasSpace) void check.answerBody(undefined)
      return hasSpace
    },
    async end() {
      await check.answerBody(received.bytes())
      judge()
    },
  }
}
