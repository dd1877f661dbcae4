import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** A request body that can be read and still be sent on. */
export interface RewindableBody {
  /** Reads up to `max` bytes; `undefined` when the body is longer. A second call gives what the first did. */
  read(this: void, max: number): Promise<Buffer | undefined>
  /** The whole body again, for who sends it on; `undefined` when none of it was read. */
  rewind(): Readable | undefined
}

/** Reads from the body of a request without holding more of it than is wanted. */
export function rewindableBody(request: IncomingMessage): RewindableBody {
  const chunks: Buffer[] = []
  const source = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  let size = 0
  let hasEnded = false
  let wasRead = false

  async function* all(): AsyncGenerator<Buffer> {
    yield* chunks.splice(0)
    if (hasEnded) return
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value
  }
  return {
    async read(max) {
      wasRead = true
      while (!hasEnded && size <= max) {
        const { done, value } = await source.next()
        if (done === true) hasEnded = true
        else {
          chunks.push(value)
          size += value.length
        }
      }
      return size > max ? undefined : Buffer.concat(chunks)
    },
    rewind: () => (wasRead ? Readable.from(all(), { objectMode: false }) : undefined),
  }
}
