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
