import { promisify } from 'node:util'
import zlib from 'node:zlib'

/** Bytes with the content codings taken off, which `codings` names, or why they could not be. */
export type Decoded =
  { readonly bytes: Buffer; readonly codings: string | undefined } | { readonly problem: string }

/** Most bytes that a body may have, compressed or not, to be looked into for secrets. */
export const CHECKED_BYTES = 8 * 1024 * 1024

/** What is said of a body that is larger than that. */
export const TOO_LARGE = `larger than ${CHECKED_BYTES} bytes`

const MOST_CODINGS = 4

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const gunzip: Decoder = promisify(zlib.gunzip)
const inflate: Decoder = promisify(zlib.inflate)
const inflateRaw: Decoder = promisify(zlib.inflateRaw)
// Node has it from 22.15 on.
const zstd: unknown = Reflect.get(zlib, 'zstdDecompress')

// The names are those of RFC 9110, section 8.4.1.
const DECODERS = new Map<string, Decoder>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', (bytes, options) => (hasZlibHeader(bytes) ? inflate : inflateRaw)(bytes, options)],
  ['br', promisify(zlib.brotliDecompress)],
  ...(typeof zstd === 'function' ? [['zstd', promisify(zstd as typeof zlib.gunzip)] as const] : []),
])

/** Takes off the codings of a `Content-Encoding`, last one first, and never makes more than `CHECKED_BYTES`. */
export async function decode(bytes: Buffer, contentEncoding: string): Promise<Decoded> {
  const codings = contentEncoding.split(',').map((coding) => coding.trim().toLowerCase())
  const applied = codings.filter((coding) => coding !== '' && coding !== 'identity')
  if (applied.length === 0 || bytes.length === 0) return { bytes, codings: undefined }
  if (applied.length > MOST_CODINGS) return { problem: `encoded ${applied.length} times` }
  let decoded = bytes
  for (const coding of applied.toReversed()) {
    const decoder = DECODERS.get(coding)
    if (decoder === undefined) return { problem: `encoded as '${coding}', which is not known` }
    try {
      decoded = await decoder(decoded, { maxOutputLength: CHECKED_BYTES })
    } catch (error) {
      const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      return { problem: isTooLarge ? TOO_LARGE : `not valid ${coding}` }
    }
  }
  return { bytes: decoded, codings: applied.join(', ') }
}

// Some servers send `deflate` without the zlib wrapper that RFC 1950, section 2.2 begins it with.
function hasZlibHeader(bytes: Buffer): boolean {
  const [method = 0, flags = 0] = bytes
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0
}
