import type { Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { CONTENT_CODINGS } from '../../http/content-codings.ts'
import { codingsIn } from '../../http/headers.ts'
import type { BodyChunk } from '../exchange.ts'

/** Bytes with the content codings taken off, which `codings` names, or why they could not be. */
type Decoded =
  | { readonly bytes: Buffer; readonly codings: string | undefined }
  | { readonly problem: string; readonly isTooLarge?: true }

/** Most bytes that a body may have, compressed or not, to be looked into for secrets. */
export const CHECKED_BYTES = 8 * 1024 * 1024

const MAX_CODINGS = 4

/**
 * Takes off the codings of a `Content-Encoding`, last one first, and never makes more than `maxBytes`.
 * @param isPartial whether the end may be missing
 */
export async function decode(
  bytes: Buffer,
  contentEncoding: string,
  isPartial = false,
  maxBytes = CHECKED_BYTES,
): Promise<Decoded> {
  const applied = codingsIn(contentEncoding)
  if (applied.length === 0 || bytes.length === 0) return { bytes, codings: undefined }
  if (applied.length > MAX_CODINGS) return { problem: `encoded ${applied.length} times` }
  let decoded = bytes
  for (const coding of applied.toReversed()) {
    const known = CONTENT_CODINGS.get(coding)
    if (known === undefined) return { problem: `encoded as '${coding}', which is not known` }
    try {
      decoded = await known.decode(decoded, { maxOutputLength: maxBytes, isPartial })
    } catch (error) {
      const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      return isTooLarge
        ? { problem: `larger than ${maxBytes} bytes`, isTooLarge }
        : { problem: `not valid ${coding}` }
    }
  }
  return { bytes: decoded, codings: applied.join(', ') }
}

/**
 * How a body begins with its content codings taken off; `undefined` where they are not known, or none of it could be.
 * @param bytes the body, or how it begins
 */
export async function decodeBeginning(
  bytes: Buffer,
  contentEncoding: string,
  maxBytes: number,
): Promise<Buffer | undefined> {
  let beginning = bytes
  for (const coding of codingsIn(contentEncoding).slice(-MAX_CODINGS).toReversed()) {
    const known = CONTENT_CODINGS.get(coding)
    if (known === undefined) return undefined
    try {
      beginning = await readBeginning(await known.createDecoder(beginning), beginning, maxBytes)
    } catch {
      return undefined
    }
  }
  return beginning.length === 0 ? undefined : beginning.subarray(0, maxBytes)
}

// What is cut off or broken ends with an error, and what came before it is the beginning.
async function readBeginning(decoder: Transform, bytes: Buffer, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  decoder.on('data', (piece: Buffer) => {
    pieces.push(piece)
    if ((length += piece.length) >= maxBytes) decoder.destroy()
  })
  decoder.end(bytes)
  await finished(decoder).catch(() => undefined)
  return Buffer.concat(pieces)
}

/**
 * The chunks of a body with its content coding taken off, as a client could read them.
 * @param bytes a body that can be decoded
 * @param chunks those of the body as it is
 */
export async function decodeChunks(
  bytes: Buffer,
  contentEncoding: string,
  chunks: readonly BodyChunk[],
): Promise<readonly BodyChunk[]> {
  let decoded: Buffer[] = [bytes]
  let arrived = chunks
  for (const coding of codingsIn(contentEncoding).toReversed()) {
    const whole = Buffer.concat(decoded)
    const stream = await CONTENT_CODINGS.get(coding)?.createDecoder(whole)
    if (stream === undefined) return []
    decoded = await decodeEach(stream, whole, arrived)
    arrived = arrived.map(({ time }, index) => ({ time, bytes: decoded[index]?.length ?? 0 }))
  }
  return arrived.filter((chunk) => chunk.bytes > 0)
}

async function decodeEach(stream: Transform, bytes: Buffer, chunks: readonly BodyChunk[]): Promise<Buffer[]> {
  let piece: Buffer[] = []
  const decoded: Buffer[] = []
  stream.on('data', (data: Buffer) => piece.push(data))
  const ended = finished(stream).catch(() => undefined)
  let start = 0
  for (const chunk of chunks) {
    await new Promise((written) => stream.write(bytes.subarray(start, (start += chunk.bytes)), written))
    decoded.push(Buffer.concat(piece))
    piece = []
  }
  stream.end()
  await ended
  decoded[chunks.length - 1] = Buffer.concat([decoded.at(-1) ?? Buffer.alloc(0), ...piece])
  return decoded
}

/** Whether a body with this `Content-Encoding` has anything to take off. */
export function isEncoded(bytes: Buffer, contentEncoding: string): boolean {
  return bytes.length > 0 && codingsIn(contentEncoding).length > 0
}
