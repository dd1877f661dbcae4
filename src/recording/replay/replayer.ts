import type { Readable } from 'node:stream'
import type { Counters } from '../../state/counters.ts'
import type { HeaderPair } from '../../http/headers.ts'

/** A request to look up in a recording. */
export interface ReplayCall {
  /** Upper case. */
  readonly method: string
  /** Host and port that the request goes to; absent where it is not known, and then any recorded host will do. */
  readonly host: string | undefined
  /** Path and query as they go to the upstream. */
  readonly url: string
  /** As they go to the upstream. */
  readonly headers: readonly HeaderPair[]
  /** Whether the client wants to go on in another protocol, such as WebSocket. */
  readonly isUpgrade: boolean
  /** The `Content-Type`, empty when there is none. */
  readonly contentType: string
  /** The `Content-Encoding`, empty when there is none. */
  readonly contentEncoding: string
  /**
   * Reads the body, if there is one. It is only called when a recorded request could be distinguished by its body, or to
   * explain a miss.
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
  /** When it came; absent where it is to be given at once. */
  readonly pace?: Pace | undefined
  /** What was said after an upgrade to WebSocket; absent for all other answers. */
  readonly messages?: readonly SocketMessage[] | undefined
}

/** The times of a recorded answer, in milliseconds since it was requested. */
export interface Pace {
  readonly beganMs: number
  /** The pieces its body came in; none where they are not known. */
  readonly chunks: readonly { readonly timeMs: number; readonly bytes: number }[]
  /** Whether the client had left before the end, so that nobody knows when that would have come. */
  readonly isEndless: boolean
}

/** A message of a WebSocket. */
export interface SocketMessage {
  readonly isFromClient: boolean
  readonly data: Buffer
  readonly isBinary: boolean
  /** Milliseconds between the message before it, or the handshake, and this one; 0 where it is to be sent at once. */
  readonly afterMs: number
}

/** Nothing fits. */
export interface ReplayMiss {
  readonly kind: 'miss'
  /** Looks for the recorded requests that are most like it, best first. */
  nearest(): Promise<readonly NearRequest[]>
}

/** A recorded request, and how it differs from the one requested. */
export interface NearRequest {
  /** Method and URL, without secrets. */
  readonly request: string
  /** What was recorded and what was requested, such as `query page: 2 instead of 1` or `body /id: 7 instead of 8`. */
  readonly differs: readonly string[]
}

/** Finds recorded answers. */
export interface Replayer {
  /**
   * The answer to a request. Equal requests get the recorded answers in turn.
   * @param turns counts how often each request came before, by a key of the replayer's choice
   */
  find(call: ReplayCall, turns: Counters): Promise<ReplayAnswer | ReplayMiss>
  close(): Promise<void>
}
