import type { Content, Exchange, NameValue, PostData } from '../exchange.ts'
import { inlineBytes } from '../inline-body.ts'
import { kindOf } from '../media.ts'

/** One recorded exchange as inference sees it. */
export interface Sample {
  /** Where in the recording, from 0. */
  readonly index: number
  readonly method: string
  /** Scheme and authority. */
  readonly origin: string
  /** The path's segments, percent-decoded. */
  readonly segments: readonly string[]
  /** A repeated name is a list. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The request body as JSON, a form's fields as texts; absent where there is none or it is neither. */
  readonly body?: unknown
  readonly status: number
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly mimeType: string
  /** The response body: JSON where it is, else its text; absent where there is none or it is binary. */
  readonly response?: unknown
}

/**
 * An exchange as a sample.
 * @param bytes the bodies' bytes where they lie in files of their own
 */
export function sampleOf(
  exchange: Exchange,
  index: number,
  bytes: { readonly request?: Buffer | undefined; readonly response?: Buffer | undefined } = {},
): Sample {
  const { request, response } = exchange
  const url = new URL(request.url)
  const body = request.postData && valueOf(request.postData, bytes.request)
  const answer = valueOf(response.content, bytes.response)
  return {
    index,
    method: request.method,
    origin: url.origin,
    segments: url.pathname.split('/').slice(1).map(decode),
    query: listed(request.queryString),
    headers: joined(request.headers),
    ...(body !== undefined && { body }),
    status: response.status,
    responseHeaders: joined(response.headers),
    mimeType: response.content.mimeType,
    ...(answer !== undefined && { response: answer }),
  }
}

function valueOf(body: Content | PostData, stored: Buffer | undefined): unknown {
  const bytes = inlineBytes(body) ?? stored
  if (bytes === undefined || bytes.length === 0) return undefined
  const kind = kindOf(body.mimeType)
  if (kind === 'binary' || kind === 'multipart') return undefined
  const text = bytes.toString('utf8')
  if (kind === 'form') {
    return listed([...new URLSearchParams(text)].map(([name, value]) => ({ name, value })))
  }
  if (kind !== 'json' && body.mimeType !== '') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function listed(pairs: readonly NameValue[]): Record<string, string | string[]> {
  const values = new Map<string, string[]>()
  for (const { name, value } of pairs) values.set(name, [...(values.get(name) ?? []), value])
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all]))
}

function joined(headers: readonly NameValue[]): Record<string, string> {
  const values = new Map<string, string>()
  for (const { name, value } of headers) {
    const known = values.get(name.toLowerCase())
    values.set(name.toLowerCase(), known === undefined ? value : `${known}, ${value}`)
  }
  return Object.fromEntries(values)
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
