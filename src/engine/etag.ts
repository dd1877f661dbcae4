import { hash } from 'node:crypto'
import { jsonOf } from '../data-files/limits.ts'
import type { HttpResponse } from '../message.ts'
import { canonicalText } from './random.ts'
import { memberAt } from './schema/member.ts'
import { readPointer } from './schema/pointer.ts'

/** How the ETags of answers are made. */
export interface EtagOption {
  readonly weak?: boolean
  /** Whether a write is refused with 412 whose If-Match or If-None-Match is not met. */
  readonly match?: boolean
  /** Whether a request with `Cache-Control: no-cache` gets all of the answer, whatever it has. */
  readonly reload?: boolean
  /** Whether an answer without a body to a write has the ETag that a GET gets then. */
  readonly written?: boolean
  /** The pointer to what is the ETag in a body that names its own, such as `/etag`. */
  readonly at?: string
  /** ETags by the digests of what they are of. */
  readonly known?: Readonly<Record<string, string>>
}

/** The ETag of a body (RFC 9110, section 8.8.3): the one that it names or that is known for what it says, or else one of its digest. */
export function etagOf(
  body: NonNullable<HttpResponse['body']>,
  { weak = false, known = {}, at }: EtagOption,
): string {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : Buffer.from(body)
  const named = at === undefined ? undefined : memberAt(jsonOf(bytes.toString()), readPointer(at))
  if (typeof named === 'string' && /^[!-~]+$/.test(named)) return named
  const digest = digestOf(bytes)
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
