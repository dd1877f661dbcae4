import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import type { Tap } from '../recording/capture/tap.ts'
import type { FlatHeaders } from '../http/headers.ts'

// The upstream's own name goes into Host, and Expect was answered by this server (RFC 9110, section 10.1.1).
const LEFT_OUT: ReadonlySet<string> = new Set(['host', 'expect', 'cookie'])

/** The headers of a request as an upstream gets them, of those that may pass. */
export function requestHeaders(request: IncomingMessage, flat: FlatHeaders): string[] {
  const kept: string[] = []
  const cookies: string[] = []
  let cookieName = ''
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const [name, value] = [flat[index] as string, flat[index + 1] as string]
    const plain = name.toLowerCase()
    if (!LEFT_OUT.has(plain)) kept.push(name, value)
    if (plain !== 'cookie') continue
    cookieName ||= name
    cookies.push(value)
  }
  // HTTP/2 clients may send a header for each cookie, which HTTP/1.1 does not know (RFC 9113, section 8.2.3).
  if (cookies.length > 0) kept.push(cookieName, cookies.join('; '))
  const { te } = request.headers
  if (te !== undefined && /\btrailers\b/i.test(String(te))) kept.push('te', 'trailers')
  return kept
}

/**
 * The body of a request as a stream that the upstream may destroy: with the request itself would go the client's
 * connection. A recording gets its copy on the way; the slowest reader sets the pace.
 */
export function bodyOf(request: IncomingMessage, source: Readable = request, tap?: Tap): Readable | null {
  if (!hasBody(request)) return null
  const copy = tap?.requestBody
  const body = new PassThrough({
    transform(chunk, _encoding, done) {
      if (copy === undefined || copy.write(chunk)) done(null, chunk)
      else copy.once('drain', () => done(null, chunk))
    },
  })
  request.once('close', () => {
    if (!request.complete) body.destroy(new Error('the client left'))
  })
  // What the upstream leaves unread is read and dropped, so that the client can finish and hear the answer.
  body.once('close', () => source.unpipe(body).resume())
  return source.pipe(body)
}

/** Whether a request has a body, by its head. */
export function hasBody(request: IncomingMessage): boolean {
  const { stream } = request as { stream?: { endAfterHeaders: boolean } }
  if (stream !== undefined) return !stream.endAfterHeaders
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}
