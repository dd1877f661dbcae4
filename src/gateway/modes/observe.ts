import { Writable } from 'node:stream'
import { decode } from '../../recording/decode.ts'
import { headerValue, type ResponseHead } from '../../recording/har.ts'
import type { ExchangeTap, Recorder } from '../recorder.ts'

/** An upstream's answer, as far as it was kept. */
export interface Observed {
  readonly head: ResponseHead
  /** Absent when it is longer than what is kept, or cannot be decoded. */
  readonly body: Buffer | undefined
}

const MOST_BYTES = 1024 * 1024

/** A recorder that also tells of each answer that ended well, without slowing it; the one given goes on as before. */
export function observe(recorder: Recorder | undefined, tell: (observed: Observed) => void): Recorder {
  return {
    begin(head) {
      const tap = recorder?.begin(head)
      let answer: ResponseHead | undefined
      let kept: Buffer[] | undefined = []
      let size = 0
      const keep = (chunk: Buffer): void => {
        size += chunk.length
        if (size > MOST_BYTES) kept = undefined
        kept?.push(chunk)
      }
      return {
        requestBody: tap?.requestBody ?? passInto(undefined, () => undefined),
        respond(response) {
          answer = response
          return passInto(tap?.respond(response), keep)
        },
        complete(trailers) {
          tap?.complete(trailers)
          if (answer !== undefined) void read(answer, kept).then(tell)
        },
        abandon: (reason) => tap?.abandon(reason),
      } satisfies ExchangeTap
    },
    flush: async () => recorder?.flush(),
    backlog: () => recorder?.backlog() ?? 0,
    close: async () => recorder?.close(),
  }
}

async function read(head: ResponseHead, chunks: readonly Buffer[] | undefined): Promise<Observed> {
  if (chunks === undefined) return { head, body: undefined }
  const decoded = await decode(Buffer.concat(chunks), headerValue(head.headers, 'content-encoding'))
  return { head, body: 'bytes' in decoded ? decoded.bytes : undefined }
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
