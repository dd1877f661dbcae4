import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import type { ClientUrls } from '../http/client-urls.ts'
import { endToEnd } from '../http/headers.ts'
import type { FlatHeaders } from '../message.ts'
import type { Tap } from '../recording/capture/tap.ts'
import type { ExchangeHead, HeaderPairs } from '../recording/files/har.ts'
import { changeHeaders, type HeaderChanges } from './targets/header-changes.ts'
import type { Target } from './targets/targets.ts'

/** What this gateway is called in `Via`. */
export const VIA_NAME = 'sim'

const OWN_VIA = new RegExp(
  String.raw`(?:^|,)\s{0,9}(?:HTTP/)?\d(?:\.\d)?\s{1,9}${VIA_NAME}\s{0,9}(?=,|$)`,
  'gi',
)

/** How often a request has passed a gateway like this one (RFC 9110, section 7.6.3). */
export function timesPassed({ headers: { via } }: Pick<IncomingMessage, 'headers'>): number {
  return via === undefined ? 0 : (via.match(OWN_VIA)?.length ?? 0)
}

/**
 * The headers of a request as its upstream gets them, but for those that depend on the connection.
 * @param urls what the client calls the upstream's URLs, which the upstream knows by its own name
 */
export function passedHeaders(
  { headers, rawHeaders }: IncomingMessage,
  changes: HeaderChanges | undefined,
  urls: () => ClientUrls | undefined,
): FlatHeaders {
  const raw = endToEnd(rawHeaders)
  const namesUrl = headers.origin ?? headers.referer ?? headers['destination'] ?? headers['if']
  const own = namesUrl === undefined ? raw : (urls()?.request(raw) ?? raw)
  return changes === undefined ? own : changeHeaders(own, changes)
}

/**
 * The headers of a request as an upstream gets them, of those that may pass, but for `Host` and `Expect`; and that it
 * passed this gateway (RFC 9110, section 7.6.3).
 */
export function sentHeaders(request: IncomingMessage, passed: FlatHeaders, requestId?: string): string[] {
  const sent: string[] = []
  const counts = countsForwards(request)
  let cookieAt = -1
  for (let index = 0; index + 1 < passed.length; index += 2) {
    const [name, value] = [passed[index] as string, passed[index + 1] as string]
    const plain = name.length === 4 || name.length === 6 ? name.toLowerCase() : name
    if (plain === 'host' || plain === 'expect') continue
    // HTTP/2 clients may send a header for each cookie, which HTTP/1.1 does not know (RFC 9113, section 8.2.3).
    if (counts && name.toLowerCase() === 'max-forwards') {
      sent.push(
        name,
        value.replace(/^\d+$/, (count) => String(Number(count) - 1)),
      )
      continue
    }
    if (plain === 'cookie' && cookieAt >= 0) {
      sent[cookieAt] += `; ${value}`
      continue
    }
    if (plain === 'cookie') cookieAt = sent.length + 1
    sent.push(name, value)
  }
  const { te } = request.headers
  if (te !== undefined && /\btrailers\b/i.test(String(te))) sent.push('te', 'trailers')
  sent.push('via', `${request.httpVersion} ${VIA_NAME}`)
  if (requestId !== undefined) sent.push('x-request-id', requestId)
  return sent
}

/** Whether a request says how often it may be passed on (RFC 9110, section 7.6.2). */
export function countsForwards({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return (method === 'TRACE' || method === 'OPTIONS') && headers['max-forwards'] !== undefined
}

/** Whether a request has a body, by its head. */
export function hasBody(request: IncomingMessage): boolean {
  const { stream } = request as { stream?: { endAfterHeaders: boolean } }
  if (stream !== undefined) return !stream.endAfterHeaders
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}

/** The request line and headers, as a recording has them. */
export function headOf(
  { method = 'GET', httpVersion }: IncomingMessage,
  { origin, url }: Target,
  headers: HeaderPairs,
): ExchangeHead {
  return { method, url: `${origin}${url}`, httpVersion: `HTTP/${httpVersion}`, headers }
}

/**
 * The body of a request as a stream that the upstream may destroy: with the request itself would go the client's
 * connection; `null` where there is none. A recording gets its copy on the way; the slowest reader sets the pace.
 */
export function bodyOf(request: IncomingMessage, source: Readable = request, tap?: Tap): Readable | null {
  if (!hasBody(request)) return null
  const copy = tap?.requestBody
  const body = new PassThrough({
    transform(chunk, _encoding, done) {
      if (copy === undefined || copy.write(chunk)) done(null, chunk)
      else copy.once('drain', () => done(null, chunk))
    },
    flush(done) {
      done()
      tap?.requestSent?.()
    },
  })
  request.once('close', () => {
    if (!request.complete) body.destroy(new Error('the client left'))
  })
  // What the upstream leaves unread is read and dropped, so that the client can finish and get the response.
  body.once('close', () => source.unpipe(body).resume())
  return source.pipe(body)
}
