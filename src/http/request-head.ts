import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { PLAIN_HOST, readHost } from '../routing/host.ts'
import { RequestMalformed } from '../errors.ts'

/** The error of a malformed request. */
export function malformed(reason: string, statusCode = 400): RequestMalformed {
  return new RequestMalformed(reason, { statusCode })
}

/** What is known of a connection besides its current request. */
interface Connection {
  [LAST]?: IncomingMessage
  [REFUSED]?: boolean
  /** The last Host header that was right. */
  [HOST]?: string
}

const LAST = Symbol('last request')
const REFUSED = Symbol('refused')
const HOST = Symbol('host')

/** The request whose head came last on a connection; its body may still be on the way. */
export function lastRequestOf(socket: Duplex): IncomingMessage | undefined {
  return (socket as Connection)[LAST]
}

/** Has all that still comes on a request's connection refused: nobody knows what of it is a request. */
export function closeAfterResponse(request: IncomingMessage): void {
  if (!isHttp2(request)) connectionOf(request)[REFUSED] = true
}

/** Remembers a request as its connection's last; whether what comes on that connection is still believed. */
export function trackRequest(request: IncomingMessage): boolean {
  const connection = connectionOf(request)
  connection[LAST] = request
  return connection[REFUSED] !== true
}

/**
 * Refuses what Node's parser lets pass although two servers could read it in two ways (RFC 9112).
 * @throws RequestMalformed
 */
export function validateHead(request: IncomingMessage): void {
  if (isHttp2(request)) return
  if (!trackRequest(request)) throw malformed('so was one before it on the same connection')
  const { rawHeaders } = request
  if (rawHeaders.length > 2 * MAX_HEADERS) throw malformed(`it has over ${MAX_HEADERS} headers`, 431)
  let hosts = 0
  let lengths = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
    else if (name.length === 14 && name.toLowerCase() === 'content-length') lengths++
  }
  const { headers, httpVersionMajor, httpVersionMinor, httpVersion } = request
  if (httpVersionMajor !== 1 || httpVersionMinor > 1)
    throw malformed(`HTTP/${httpVersion} is not spoken here`, 505)
  checkHost(request, headers.host, hosts)
  if (lengths > 0 || headers['transfer-encoding'] !== undefined) checkLength(request, lengths)
}

const MAX_HEADERS = 2_000

function isHttp2(request: IncomingMessage): boolean {
  return 'stream' in request
}

function connectionOf({ socket }: IncomingMessage): Connection {
  return (socket as Connection | undefined) ?? {}
}

function checkHost(request: IncomingMessage, host: string | undefined, count: number): void {
  if (count > 1) throw malformed('it has more than one Host header')
  // RFC 9112, section 3.2: an empty value is right where the target has no host.
  if (host === undefined) {
    if (request.httpVersionMinor === 1) throw malformed('it has no Host header')
    return
  }
  const connection = connectionOf(request)
  if (host === '' || host === connection[HOST]) return
  if (!PLAIN_HOST.test(host) && readHost(host) === undefined) throw malformed('its Host header names no host')
  connection[HOST] = host
}

// RFC 9112, section 6.1.
function checkLength(request: IncomingMessage, lengths: number): void {
  const { 'transfer-encoding': encoding, 'content-length': length } = request.headers
  if (length !== undefined && (lengths > 1 || !/^\d+$/.test(length)))
    throw malformed('its Content-Length is not one number')
  if (encoding === undefined) return
  if (request.httpVersion === '1.0') throw malformed('HTTP/1.0 has no Transfer-Encoding')
  if (length !== undefined) throw malformed('it has both Content-Length and Transfer-Encoding')
  if (/^chunked$/i.test(encoding)) return
  const codings = encoding.split(',').map((coding) => coding.trim().toLowerCase())
  const isFramed = codings.indexOf('chunked') === codings.length - 1
  throw isFramed
    ? malformed(`Transfer-Encoding ${encoding} is not known here`, 501)
    : malformed('its Transfer-Encoding does not end with one chunked')
}
