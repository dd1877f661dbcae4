import { hash } from 'node:crypto'
import type { HttpResponse } from '../message.ts'
import { canonicalText } from './random.ts'

/** How the ETags of answers are made. */
export interface EtagOption {
  readonly weak?: boolean
  /** Whether a write is refused with 412 whose If-Match names another. */
  readonly match?: boolean
  /** Whether a request with `Cache-Control: no-cache` gets all of the answer, whatever it has. */
  readonly reload?: boolean
  /** ETags by the digests of what they are of. */
  readonly known?: Readonly<Record<string, string>>
}

/** The ETag of a body (RFC 9110, section 8.8.3): the one that is known for what it says, or else one of its digest. */
export function etagOf(
  body: NonNullable<HttpResponse['body']>,
  { weak = false, known = {} }: EtagOption,
): string {
  const digest = digestOf(typeof body === 'string' ? Buffer.from(body, 'latin1') : Buffer.from(body))
  return known[digest] ?? `${weak ? 'W/' : ''}"${digest}"`
}

/** Equal for bodies that say the same: JSON by its value. */
export function digestOf(body: Buffer): string {
  const text = body.toString()
  return hash('sha256', /^\s*[[{]/.test(text) ? canonicalOf(text) : text, 'base64url').slice(0, DIGITS)
}

const DIGITS = 22

function canonicalOf(text: string): string {
  try {
    return canonicalText(JSON.parse(text))
  } catch {
    return text
  }
}
