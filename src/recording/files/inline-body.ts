import { isUtf8 } from 'node:buffer'
import type { Content, PostData } from './exchange.ts'

/** Largest body that is kept inline. */
export const INLINE_BYTES = 32 * 1024

/** A body's bytes as JSON can hold them: text when they are valid UTF-8, base64 otherwise. */
export interface InlineBody {
  readonly text: string
  readonly isBase64: boolean
}

/** Makes bytes inline, without loss: a byte order mark stays. */
export function toInline(bytes: Buffer): InlineBody {
  const isBase64 = !isUtf8(bytes)
  return { text: bytes.toString(isBase64 ? 'base64' : 'utf8'), isBase64 }
}

/** Whether the text of a body is base64, by HAR's field for responses or by ours for requests. */
export function isBase64(body: Content | PostData): boolean {
  return (
    ('encoding' in body && body.encoding === 'base64') || ('_encoding' in body && body._encoding === 'base64')
  )
}

/** The bytes of a body that is inline; undefined when it is in a file, was left out or is not there. */
export function inlineBytes(body: Content | PostData): Buffer | undefined {
  return body.text === undefined ? undefined : Buffer.from(body.text, isBase64(body) ? 'base64' : 'utf8')
}

/** Whether the text of a body is more than is kept inline. */
export function isLong(body: Content | PostData | undefined): boolean {
  // Most are so short that they need not be encoded to know it: a character takes three bytes at most.
  if (body?.text === undefined || body.text.length <= INLINE_BYTES / 3) return false
  return (inlineBytes(body)?.length ?? 0) > INLINE_BYTES
}

/** A body without its inline text. */
export function withoutText<Body extends Content | PostData>(body: Body): Omit<Body, 'text'> {
  const { text: _text, encoding: _ours, _encoding: _theirs, ...rest } = body as Body & Content & PostData
  return rest as unknown as Omit<Body, 'text'>
}
