/** Header names in lower case; a header that came several times is an array, as in `IncomingHttpHeaders`. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Query parameters in the order they came; a repeated name is an array. */
export type Query = Readonly<Record<string, string | readonly string[]>>

/** One request, whatever form it reached the gateway in. */
export interface HttpRequest {
  /** Upper case. */
  readonly method: string
  readonly scheme: 'http' | 'https'
  /** Authority: host and, where it is not the scheme's default, port. */
  readonly host: string
  /** The path below which the app is mounted, without a slash at its end. */
  readonly prefix?: string
  /** Percent-encoded, without the query. */
  readonly path: string
  /** Raw query string, without the question mark. */
  readonly search: string
  readonly headers: Headers
  /** The request body as a JSON value, whatever it was written in; absent until it is read, and where there is none. */
  readonly body?: unknown
  /** When it came, in milliseconds since 1970 by the clock of its session; absent where nobody asks a session. */
  readonly moment?: number
  /** The user who sends it, where its route knows users. */
  readonly loggedIn?: Readonly<Record<string, unknown>>
}

/** One simulated response. `body` is a JSON value, absent for an empty response. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The JSON text of the body, where it is known already. */
  readonly json?: string
  /** How the body is written; absent for plain JSON. */
  readonly content?: WrittenContent
}

/** A body as it is sent. */
export interface WrittenContent {
  readonly type: string
  readonly data: string | Uint8Array
}

/** Names and values in turn, as Node has them. */
export type FlatHeaders = readonly string[]

/** A response as it is written. */
export interface HttpResponse {
  readonly status: number
  /** Without what describes the connection, the date, and the length of a body that is given whole. */
  readonly headers: FlatHeaders
  /** Bytes, or the same as a string of one character a byte. */
  readonly body?: string | Uint8Array | undefined
  /** Set where the body is what a client stored, which stays as it is whatever URLs it names. */
  readonly isStored?: true
}

/** A value at once, or later where it has to be waited for. */
export type Awaitable<Value> = Value | Promise<Value>

/** Goes on with a value, at once where it is there. */
export function after<Value, Result>(
  value: Awaitable<Value>,
  work: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(work) : work(value)
}

/** Waits for all that is not there yet. */
export function all(values: readonly Awaitable<unknown>[]): Awaitable<void> {
  const later = values.filter((value) => value instanceof Promise)
  return later.length === 0 ? undefined : Promise.all(later).then(() => undefined)
}

/** Says that a response was written, or its connection broken on purpose, by who was to give it. */
export const HANDLED: HttpResponse = { status: 0, headers: [] }

/** The type of all JSON that the gateway sends. */
export const JSON_TYPE = 'application/json; charset=utf-8'
const JSON_HEADERS: FlatHeaders = ['content-type', JSON_TYPE]

/** A response of JSON. @param text JSON text, or its UTF-8 bytes as a character each where it is not ASCII */
export function jsonResponse(status: number, text: string, headers: FlatHeaders = []): HttpResponse {
  return { status, headers: headers.length === 0 ? JSON_HEADERS : [...headers, ...JSON_HEADERS], body: text }
}

/** The UTF-8 bytes of a text, as a character each. */
export function utf8Bytes(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')
}

const SAFE = /^(GET|HEAD|OPTIONS|TRACE|PROPFIND|REPORT|SEARCH|QUERY)$/

/** Whether a method only reads (RFC 9110, section 9.2.1; RFC 4918, 3253, 5323). */
export function isSafe(method: string): boolean {
  return SAFE.test(method)
}

/** A text whose URLs name no user and no password, but for that of an example. */
export function withoutUserInfo(text: string): string {
  return text.includes('@') ? text.replaceAll(/(?<=:\/\/)(?!\w*:password@)[^\s/?#]*(?=@)/g, '…') : text
}

// After so many chunks, those that are small are put together.
const MANY_CHUNKS = 256
const SMALL = 1024

/**
 * Adds a chunk to those of a body, and puts the small ones among the last of them together now and then: each takes some
 * hundred bytes besides its own, and a body may come byte by byte.
 */
export function addChunk(chunks: Buffer[], chunk: Buffer): void {
  if (chunks.push(chunk) % MANY_CHUNKS !== 0) return
  const first = chunks.length - MANY_CHUNKS
  const start = Math.max(first, chunks.findLastIndex(({ length }) => length >= SMALL) + 1)
  if (chunks.length - start > 1) chunks.splice(start, MANY_CHUNKS, Buffer.concat(chunks.slice(start)))
}
