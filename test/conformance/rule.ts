/** One rule of HTTP, what is sent to see whether it is kept, and what may come back. */
export interface Rule {
  readonly rule: string
  /** Where it stands: `9112 3.2` is RFC 9112, section 3.2. */
  readonly section: string
  /** What is sent, with places for `{target}`, which ends with a slash, and a right Host header in `{host}`. */
  readonly send: string
  /**
   * The statuses that may be answered, in order, `|` between lists. The last is that of the request which follows,
   * with `Connection: close`: where it is missing, the connection was closed before.
   */
  readonly answers: string
  /** What the answers must contain besides. */
  readonly shows?: RegExp
  /** What they must not. */
  readonly hides?: RegExp
  /** What reaches the upstream: methods and paths in order, without the request that follows. Default: anything. */
  readonly reaches?: string
  /** Headers of the first request that reached the upstream which match this, and those which must not. */
  readonly passes?: RegExp
  readonly drops?: RegExp
  /** Whether nothing follows: the client closes its side in place of a next request, or waits for the end. */
  readonly ends?: 'half-closed' | 'by server'
  /** Whether the rule is of those who forward, so that what is declared need not keep it. */
  readonly isForwarding?: boolean
  /** Whether the upstream's answer is none, so that nothing is recorded of it. */
  readonly isBroken?: boolean
  /** What others answer that is not what we may, and why we differ. */
  readonly nginx?: Difference
  readonly haproxy?: Difference
}

/** The statuses that another server answers, `*` where something else differs, or `?` where it depends; and why. */
export type Difference = readonly [answers: string, why: string]

export const GET = 'GET {target} HTTP/1.1\r\n{host}'
export const POST = 'POST {target}a HTTP/1.1\r\n{host}'
export const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n\r\n`

/** A request without a body to a path. */
export const get = (path: string, ...headers: readonly string[]): string =>
  `GET {target}${path} HTTP/1.1\r\n{host}${headers.map((header) => `${header}\r\n`).join('')}\r\n`

/** A request with a body to a path. */
export const post = (path: string, body: string): string =>
  `POST {target}${path} HTTP/1.1\r\n{host}Content-Length: ${body.length}\r\n\r\n${body}`
