import type { Readable } from 'node:stream'
import type { Counters } from '../../engine/counters.ts'
import type { HeaderPair } from '../headers.ts'

/** A request to look up in a recording. */
export interface ReplayCall {
  /** Upper case. */
  readonly method: string
  /** Host and port that the request goes to; absent where it is not known, and then any recorded host will do. */
  readonly host: string | undefined
  /** Path and query as they go to the upstream. */
  readonly url: string
  /** The `Content-Type`, empty when there is none. */
  readonly contentType: string
  /** The `Content-Encoding`, empty when there is none. */
  readonly contentEncoding: string
  /**
   * Reads the body, once, if there is one. It is only called when a recorded request could be told apart by its body.
   * @param most bytes that are of interest: a longer body is `undefined`, and stays readable
   */
  body(most: number): Promise<Buffer | undefined>
}

/** A recorded answer. */
export interface ReplayAnswer {
  readonly kind: 'answer'
  readonly status: number
  readonly statusText: string
  /** As the upstream gave them, without the hop-by-hop ones and those that describe a content coding taken off. */
  readonly headers: readonly HeaderPair[]
  /** Its bytes; where there are many, a way to stream them. */
  readonly body: Buffer | { readonly bytes: number; open(): Readable }
  readonly trailers: readonly HeaderPair[]
}

/** Nothing fits. */
export interface ReplayMiss {
  readonly kind: 'miss'
  /** The recorded requests that are most like it, best first. */
  readonly nearest: readonly NearRequest[]
}

/** A recorded request, and what tells it apart from the one asked for. */
export interface NearRequest {
  /** Method and URL, without secrets. */
  readonly request: string
  /** What differs, such as `query page: 2 instead of 1`. */
  readonly differs: readonly string[]
}

/** Finds recorded answers. */
export interface Replayer {
  /**
   * The answer to a request. Equal requests get the recorded answers in turn; the last one stays.
   * @param turns counts how often each request was asked before, by a key of the replayer's choice
   */
  find(call: ReplayCall, turns: Counters): Promise<ReplayAnswer | ReplayMiss>
}
