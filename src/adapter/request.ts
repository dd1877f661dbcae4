import { utf8Bytes, type Headers, type HttpResponse } from '../message.ts'

/** A request as an adapter sees it, whether it came over a socket, in process or by way of the gateway. */
export interface AdapterRequest {
  readonly method: string
  /** Path and query as they were sent, percent escapes and all, but without the prefix of a mount. */
  readonly url: string
  /** By name in lower case. */
  readonly headers: Headers
  /** Empty until it is read, which is after the credentials were checked. */
  readonly body: Buffer
  /** The address of the client; absent in process. */
  readonly remoteAddress?: string | undefined
  /** Aborts when nobody waits for the answer any more. */
  readonly signal?: AbortSignal
}

/** An answer of an adapter. */
export interface AdapterAnswer {
  readonly status: number
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Empty for none. */
  readonly body: Buffer | string
}

/** What a handler may say of its answer. */
export interface ReplyParts {
  /** Default: 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Texts and buffers go out as they are, anything else as JSON; without one the answer has no body. */
  readonly body?: unknown
}

/** The value of a header, the first of several. */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : value?.[0]
}

const BRAND = Symbol.for('sim-gateway.adapter.Reply')

/** An answer that is more than a JSON value with status 200. */
export interface Reply extends ReplyParts {
  readonly [BRAND]: true
}

/** Answers with a status, headers or a body that is not JSON. */
export function reply(parts: ReplyParts): Reply {
  return { ...parts, [BRAND]: true }
}

/** Whether a value was made by `reply`, by any copy of this package. */
export function isReply(value: unknown): value is Reply {
  return value !== null && typeof value === 'object' && BRAND in value
}

/**
 * The response of status, headers and body; the body's content type is added where it is not given.
 * @param own headers, by name in lower case, that it has unless it says otherwise
 */
export function toResponse(
  { status = 200, headers = {}, body }: ReplyParts,
  own: Readonly<Record<string, string>> = {},
): HttpResponse {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const [type, content] = contentOf(body)
  const all = { ...own, ...(type !== undefined && { 'content-type': type }), ...Object.fromEntries(named) }
  return {
    status,
    headers: Object.entries(all as Record<string, string>).flat(),
    ...(content.length > 0 && { body: content }),
  }
}

function contentOf(body: unknown): readonly [type: string | undefined, content: string | Buffer] {
  if (body === undefined) return [undefined, '']
  if (Buffer.isBuffer(body)) return ['application/octet-stream', body]
  if (typeof body === 'string') return ['text/plain; charset=utf-8', utf8Bytes(body)]
  return ['application/json', utf8Bytes(JSON.stringify(body))]
}
