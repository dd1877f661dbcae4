/** A body as data says it: a JSON value, a text, or bytes in base64; none where it has none of these. */
export interface WrittenBody {
  readonly body?: unknown
  /** The text of `body`, where it is at hand; no part of the data. */
  readonly json?: string
  readonly text?: string
  readonly base64?: string
}

/** The one request that a known answer is given to. */
export interface KnownRequest extends WrittenBody {
  /** Default: the route's. */
  readonly method?: string
  /** Path and query; the order of the query means nothing. */
  readonly url: string
  /** The `Content-Type` of the body. Default: JSON where there is a `body`. */
  readonly type?: string
  /** Headers that must be so, by name in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Fields of the user who has to be logged in, such as `{ email: 'ann@example.com' }`. */
  readonly user?: Readonly<Record<string, string | number | boolean>> | undefined
  /** What had become of what the path names; absent where no request had changed it. */
  readonly stored?: {
    readonly state: 'there' | 'gone'
    readonly sent?: unknown
    readonly answered?: unknown
    readonly etag?: string
    readonly condition?: 'met' | 'failed'
  }
}

/** An answer that is known for one request, and given in place of what the route would make. */
export interface KnownAnswer extends WrittenBody {
  readonly when: KnownRequest
  /** What clients had changed by then, as `Changes.at` says it; with other changes the route answers. Default: anything. */
  readonly after?: string
  readonly status: number
  /** A name that comes several times has a list. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
}

/** The bytes of a body. */
export function bytesOf(written: WrittenBody): Buffer {
  const { text = written.json, base64 } = written
  if (base64 !== undefined) return Buffer.from(base64, 'base64')
  return Buffer.from(text ?? (written.body === undefined ? '' : JSON.stringify(written.body)))
}
