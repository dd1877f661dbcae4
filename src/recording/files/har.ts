import { parseSetCookie } from 'cookie'
import {
  type BodyChunk,
  type BodyNotes,
  type Content,
  type Cookie,
  type Exchange,
  type NameValue,
  type PostData,
  type Timings,
  toInline,
  type WebSocketClose,
  type WebSocketMessage,
} from '../exchange.ts'

/** Names and values in the order of the wire, repeated names included. */
export type HeaderPairs = readonly (readonly [string, string])[]

/** The head of a request; `url` is the absolute URL that was requested of the upstream. */
export interface ExchangeHead {
  readonly method: string
  readonly url: string
  readonly httpVersion: string
  readonly headers: HeaderPairs
}

/** The head of a final response. */
export interface ResponseHead {
  readonly status: number
  readonly statusText: string
  readonly httpVersion: string
  readonly headers: HeaderPairs
}

/** A body that was captured. Its bytes are here, or in a file under their SHA-256, or left out for a reason. */
export type BodyCapture = {
  readonly wireSize: number
  /** The content codings that were taken off `bytes`. */
  readonly codings?: string | undefined
  /** Whether secrets in it were hidden before. */
  readonly isRedacted?: boolean
  /** When the bytes came, where that is worth keeping. */
  readonly chunks?: readonly BodyChunk[] | undefined
} & (
  | { readonly bytes: Buffer }
  | { readonly sha256: string }
  | {
      readonly omitted: string
      /** The SHA-256 of the body as it came. */
      readonly digest?: string | undefined
      /** How it begins, where that is text. */
      readonly head?: Buffer | undefined
    }
)

/** All that was seen of one exchange. */
export interface Capture {
  readonly startedAt: Date
  readonly timings: Timings
  readonly request: ExchangeHead
  readonly requestBody?: BodyCapture | undefined
  readonly response: ResponseHead
  readonly responseBody?: BodyCapture | undefined
  readonly trailers?: HeaderPairs | undefined
  /** The client left before the end. */
  readonly isAborted?: boolean | undefined
  readonly webSocket?: WebSocketCapture | undefined
}

/** What passed on a connection that went on as a WebSocket. */
export interface WebSocketCapture {
  readonly messages: readonly WebSocketMessage[]
  /** Messages that were left out. */
  readonly omitted: number
  /** Who closed it first; nothing where it just ended. */
  readonly close?: WebSocketClose | undefined
}

/** Path of a stored body, relative to its recording. */
export function bodyPath(sha256: string): string {
  return `bodies/${sha256}`
}

/** Whether HTTP lets a response have a body (RFC 9110, section 6.4.1). */
export function mayHaveBody(method: string, status: number): boolean {
  return method !== 'HEAD' && status >= 200 && status !== 204 && status !== 304
}

/** All values of a header, joined as RFC 9110, section 5.3 allows; empty when it is not there. */
export function headerValue(headers: HeaderPairs, name: string): string {
  const values = valuesOf(headers, name)
  return values.length === 1 ? (values[0] as string) : values.join(', ')
}

/** Writes a capture down as a HAR 1.2 entry, secrets and all: bodies of any size are inline unless in a file. */
export function buildExchange(capture: Capture): Exchange {
  const { request, response, requestBody, responseBody, trailers = [], webSocket } = capture
  const url = upTo(request.url, '#')
  const search = url.slice(upTo(url, '?').length + 1)
  const { time, ...timings } = roundTimings(capture.timings)
  const postData =
    requestBody && requestBody.wireSize > 0 ? postDataOf(requestBody, request.headers) : undefined
  return {
    startedDateTime: capture.startedAt.toISOString(),
    time,
    request: {
      method: request.method,
      url,
      httpVersion: versionOf(request.httpVersion),
      cookies: valuesOf(request.headers, 'cookie').flatMap(readCookies),
      headers: request.headers.map(toNameValue),
      queryString: search === '' ? [] : [...new URLSearchParams(search)].map(toNameValue),
      ...(postData && { postData }),
      headersSize: -1,
      bodySize: requestBody?.wireSize ?? 0,
    },
    response: {
      status: response.status,
      statusText: response.statusText,
      httpVersion: versionOf(response.httpVersion),
      cookies: valuesOf(response.headers, 'set-cookie').map(readSetCookie),
      headers: response.headers.map(toNameValue),
      content: contentOf(responseBody, response.headers),
      redirectURL: valuesOf(response.headers, 'location')[0] ?? '',
      headersSize: -1,
      bodySize: responseBody?.wireSize ?? 0,
      ...(trailers.length > 0 && { _trailers: trailers.map(toNameValue) }),
      ...(capture.isAborted === true && { _aborted: true }),
    },
    cache: {},
    timings,
    ...(webSocket && {
      _resourceType: 'websocket',
      _webSocketMessages: webSocket.messages,
      ...(webSocket.omitted > 0 && { _webSocketMessagesOmitted: webSocket.omitted }),
      ...(webSocket.close && { _webSocketClose: webSocket.close }),
    }),
  }
}

function postDataOf(body: BodyCapture, headers: HeaderPairs): PostData {
  return { mimeType: headerValue(headers, 'content-type'), ...textOf(body, '_encoding') }
}

/** The content of a response as HAR has it, secrets and all. */
export function contentOf(body: BodyCapture | undefined, headers: HeaderPairs): Content {
  const mimeType = headerValue(headers, 'content-type')
  if (body === undefined) return { size: 0, mimeType }
  const { chunks, codings, wireSize } = body
  const size = 'bytes' in body ? body.bytes.length : wireSize
  return {
    size,
    ...(codings !== undefined && { compression: size - wireSize }),
    mimeType,
    ...textOf(body, 'encoding'),
    ...(chunks && { _chunks: chunks.map(({ time, bytes }) => ({ time: roundMs(time), bytes })) }),
  }
}

function textOf(
  body: BodyCapture,
  encoding: 'encoding' | '_encoding',
): BodyNotes & { readonly text?: string } {
  const bytes = 'bytes' in body ? body.bytes : 'omitted' in body ? wholeLines(body.head) : undefined
  const inline = bytes && toInline(bytes)
  return {
    ...(inline && { text: inline.text }),
    ...(inline?.isBase64 === true && { [encoding]: 'base64' }),
    ...('sha256' in body && { _file: bodyPath(body.sha256), _sha256: body.sha256 }),
    ...(body.codings !== undefined && { _decoded: body.codings }),
    ...(body.isRedacted === true && { _redacted: true }),
    ...('omitted' in body && { _omitted: body.omitted, ...(body.digest && { _bodySha256: body.digest }) }),
  }
}

// A secret that is cut in two might not be known as one.
function wholeLines(head: Buffer | undefined): Buffer | undefined {
  if (head === undefined) return undefined
  const text = head.toString('latin1')
  const end = Math.max(...['\n', ',', '>', '&', ';'].map((each) => text.lastIndexOf(each))) + 1
  const key = text.lastIndexOf('-----BEGIN')
  const isCut = key >= 0 && !text.includes('-----END', key)
  const length = isCut ? Math.min(key, end) : end
  return length === 0 ? undefined : head.subarray(0, length)
}

function toNameValue([name, value]: HeaderPairs[number]): NameValue {
  return { name, value }
}

function valuesOf(headers: HeaderPairs, name: string): readonly string[] {
  let values: string[] | undefined
  for (const [other, value] of headers)
    if (other.length === name.length && other.toLowerCase() === name) (values ??= []).push(value)
  return values ?? NONE
}

const NONE: readonly string[] = []

function upTo(text: string, end: string): string {
  const index = text.indexOf(end)
  return index < 0 ? text : text.slice(0, index)
}

// As HAR has it.
function versionOf(version: string): string {
  return /^\d/.test(version) ? `HTTP/${version}` : version
}

/** Timings to the microsecond, and their sum. */
export function roundTimings(timings: Timings): Timings & { readonly time: number } {
  const [send, wait, receive] = [roundMs(timings.send), roundMs(timings.wait), roundMs(timings.receive)]
  return { send, wait, receive, time: roundMs(send + wait + receive) }
}

// To the microsecond.
function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

/** The cookies of a `Cookie` header (RFC 6265, section 4.2.1), repeated ones too. */
export function readCookies(header: string): Cookie[] {
  const pairs = header.split(';').filter((pair) => pair.trim() !== '')
  return pairs.map(readSetCookie)
}

/** The cookie of a `Set-Cookie` header (RFC 6265, section 5.2); an attribute that cannot be read is left out. */
export function readSetCookie(header: string): Cookie {
  const cookie = parseSetCookie(header, { decode: (value) => value })
  const { name, value = '', path, domain, expires, httpOnly, secure } = cookie
  return {
    name,
    value,
    ...(path !== undefined && { path }),
    ...(domain !== undefined && { domain }),
    ...(expires !== undefined && { expires: expires.toISOString() }),
    ...(httpOnly === true && { httpOnly }),
    ...(secure === true && { secure }),
  }
}
