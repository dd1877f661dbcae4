import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { parseJsonText } from '../engine/json-text.ts'
import { BodyTooLarge, InputInvalid, RequestMalformed } from '../errors.ts'
import { mediaKindOf } from '../media-type.ts'
import { addChunk, JSON_TYPE } from '../message.ts'
import { contentOf, readingError } from './content-codings.ts'

/** A body, with what the head of its request says of it: Node's message, or what stands for one in process. */
export type ReceivedBody = Readable & Pick<IncomingMessage, 'headers' | 'complete'>

/** Keeps the bytes of a body that is read at once, a character each, where they are few. */
export interface BodyKeeper {
  sentBytes: string | undefined
}

/** As many are kept for the journal. */
export const MAX_KEPT = 16 * 1024

/** Keeps the bytes of a body, where there are some and they are few. */
export function keepBytes(keeper: BodyKeeper | undefined, bytes: Buffer): void {
  if (keeper !== undefined && bytes.length > 0 && bytes.length <= MAX_KEPT)
    keeper.sentBytes = bytes.toString('latin1')
}

/** Bodies of declared routes may be this large. */
export const MAX_BODY_BYTES = 1024 * 1024

/**
 * Reads a request's body as JSON (RFC 8259); `undefined` when it has none.
 * @param body its bytes, where they do not come from the request itself
 * @throws InputInvalid when it is not JSON, nests deeper than 200 levels, or holds a key such as `__proto__`
 * @throws BodyTooLarge when it is over 1 MiB
 * @throws MediaTypeUnsupported for a content encoding that is not known
 */
export function readJsonBody(
  request: ReceivedBody,
  body: Readable = request,
  keeper?: BodyKeeper,
): Promise<unknown> {
  // A parent such as Express may have read the body already.
  if (body.readableEnded) return Promise.resolve((request as { readonly body?: unknown }).body)
  const { 'content-type': type = JSON_TYPE, 'content-encoding': coding } = request.headers
  const parse = (bytes: Buffer): unknown => {
    const text = bytes.toString('utf8')
    if (text === '') return undefined
    if (mediaKindOf(type) === 'json') return parseJsonText(text, ['body'])
    const msg = `Expected a JSON body, not ${type}`
    throw new InputInvalid([{ type: 'json_type', loc: ['body'], msg, input: text.slice(0, 200) }])
  }
  if (coding === undefined) return readAs(body, MAX_BODY_BYTES, parse, keeper)
  return readContent(request, body, keeper).then(parse)
}

/**
 * All bytes of a request's content without its content encoding, up to 1 MiB.
 * @param body its bytes, where they do not come from the request itself
 * @throws InputInvalid, BodyTooLarge, MediaTypeUnsupported
 */
export async function readContent(
  request: ReceivedBody,
  body: Readable = request,
  keeper?: BodyKeeper,
): Promise<Buffer> {
  if (body.readableEnded) return Buffer.alloc(0)
  const content = contentOf(request, body)
  // What is encoded is sent again as it was, or not at all.
  const kept = content === body ? keeper : undefined
  return readBytes(content, undefined, kept).catch((error: unknown) => {
    throw readingError(error, request)
  })
}

/** Bytes that are there, as a stream. */
export function streamOf(bytes: Buffer): Readable {
  return new Readable({
    read() {
      if (bytes.length > 0) this.push(bytes)
      this.push(null)
    },
  })
}

/** All bytes of a stream; none where others have read them. @throws BodyTooLarge when there are more than the limit */
export function readBytes(
  stream: Readable,
  limit: number = MAX_BODY_BYTES,
  keeper?: BodyKeeper,
): Promise<Buffer> {
  if (stream.readableEnded) return Promise.resolve(Buffer.alloc(0))
  return readAs(stream, limit, (bytes) => bytes, keeper)
}

// What the bytes of a stream are made into, in the turn in which the last of them are there.
function readAs<Made>(
  stream: Readable,
  limit: number,
  make: (bytes: Buffer) => Made,
  keeper: BodyKeeper | undefined,
): Promise<Made> {
  return new Promise((resolve, reject) => {
    const end = (chunks: readonly Buffer[], size: number): void => {
      if (size > limit) return reject(new BodyTooLarge(limit))
      let made: Made
      const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      keepBytes(keeper, bytes)
      try {
        made = make(bytes)
      } catch (error) {
        return reject(error)
      }
      resolve(made)
    }
    if (!isReceived(stream)) return gather(stream, limit, end, reject)
    // A body in the same packet as its head is there when that has been handled, and needs no listeners.
    process.nextTick(() => {
      if (!isThere(stream)) return gather(stream, limit, end, reject)
      const chunk = stream.read() as Buffer | null
      // What is left is its end.
      if (!stream.complete) stream.resume()
      end(chunk === null ? [] : [chunk], chunk?.length ?? 0)
    })
  })
}

// Clients leave, and their connections break.
function cutOff(cause?: unknown): RequestMalformed {
  return new RequestMalformed('its body ended before its end', { cause })
}

function isReceived(stream: Readable): stream is ReceivedBody {
  return 'complete' in stream
}

// The parser hands over the bytes of a body before it looks whether they were the last.
function isThere({ complete, headers, readableLength }: ReceivedBody): boolean {
  return complete || (readableLength > 0 && Number(headers['content-length']) === readableLength)
}

// Listeners stay on a stream that has ended, as they end with it: to take them off costs more than all the rest.
function gather(
  stream: Readable,
  limit: number,
  end: (chunks: readonly Buffer[], size: number) => void,
  fail: (error: Error) => void,
): void {
  const chunks: Buffer[] = []
  let size = 0
  const add = (chunk: Buffer): void => {
    size += chunk.length
    if (size <= limit) {
      addChunk(chunks, chunk)
      return
    }
    stream.off('data', add)
    end([], size)
    // With the request itself would go the connection, which the response needs.
    if (!('rawHeaders' in stream)) stream.destroy()
  }
  stream.on('data', add)
  stream.on('end', () => {
    if (size <= limit) end(chunks, size)
  })
  stream.on('error', (error) => fail(isReceived(stream) ? cutOff(error) : error))
  // An error is costly to make: none for a body that ended as it should.
  stream.on('close', () => {
    if (!stream.readableEnded) fail(cutOff())
  })
}

/** A request body that can be read and still be sent on. */
export interface RewindableBody {
  /** Reads up to `max` bytes; `undefined` when the body is longer. A second call gives what the first did. */
  read(this: void, max: number): Promise<Buffer | undefined>
  /** The whole body again, for who sends it on; `undefined` when none of it was read. */
  rewind(): Readable | undefined
}

/** Reads from the body of a request without holding more of it than is wanted. */
export function rewindableBody(request: Readable): RewindableBody {
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
        const { done, value } = await source.next().catch((error: unknown) => Promise.reject(cutOff(error)))
        if (done === true) hasEnded = true
        else {
          addChunk(chunks, value)
          size += value.length
        }
      }
      return size > max ? undefined : Buffer.concat(chunks)
    },
    rewind: () => (wasRead ? Readable.from(all(), { objectMode: false }) : undefined),
  }
}
