import type { IncomingMessage } from 'node:http'
import { Transform, pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { InputInvalid, MediaTypeUnsupported } from '../errors.ts'

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
  checkWindow(bytes)
  decoder.push(bytes, !isPartial)
  return Buffer.concat(pieces)
}

async function createUnzstd(start: Buffer = Buffer.alloc(0)): Promise<Transform> {
  const { Decompress } = await import('fzstd')
  checkWindow(start)
  const stream: Transform = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      run(() => decoder.push(chunk), done)
    },
    flush(done) {
      run(() => decoder.push(Buffer.alloc(0), true), done)
    },
  })
  const decoder = new Decompress((piece) => void stream.push(Buffer.from(piece)))
  return stream
}

function run(work: () => void, done: (error?: Error) => void): void {
  try {
    work()
    done()
  } catch (error) {
    done(error as Error)
  }
}

// RFC 9659, section 3: a content coding has no window larger than 8 MiB, and what says so would take as much memory.
const MAX_WINDOW_LOG = 23

function checkWindow(bytes: Buffer): void {
  const [descriptor = 0, window = 0] = bytes.subarray(4)
  const isSingleSegment = (descriptor & 0x20) !== 0
  if (!isSingleSegment && 10 + (window >> 3) > MAX_WINDOW_LOG) throw new RangeError('Its window is too large')
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
