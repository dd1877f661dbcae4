import { Writable } from 'node:stream'
import type { TakenBody } from '../capture/body-sink.ts'
import { headerValue, type ExchangeHead, type HeaderPairs, type ResponseHead } from '../files/har.ts'
import { isObservable } from '../../shape/read-value.ts'
import { createIdleTap, type Tap } from '../capture/tap.ts'
import type { ExchangeRecorder } from '../capture/recorder.ts'

/** An exchange with an upstream, as far as it was kept. */
export interface Observed {
  readonly request: ExchangeHead
  /** Without bytes where it has no parts that could be compared, or is longer than what is kept. */
  readonly sent: TakenBody
  readonly response: ResponseHead
  readonly received: TakenBody
  /** What was answered in its place, where something was. */
  readonly simulated?: { readonly response: ResponseHead; readonly received: TakenBody } | undefined
}

const MAX_BYTES = 1024 * 1024

/** A recorder that also reports each exchange that ended well, without slowing it; the one given goes on as before. */
export function observe(
  recorder: ExchangeRecorder | undefined,
  note: (observed: Observed) => void,
): ExchangeRecorder {
  return {
    begin(request) {
      const tap = recorder?.begin(request)
      const sent = createKeeper(request.headers)
      let requestBody: Writable | undefined
      let response: ResponseHead | undefined
      let received: Keeper | undefined
      return {
        get requestBody() {
          return (requestBody ??= passInto(tap?.requestBody, (chunk) => sent.keep(chunk)))
        },
        requestSent: () => tap?.requestSent?.(),
        ready: () => tap?.ready(),
        response(head) {
          const keeper = createKeeper(head.headers)
          response = head
          received = keeper
          const own = tap?.response(head)
          return {
            stream: () => passInto(own?.stream(), (chunk) => keeper.keep(chunk)),
            body(body) {
              keeper.keep(body)
              own?.body(body)
            },
          }
        },
        complete(trailers) {
          tap?.complete(trailers)
          if (response === undefined || received === undefined) return
          note({ request, sent: sent.taken(), response, received: received.taken() })
        },
        upgraded: (response) => (tap ?? createIdleTap()).upgraded(response),
        abandon: (hasLeft) => tap?.abandon(hasLeft),
      } satisfies Tap
    },
  }
}

interface Keeper {
  keep(chunk: Buffer): void
  taken(): TakenBody
}

function createKeeper(headers: HeaderPairs): Keeper {
  const isKept = isObservable(headerValue(headers, 'content-type'))
  let chunks: Buffer[] = []
  let wireSize = 0
  return {
    keep(chunk) {
      wireSize += chunk.length
      if (isKept && wireSize <= MAX_BYTES) chunks.push(chunk)
      else chunks = []
    },
    taken: () =>
      isKept && wireSize <= MAX_BYTES ? { wireSize, bytes: Buffer.concat(chunks) } : { wireSize },
  }
}

function passInto(next: Writable | undefined, see: (chunk: Buffer) => void): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      see(chunk)
      if (next === undefined || next.write(chunk)) done()
      else next.once('drain', () => done())
    },
    final(done) {
      next?.end()
      done()
    },
  })
}
