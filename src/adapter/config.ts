import type { AuthMode, AuthOptions } from './auth.ts'
import type { FaultRule } from './faults.ts'
import type { Consistency } from './page-tokens.ts'
import type { AdapterRequest } from './request.ts'
import type { RateLimit } from './throttle.ts'

/** How an adapter behaves. Adapters may add keys of their own. */
export interface AdapterConfig {
  /** What ids, tokens and chance are made of. Default: 0. */
  readonly seed?: number
  /** Who may ask. Default: `optional`. */
  readonly auth?: AuthMode | AuthOptions
  /** Whether what writing operations change is kept. Default: true. */
  readonly stateful?: boolean
  /** Answers 501 for what is known but not implemented, and refuses fixtures with unknown fields. Default: false. */
  readonly strict?: boolean
  /** The fixture, or the path of its file. Default: the adapter's starter fixture. */
  readonly fixture?: string | object
  /** What becomes of page tokens when what they page through has changed. Default: `reject`. */
  readonly consistency?: Consistency
  /** When the virtual clock begins: a date, its text, or milliseconds. Default: 2026-01-01T00:00:00Z. */
  readonly startAt?: Date | string | number
  /** Whether the virtual clock stands until it is moved, or goes on with the machine's. Default: `still`. */
  readonly clock?: 'still' | 'running'
  /** The request id of request number `n`, counted from 1. Default: a UUID of seed and number. */
  readonly requestId?: (n: number, request: AdapterRequest) => string
  readonly faults?: readonly FaultRule[]
  readonly rateLimit?: RateLimit | readonly RateLimit[]
  /** Told of errors that nobody raised on purpose; their answer is that of the failure `internal`. */
  readonly onError?: (error: unknown, request: AdapterRequest) => void
  /** `token`: state, clock and faults of their own for each bearer token. */
  readonly isolate?: 'token'
}
