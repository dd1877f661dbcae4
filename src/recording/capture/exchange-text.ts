import { LRUCache } from 'lru-cache'
import { type Exchange, INLINE_BYTES, isLong, type Redacted } from '../exchange.ts'
import {
  buildExchange,
  contentOf,
  roundTimings,
  type BodyCapture,
  type Capture,
  type HeaderPairs,
} from '../files/har.ts'
import type { QuoteHarmless } from '../redaction/harmless-json.ts'
import type { Redactor } from '../redaction/redactor.ts'

/** An exchange as a recording has it, or the JSON text of it. */
export type Recordable = Redacted<Exchange> | Redacted<string>

/** What the heads of an exchange are written as. */
interface Heads {
  readonly request: Capture['request']
  readonly response: Capture['response']
  /** The texts before and after the content of the response, which `found` secrets were hidden in. */
  readonly before: string
  readonly after: string
  readonly found: ReadonlySet<string>
  /** What quotes the content, where most need not be looked into, and its type as JSON. */
  readonly quote: QuoteHarmless | undefined
  readonly mimeType: string
}

/** What was requested before. */
interface Known {
  readonly heads: Heads
  /** The response's body, and what is written of it. */
  body: BodyCapture | undefined
  content: string
}

/** How much the exchanges that are known may take in memory, in bytes, and what one takes besides its body and text. */
const MAX_BYTES = 4 * 1024 * 1024
const OVERHEAD = 2 * 1024

/**
 * Makes what turns captures into what is recorded of them, without secrets. Of what is requested over and over, the text
 * is known: where its heads are as they were the time before, only the body is looked into, and only if it has changed.
 */
export function createExchangeTexts(redactor: Redactor): (capture: Capture) => Recordable {
  const known = new LRUCache<string, Known>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ heads, body, content }) =>
      heads.before.length + heads.after.length + content.length + lengthOf(body) + OVERHEAD,
  })
  return (capture) => {
    const { request, responseBody: body } = capture
    if (!isPlain(capture)) return redactor.exchange(buildExchange(capture))
    const key = `${request.method} ${request.url}`
    const last = known.get(key)
    const hasSameHeads = last !== undefined && areSameHeads(last.heads, capture)
    if (hasSameHeads && areSameBodies(last.body, body)) return textOf(capture, last.heads, last.content)
    const heads = hasSameHeads ? last.heads : headsOf(capture, redactor)
    const content = contentTextOf(body, heads, redactor)
    if (content === undefined) return redactor.exchange(buildExchange(capture))
    // What takes no more memory than it replaces needs no more counting.
    if (!hasSameHeads || content.length > last.content.length || lengthOf(body) > lengthOf(last.body))
      known.set(key, { heads, body, content })
    else {
      last.body = body
      last.content = content
    }
    return textOf(capture, heads, content)
  }
}

// What has no more to it than its heads and a short answer.
function isPlain({ requestBody, responseBody, trailers, isAborted, webSocket }: Capture): boolean {
  if (isAborted === true || webSocket !== undefined || (trailers !== undefined && trailers.length > 0))
    return false
  if (requestBody !== undefined && requestBody.wireSize > 0) return false
  if (responseBody === undefined) return true
  return (
    'bytes' in responseBody && responseBody.chunks === undefined && responseBody.bytes.length <= INLINE_BYTES
  )
}

function areSameHeads({ request, response }: Heads, other: Capture): boolean {
  return (
    request.httpVersion === other.request.httpVersion &&
    response.status === other.response.status &&
    response.statusText === other.response.statusText &&
    response.httpVersion === other.response.httpVersion &&
    areSamePairs(request.headers, other.request.headers) &&
    areSamePairs(response.headers, other.response.headers)
  )
}

function areSamePairs(some: HeaderPairs, others: HeaderPairs): boolean {
  if (some === others) return true
  if (some.length !== others.length) return false
  return some.every(([name, value], index) => name === others[index]?.[0] && value === others[index]?.[1])
}

function areSameBodies(one: BodyCapture | undefined, other: BodyCapture | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  if (!('bytes' in one) || !('bytes' in other)) return false
  return one.codings === other.codings && one.wireSize === other.wireSize && one.bytes.equals(other.bytes)
}

function lengthOf(body: BodyCapture | undefined): number {
  return body !== undefined && 'bytes' in body ? body.bytes.length : 0
}

// The members of an exchange are written in the order that `buildExchange` has them.
function headsOf(capture: Capture, redactor: Redactor): Heads {
  const found = new Set<string>()
  const { request, response } = redactor.exchange(
    buildExchange({ ...capture, responseBody: undefined }),
    found,
  )
  const { content, redirectURL, headersSize, bodySize: _size, ...head } = response
  const { mimeType: contentType } = content
  return {
    request: capture.request,
    response: capture.response,
    before: `"request":${JSON.stringify(request)},"response":${JSON.stringify(head).slice(0, -1)},"content":`,
    after: `,${JSON.stringify({ redirectURL, headersSize }).slice(1, -1)},"bodySize":`,
    found,
    quote: redactor.quoter(contentType, capture.request.url, found),
    mimeType: JSON.stringify(contentType),
  }
}

// Pseudonyms may be longer than what they stand for, and a long body goes to a file.
function contentTextOf(
  body: BodyCapture | undefined,
  { request, response, found, quote, mimeType }: Heads,
  redactor: Redactor,
): string | undefined {
  if (quote !== undefined && body !== undefined && 'bytes' in body && body.codings === undefined) {
    const quoted = quote(body.bytes)
    if (quoted !== undefined) return `{"size":${body.bytes.length},"mimeType":${mimeType},"text":${quoted}}`
  }
  const content = redactor.content(contentOf(body, response.headers), request.url, found)
  return content === undefined || isLong(content) ? undefined : JSON.stringify(content)
}

function textOf(
  { startedAt, timings, responseBody }: Capture,
  { before, after }: Heads,
  content: string,
): Redacted<string> {
  const { send, wait, receive, time } = roundTimings(timings)
  const begin = `{"startedDateTime":"${isoOf(startedAt)}","time":${time},`
  const end = `"cache":{},"timings":{"send":${send},"wait":${wait},"receive":${receive}}}`
  return `${begin}${before}${content}${after}${responseBody?.wireSize ?? 0}},${end}` as Redacted<string>
}

let second = Number.NaN
let secondText = ''

// Those of one second differ in the milliseconds alone, and to write all of it takes several times as long.
function isoOf(date: Date): string {
  const time = date.getTime()
  const own = Math.floor(time / 1000)
  if (own !== second) {
    second = own
    secondText = date.toISOString().slice(0, -'000Z'.length)
  }
  return `${secondText}${String(time - own * 1000).padStart(3, '0')}Z`
}
