import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { canonicalText } from '../engine/random.ts'
import type { Exchange } from './exchange.ts'
import { withoutPseudonyms } from './hide.ts'
import { kindOf } from './media.ts'
import { redactBody } from './redact-body.ts'
import { redactUrl } from './redact-url.ts'

/** What of a request's head tells it apart from others; secrets are hidden, as in recordings. */
export interface RequestHead {
  readonly method: string
  /** Host and port; absent where any will do. */
  readonly host: string | undefined
  readonly path: string
  /** Names and values of the query, sorted: their order tells nothing. */
  readonly query: readonly (readonly [string, string])[]
}

/** The head of a request to a path and query. */
export function headOf(method: string, host: string | undefined, url: string): RequestHead {
  const [path = '', ...search] = withoutPseudonyms(redactUrl(url)).split('?')
  const pairs = [...new URLSearchParams(search.join('?'))]
  const query = pairs.toSorted((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]))
  return { method, host, path, query }
}

/** The head of a recorded request. */
export function recordedHead({ request }: Exchange): RequestHead {
  const { host, pathname, search } = new URL(request.url)
  return headOf(request.method, host, `${pathname}${search}`)
}

/**
 * A text that is equal for bodies that say the same: JSON by its value, anything else by its bytes. Secrets count as
 * equal, since a recording does not tell them.
 */
export function bodyForm(bytes: Buffer, contentType: string): string {
  if (bytes.length === 0) return ''
  if (kindOf(contentType) === 'binary' && !isUtf8(bytes))
    return createHash('sha256').update(bytes).digest('hex')
  const redacted = redactBody(bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1'), contentType)
  return 'omitted' in redacted ? OMITTED : jsonForm(withoutPseudonyms(redacted.text))
}

/** The form of a body that was left out of a recording. */
export const OMITTED = 'omitted'

/** What differs between a request and a recorded one, their bodies aside; nothing when they are equal. */
export function headDifferences(asked: RequestHead, recorded: RequestHead): string[] {
  const told: string[] = []
  const tell = (what: string, one: string, other: string): void => {
    if (one !== other) told.push(`${what} ${one} instead of ${other}`)
  }
  tell('method', recorded.method, asked.method)
  if (asked.host !== undefined) tell('host', recorded.host ?? '', asked.host)
  tell('path', recorded.path, asked.path)
  const names = [...new Set([...asked.query, ...recorded.query].map(([name]) => name))]
  for (const name of names) tell(`query ${name}:`, valuesOf(recorded, name), valuesOf(asked, name))
  return told
}

function valuesOf({ query }: RequestHead, name: string): string {
  const values = query.filter(([other]) => other === name).map(([, value]) => value)
  return values.length === 0 ? 'nothing' : values.join(', ')
}

function jsonForm(text: string): string {
  try {
    return canonicalText(JSON.parse(text))
  } catch {
    return text
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
