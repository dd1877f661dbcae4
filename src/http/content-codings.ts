import type { IncomingMessage } from 'node:http'
import { Transform, pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { InputInvalid, MediaTypeUnsupported } from '../errors.ts'
import { createPause } from './pause.ts'
import { createZstdSplitter } from './zstd-pieces.ts'

/** How much of a body is decoded, and whether its end may be missing. */
interface DecodeLimits {
  readonly maxOutputLength: number
  readonly isPartial: boolean
}

/** A content coding (RFC 9110, section 8.4.1), for a body at once and as a stream. */
interface ContentCoding {
  /** Fails with the code `ERR_BUFFER_TOO_LARGE` where there would be more than may be. */
  decode(bytes: Buffer, limits: DecodeLimits): Promise<Buffer>
  /** @param start the first bytes of what is to be decoded, where they are known */
  createDecoder(start?: Buffer): Promise<Transform> | Transform
}

type Decode = (bytes: Buffer, options: zlib.ZlibOptions) => Promise<Buffer>

function codingOf(
  decoderFor: (bytes: Buffer) => Decode,
  partialFlush: number,
  createDecoder: (start?: Buffer) => Transform,
): ContentCoding {
  return {
    createDecoder,
    decode: (bytes, { maxOutputLength, isPartial }) =>
      decoderFor(bytes)(bytes, { maxOutputLength, ...(isPartial && { finishFlush: partialFlush }) }),
  }
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants
const [gunzip, unbrotli] = [promisify(zlib.gunzip), promisify(zlib.brotliDecompress)]
const [inflate, inflateRaw] = [promisify(zlib.inflate), promisify(zlib.inflateRaw)]
const gzip = codingOf(
  () => gunzip,
  Z_SYNC_FLUSH,
  () => zlib.createGunzip(),
)

/** The content codings that are known, by their names in lower case. */
export const CONTENT_CODINGS: ReadonlyMap<string, ContentCoding> = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  [
    'deflate',
    codingOf(
      (bytes) => (hasZlibHeader(bytes) ? inflate : inflateRaw),
      Z_SYNC_FLUSH,
      (start) =>
        start === undefined || hasZlibHeader(start) ? zlib.createInflate() : zlib.createInflateRaw(),
    ),
  ],
  [
    'br',
    codingOf(
      () => unbrotli,
      BROTLI_OPERATION_FLUSH,
      () => zlib.createBrotliDecompress(),
    ),
  ],
  ['zstd', { decode: unzstd, createDecoder: createUnzstd }],
])

// Some servers send `deflate` without the zlib wrapper that RFC 1950, section 2.2 begins it with.
function hasZlibHeader(bytes: Buffer): boolean {
  const [method = 0, flags = 0] = bytes
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0
}

// Read by a library on every version of Node: what Node brings from 22.15 on takes a frame that was cut off for whole.
async function unzstd(bytes: Buffer, { maxOutputLength, isPartial }: DecodeLimits): Promise<Buffer> {
  const { Decompress } = await import('fzstd')
  const pieces: Uint8Array[] = []
  let size = 0
  const decoder = new Decompress((piece) => {
    size += piece.length
    if (size > maxOutputLength)
      throw Object.assign(new RangeError('More than may be'), { code: 'ERR_BUFFER_TOO_LARGE' })
    pieces.push(piece.slice())
  })
  const splitter = createZstdSplitter()
  const pause = createPause()
  for (const piece of splitter.split(bytes)) {
    decoder.push(piece)
    await pause()
  }
  decoder.push(splitter.rest(), !isPartial)
  return Buffer.concat(pieces)
}

async function createUnzstd(): Promise<Transform> {
  const { Decompress } = await import('fzstd')
  const splitter = createZstdSplitter()
  const pause = createPause()
  let wanted: (() => void) | undefined
  const feed = async (chunk: Buffer): Promise<void> => {
    for (const piece of splitter.split(chunk)) {
      if (stream.destroyed) return
      decoder.push(piece)
      // A few bytes may give gigabytes.
      if (stream.readableLength >= stream.readableHighWaterMark)
        await new Promise<void>((resolve) => (wanted = resolve))
      await pause()
    }
  }
  const stream: Transform = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      // oxlint-disable-next-line promise/no-callback-in-promise -- a stream has no other way to say it
      feed(chunk).then(() => done(), done)
    },
    flush(done) {
      try {
        decoder.push(splitter.rest(), true)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
  const read = stream._read.bind(stream)
  stream._read = (size) => {
    wanted?.()
    read(size)
  }
  stream.once('close', () => wanted?.())
  const decoder = new Decompress((piece) => void (piece.length > 0 && stream.push(Buffer.from(piece))))
  return stream
}

type Encoded = Pick<IncomingMessage, 'headers'>

/** What a request's content may be encoded as: those whose decoder is there at once. */
const ACCEPTED = ['gzip', 'deflate', 'br']

/**
 * A request's content without its content encoding (RFC 9110, section 8.4); reading it fails with InputInvalid where
 * it is not what its encoding says.
 * @param body its bytes, where they do not come from the request itself
 * @throws MediaTypeUnsupported for an encoding that is not known, or more than one
 */
export function contentOf(request: Readable & Encoded, body: Readable = request): Readable {
  const coding = (request.headers['content-encoding'] ?? '').trim().toLowerCase().replace(/^x-/, '')
  if (coding === '' || coding === 'identity') return body
  const known = ACCEPTED.includes(coding) ? CONTENT_CODINGS.get(coding) : undefined
  if (known === undefined)
    throw new MediaTypeUnsupported(`The content encoding '${coding}'`, ACCEPTED, 'accept-encoding')
  const content = known.createDecoder() as Transform
  pipeline(body, content, () => undefined)
  return content
}

/** An error of reading a request's content, as the client gets it. */
export function readingError(error: unknown, request: Encoded): unknown {
  const { code } = error as { readonly code?: unknown }
  if (typeof code !== 'string' || !/^(Z_|ERR_.*BROTLI|ERR__ERROR)/.test(code)) return error
  const msg = `The body is not what its content encoding says: ${(error as Error).message}`
  const input = request.headers['content-encoding']
  return new InputInvalid([{ type: 'content_encoding', loc: ['body'], msg, input }])
}
