import type { Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { BodyChunk } from './exchange.ts'

/** Bytes with the content codings taken off, which `codings` names, or why they could not be. */
type Decoded = { readonly bytes: Buffer; readonly codings: string | undefined } | { readonly problem: string }

/** Most bytes that a body may have, compressed or not, to be looked into for secrets. */
export const CHECKED_BYTES = 8 * 1024 * 1024

/** What is said of a body that is larger than that. */
export const TOO_LARGE = `larger than ${CHECKED_BYTES} bytes`

const MAX_CODINGS = 4

interface DecodeOptions {
  readonly maxOutputLength: number
  readonly finishFlush?: number
}

/** A content coding, as a whole and as a stream. */
interface Decoder {
  readonly all: (bytes: Buffer, options: DecodeOptions) => Promise<Buffer>
  /** The `finishFlush` that lets the end be missing. */
  readonly flush: number
  readonly stream: (bytes: Buffer) => Transform
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants
const GZIP: Decoder = {
  all: promisify(zlib.gunzip),
  flush: Z_SYNC_FLUSH,
  stream: () => zlib.createGunzip(),
}
const BROTLI: Decoder = {
  all: promisify(zlib.brotliDecompress),
  flush: BROTLI_OPERATION_FLUSH,
  stream: () => zlib.createBrotliDecompress(),
}
const [inflate, inflateRaw] = [promisify(zlib.inflate), promisify(zlib.inflateRaw)]
const DEFLATE: Decoder = {
  all: (bytes, options) => (hasZlibHeader(bytes) ? inflate : inflateRaw)(bytes, options),
  flush: Z_SYNC_FLUSH,
  stream: (bytes) => (hasZlibHeader(bytes) ? zlib.createInflate() : zlib.createInflateRaw()),
}

// The names are those of RFC 9110, section 8.4.1.
const DECODERS = new Map<string, Decoder>([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['deflate', DEFLATE],
  ['br', BROTLI],
  ...zstd(),
])

// Node has it from 22.15 on; the types are of Node 20.
function zstd(): (readonly [string, Decoder])[] {
  const all: unknown = Reflect.get(zlib, 'zstdDecompress')
  const stream: unknown = Reflect.get(zlib, 'createZstdDecompress')
  if (typeof all !== 'function' || typeof stream !== 'function') return []
  const flush = Number(Reflect.get(zlib.constants, 'ZSTD_e_flush'))
  return [['zstd', { all: promisify(all as typeof zlib.gunzip), flush, stream: stream as () => Transform }]]
}

/**
 * Takes off the codings of a `Content-Encoding`, last one first, and never makes more than `CHECKED_BYTES`.
 * @param isPartial whether the end may be missing
 */
export async function decode(bytes: Buffer, contentEncoding: string, isPartial = false): Promise<Decoded> {
  const applied = codingsOf(contentEncoding)
  if (applied.length === 0 || bytes.length === 0) return { bytes, codings: undefined }
  if (applied.length > MAX_CODINGS) return { problem: `encoded ${applied.length} times` }
  let decoded = bytes
  for (const coding of applied.toReversed()) {
    const decoder = DECODERS.get(coding)
    if (decoder === undefined) return { problem: `encoded as '${coding}', which is not known` }
    try {
      const flushed = isPartial ? { finishFlush: decoder.flush } : {}
      decoded = await decoder.all(decoded, { maxOutputLength: CHECKED_BYTES, ...flushed })
    } catch (error) {
      const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      return { problem: isTooLarge ? TOO_LARGE : `not valid ${coding}` }
    }
  }
  return { bytes: decoded, codings: applied.join(', ') }
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
  for (const coding of codingsOf(contentEncoding).toReversed()) {
    const whole = Buffer.concat(decoded)
    const stream = DECODERS.get(coding)?.stream(whole)
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
  return contentEncoding !== '' && bytes.length > 0 && codingsOf(contentEncoding).length > 0
}

function codingsOf(contentEncoding: string): string[] {
  const codings = contentEncoding.split(',').map((coding) => coding.trim().toLowerCase())
  return codings.filter((coding) => coding !== '' && coding !== 'identity')
}

// Some servers send `deflate` without the zlib wrapper that RFC 1950, section 2.2 begins it with.
function hasZlibHeader(bytes: Buffer): boolean {
  const [method = 0, flags = 0] = bytes
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0
}
