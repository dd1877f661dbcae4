import type { AdapterAnswer, AdapterRequest } from '../modes/adapter-mounts.ts'

export type { AdapterAnswer, AdapterRequest }

/** What a handler may say of its answer. */
export interface ReplyParts {
  /** Default: 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Texts and buffers go out as they are, anything else as JSON; without one the answer has no body. */
  readonly body?: unknown
}

/** The value of a request's header, the first of several. */
export function headerOf({ headers }: AdapterRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : value?.[0]
}

const BRAND = Symbol.for('sim-gateway.adapter.Reply')

/** An answer that is more than a JSON value with status 200. */
export interface Reply extends ReplyParts {
  readonly [BRAND]: true
}

/** Answers with a status, headers or a body that is no JSON. */
export function reply(parts: ReplyParts): Reply {
  return { ...parts, [BRAND]: true }
}

/** Whether a value was made by `reply`, by any copy of this package. */
export function isReply(value: unknown): value is Reply {
  return value !== null && typeof value === 'object' && BRAND in value
}

/** The answer of status, headers and body; the body's content type is added where it is not given. */
export function toAdapterAnswer({ status = 200, headers = {}, body }: ReplyParts): AdapterAnswer {
  const named = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  if (body === undefined) return { status, headers: named, body: '' }
  if (Buffer.isBuffer(body)) return { status, headers: withType(named, 'application/octet-stream'), body }
  if (typeof body === 'string') return { status, headers: withType(named, 'text/plain; charset=utf-8'), body }
  return { status, headers: withType(named, 'application/json'), body: JSON.stringify(body) }
}

function withType(headers: Readonly<Record<string, string>>, type: string): Record<string, string> {
  return { 'content-type': type, ...headers }
}
