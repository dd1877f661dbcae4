import { gunzipSync, gzipSync } from 'node:zlib'

/** What is longer once it is decoded holds others up for too long. */
const MAX_BYTES = 4 * 1024 * 1024
const HEAD_BYTES = 3
const [FIRST, SECOND, DEFLATE] = [0x1f, 0x8b, 8]

// eslint-disable-next-line no-control-regex
const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]/

/** Whether bytes are a file of gzip (RFC 1952, section 2.3.1). */
export function isGzip(bytes: Buffer): boolean {
  return bytes.length >= HEAD_BYTES && bytes[0] === FIRST && bytes[1] === SECOND && bytes[2] === DEFLATE
}

/**
 * Hides the secrets of a text that is compressed without a content coding that says so; `undefined` where there are
 * none. An archive is left as it is: who unpacks it knows the digest of all of it.
 */
export function redactGzip(bytes: Buffer, redact: (text: string) => string): Buffer | undefined {
  const text = textIn(bytes)
  if (text === undefined || BINARY.test(text)) return undefined
  const redacted = redact(text)
  return redacted === text ? undefined : gzipSync(redacted)
}

function textIn(bytes: Buffer): string | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES }).toString()
  } catch {
    return undefined
  }
}
