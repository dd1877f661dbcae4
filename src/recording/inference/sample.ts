import type { Content, Exchange, NameValue, PostData } from '../files/exchange.ts'
import { inlineBytes } from '../files/inline-body.ts'
import { kindOf, type BodyKind } from '../files/media.ts'
import { createBodies, type Bodies } from './bodies.ts'

/** One recorded exchange as inference sees it. */
export interface Sample {
  /** Where in the recording, from 0. */
  readonly index: number
  readonly method: string
  /** Scheme and authority. */
  readonly origin: string
  /** The path's segments, percent-decoded, without the empty one of a trailing slash. */
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
  /** The response body in base64, where it is binary. */
  readonly binary?: string
  /** Set where a body was too much to be looked into. */
  readonly isCut?: true
}

/**
 * An exchange as a sample.
 * @param bytes the bodies' bytes where they lie in files of their own
 * @param bodies what keeps them
 */
export function sampleOf(
  exchange: Exchange,
  index: number,
  bytes: { readonly request?: Buffer | undefined; readonly response?: Buffer | undefined } = {},
  bodies = createBodies(),
): Sample {
  const { request, response } = exchange
  const url = new URL(request.url)
  const { cut } = bodies
  const body = request.postData && valueOf(request.postData, bytes.request, bodies)
  const { content } = response
  const isBinary = kindOf(content.mimeType) === 'binary'
  const answer = valueOf(content, bytes.response, bodies)
  const binary = isBinary ? base64Of(content, bytes.response, bodies) : undefined
  return {
    index,
    method: request.method,
    origin: url.origin,
    segments: url.pathname
      .replace(/(.)\/+$/, '$1')
      .split('/')
      .slice(1)
      .map(decode),
    query: listed(request.queryString),
    headers: joined(request.headers),
    ...(body !== undefined && { body }),
    status: response.status,
    responseHeaders: joined(response.headers),
    mimeType: content.mimeType,
    ...(answer !== undefined && { response: answer }),
    ...(binary !== undefined && { binary }),
    ...(bodies.cut > cut && { isCut: true }),
  }
}

function valueOf(body: Content | PostData, stored: Buffer | undefined, bodies: Bodies): unknown {
  const bytes = inlineBytes(body) ?? stored
  if (bytes === undefined || bytes.length === 0) return undefined
  const kind = kindOf(body.mimeType)
  if (kind === 'binary' || kind === 'multipart') return undefined
  const form = kind === 'json' || kind === 'form' || body.mimeType === '' ? kind : 'text'
  return bodies.read(form, bytes, () => read(kind, body.mimeType, bytes.toString('utf8')))
}

function read(kind: BodyKind, mimeType: string, text: string): unknown {
  if (kind === 'form') {
    return listed([...new URLSearchParams(text)].map(([name, value]) => ({ name, value })))
  }
  if (kind !== 'json' && mimeType !== '') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function base64Of(body: Content, stored: Buffer | undefined, bodies: Bodies): string | undefined {
  const bytes = inlineBytes(body) ?? stored
  if (bytes === undefined || bytes.length === 0) return undefined
  return bodies.read('base64', bytes, () => bytes.toString('base64')) as string | undefined
}

/** Whether an answer's body is JSON, or has no type that says otherwise. */
export function isJson({ mimeType }: Sample): boolean {
  return mimeType === '' || kindOf(mimeType) === 'json'
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

/** Whether an exchange is a request and its answer: what follows a 101 is another protocol's. */
export function isAnswered({ response }: Exchange): boolean {
  return response.status !== 101
}
