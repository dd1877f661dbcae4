import type { HeaderPair } from '../../http/headers.ts'
import type { NearRequest } from './nearest.ts'

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
  /** Whether what its client drew may stand for what another drew while it was recorded. */
  readonly takesDrawn: boolean
  /** The `Content-Type`, empty when there is none. */
  readonly contentType: string
  /** The `Content-Encoding`, empty when there is none. */
  readonly contentEncoding: string
  /**
   * Reads the body, if there is one: only when a recorded request could be distinguished by it, or to explain a miss.
   * @param most bytes that are of interest: a longer body is `undefined`, and stays readable
   */
  body(most: number): Promise<Buffer | undefined>
}

/** Nothing fits. */
export interface ReplayMiss {
  readonly kind: 'miss'
  /** Looks for the recorded requests that are most like it, best first. */
  nearest(): Promise<readonly NearRequest[]>
  /** Keeps it for the report on misses. */
  note(): Promise<void>
}

/** Of a request whose recorded answers were all given. */
export function exhausted({ request }: Pick<NearRequest, 'request'>, count: number): ReplayMiss {
  const differs = [`nothing: all ${count} of its recorded answers were given`]
  return { kind: 'miss', nearest: async () => [{ request, differs }], note: async () => undefined }
}
