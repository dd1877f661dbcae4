import { isUtf8 } from 'node:buffer'

/**
 * One recorded request and its response: an entry of HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/).
 * What HAR has no place for is in custom fields, which start with an underscore as its specification asks.
 */
export interface Exchange {
  /** ISO 8601, with the time zone. */
  readonly startedDateTime: string
  /** Milliseconds; the sum of `timings`. */
  readonly time: number
  readonly request: RecordedRequest
  readonly response: RecordedResponse
  readonly cache: Readonly<Record<string, never>>
  readonly timings: Timings
  /** As Chrome writes it: `websocket` where the connection went on as one. */
  readonly _resourceType?: string
  /** What passed on a WebSocket, in the form of Chrome. */
  readonly _webSocketMessages?: readonly WebSocketMessage[]
  /** How many messages were left out, being too many or too large. */
  readonly _webSocketMessagesOmitted?: number
  /** How the WebSocket was closed; left out where the connection just ended. */
  readonly _webSocketClose?: WebSocketClose
}

/** One message of a WebSocket, whole and decompressed. */
export interface WebSocketMessage {
  /** `send` is from the client. */
  readonly type: 'send' | 'receive'
  /** Seconds since 1970. */
  readonly time: number
  /** 1 for text, 2 for bytes (RFC 6455, section 5.2). */
  readonly opcode: number
  /** Base64 of bytes. */
  readonly data: string
}

/** The first `Close` frame of a WebSocket (RFC 6455, section 5.5.1). */
export interface WebSocketClose {
  /** `send` is from the client. */
  readonly type: 'send' | 'receive'
  /** Seconds since 1970. */
  readonly time: number
  /** 1005 for a frame without one. */
  readonly code: number
  readonly reason: string
}

/** Milliseconds. Connecting is part of `wait`: pooled connections make it no property of an exchange. */
export interface Timings {
  readonly send: number
  readonly wait: number
  readonly receive: number
}

/** A header or query parameter. Lists of them keep the order of the wire, repeated names included. */
export interface NameValue {
  readonly name: string
  readonly value: string
}

/** The values of the headers of a name, which is given in lower case. */
export function headerValues(headers: readonly NameValue[], name: string): string[] {
  return headers.filter((header) => header.name.toLowerCase() === name).map(({ value }) => value)
}

/** A cookie; all but name and value are attributes of `Set-Cookie` (RFC 6265, section 4.1). */
export interface Cookie extends NameValue {
  readonly path?: string
  readonly domain?: string
  /** ISO 8601. */
  readonly expires?: string
  readonly httpOnly?: boolean
  readonly secure?: boolean
}

/** The request as the upstream got it. */
interface RecordedRequest {
  readonly method: string
  /** Absolute, without a fragment. */
  readonly url: string
  readonly httpVersion: string
  readonly cookies: readonly Cookie[]
  readonly headers: readonly NameValue[]
  /** Percent-decoded. */
  readonly queryString: readonly NameValue[]
  readonly postData?: PostData
  readonly headersSize: -1
  /** Bytes on the wire, before any decoding. */
  readonly bodySize: number
}

/** The status, as browsers write it, where no response had come when the client left. */
export const UNANSWERED = 0

/** The response as the upstream gave it. */
interface RecordedResponse {
  /** `UNANSWERED` where none came. */
  readonly status: number
  readonly statusText: string
  readonly httpVersion: string
  readonly cookies: readonly Cookie[]
  readonly headers: readonly NameValue[]
  readonly content: Content
  /** The `Location` header, empty when there is none. */
  readonly redirectURL: string
  readonly headersSize: -1
  /** Bytes on the wire, before any decoding; 0 for a response that has no body. */
  readonly bodySize: number
  readonly _trailers?: readonly NameValue[]
  /** Set when the client left, or the gateway stopped, before the end. */
  readonly _aborted?: true
}

/** Where a body is when it is not inline, and what was done to it. */
export interface BodyNotes {
  /** Path of a body over 32 KiB, relative to the recording: `bodies/<sha256>`. */
  readonly _file?: string
  readonly _sha256?: string
  /** The content codings that were taken off, as in `Content-Encoding`; absent when the bytes are as sent. */
  readonly _decoded?: string
  /** Why the body was left out; `text` is at most how it began. */
  readonly _omitted?: string
  /** Secrets in it were hidden, so that checksums of it no longer hold. */
  readonly _redacted?: true
  /** The SHA-256 of a body that was left out, as it came. */
  readonly _bodySha256?: string
}

/** A request body. Absent from requests that have none. */
export interface PostData extends BodyNotes {
  /** The `Content-Type` header, empty when there is none. */
  readonly mimeType: string
  readonly text?: string
  /** Set when `text` is base64, for bytes that are not valid UTF-8. */
  readonly _encoding?: 'base64'
}

/** A response body. */
export interface Content extends BodyNotes {
  /** Bytes after decoding, before redaction. */
  readonly size: number
  /** Bytes that the content coding saved; below zero when it made the body longer. */
  readonly compression?: number
  /** The `Content-Type` header, empty when there is none. */
  readonly mimeType: string
  readonly text?: string
  /** Set when `text` is base64, for bytes that are not valid UTF-8. */
  readonly encoding?: 'base64'
  /** When which part of the stored body came, for event streams and bodies that came in more than one part. */
  readonly _chunks?: readonly BodyChunk[]
}

declare const redacted: unique symbol

/** A value without secrets. Only `redact` makes one, and only this is written to disk. */
export type Redacted<T> = T & { readonly [redacted]: true }

/** Some bytes of a body, and when they came. */
export interface BodyChunk {
  /** Milliseconds since the request was sent. */
  readonly time: number
  readonly bytes: number
}

/** Largest body that is kept inline. */
export const INLINE_BYTES = 32 * 1024

/** A body's bytes as JSON can hold them: text when they are valid UTF-8, base64 otherwise. */
interface InlineBody {
  readonly text: string
  readonly isBase64: boolean
}

/** Makes bytes inline, without loss: a byte order mark stays. */
export function toInline(bytes: Buffer): InlineBody {
  const isBase64 = !isUtf8(bytes)
  return { text: bytes.toString(isBase64 ? 'base64' : 'utf8'), isBase64 }
}

/** Whether the text of a body is base64, by HAR's field for responses or by ours for requests. */
export function isBase64(body: Content | PostData): boolean {
  return (
    ('encoding' in body && body.encoding === 'base64') || ('_encoding' in body && body._encoding === 'base64')
  )
}

/** The bytes of a body that is inline; undefined when it is in a file, was left out or is not there. */
export function inlineBytes(body: Content | PostData): Buffer | undefined {
  return body.text === undefined ? undefined : Buffer.from(body.text, isBase64(body) ? 'base64' : 'utf8')
}

/** Whether the text of a body is more than is kept inline. */
export function isLong(body: Content | PostData | undefined): boolean {
  // Most are so short that they need not be encoded to know it: a character takes three bytes at most.
  if (body?.text === undefined || body.text.length <= INLINE_BYTES / 3) return false
  return (inlineBytes(body)?.length ?? 0) > INLINE_BYTES
}

/** The SHA-256 of the bodies that an exchange has in files. */
export function bodiesOf({ request, response }: Exchange): string[] {
  return [request.postData?._sha256, response.content._sha256].filter((name) => name !== undefined)
}

/** A body without its inline text. */
export function withoutText<Body extends Content | PostData>(body: Body): Omit<Body, 'text'> {
  const { text: _text, encoding: _ours, _encoding: _theirs, ...rest } = body as Body & Content & PostData
  return rest as unknown as Omit<Body, 'text'>
}
