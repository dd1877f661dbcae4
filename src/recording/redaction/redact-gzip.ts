import { gunzipSync, gzipSync } from 'node:zlib'

/** What is longer once it is decoded holds others up for too long. */
const MAX_BYTES = 4 * 1024 * 1024
/** The same of all that is in one exchange: a kilobyte may stand for a megabyte. */
export const MAX_INFLATED = 2 * MAX_BYTES
const HEAD_BYTES = 3
const [FIRST, SECOND, DEFLATE] = [0x1f, 0x8b, 8]

/** Control characters that no text has. */
// eslint-disable-next-line no-control-regex
export const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]/

/** How many bytes may still be decoded. */
export interface Inflating {
  left: number
}

/** Whether bytes are a file of gzip (RFC 1952, section 2.3.1). */
export function isGzip(bytes: Buffer): boolean {
  return bytes.length >= HEAD_BYTES && bytes[0] === FIRST && bytes[1] === SECOND && bytes[2] === DEFLATE
}

/**
 * Hides the secrets of a text that is compressed without a content coding that says so; `undefined` where there are
 * none. An archive is left as it is: who unpacks it knows the digest of all of it.
 */
export function redactGzip(
  bytes: Buffer,
  redact: (text: string) => string,
  inflating: Inflating = { left: MAX_BYTES },
): Buffer | undefined {
  const text = textIn(bytes, inflating)
  if (text === undefined || BINARY.test(text)) return undefined
  const redacted = redact(text)
  return redacted === text ? undefined : gzipSync(redacted)
}

function textIn(bytes: Buffer, inflating: Inflating): string | undefined {
  const maxOutputLength = Math.min(MAX_BYTES, inflating.left)
  if (maxOutputLength <= 0) return undefined
  try {
    const decoded = gunzipSync(bytes, { maxOutputLength })
    inflating.left -= decoded.length
    return decoded.toString()
  } catch {
    inflating.left -= maxOutputLength
    return undefined
  }
}
