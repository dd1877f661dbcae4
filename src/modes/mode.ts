import type { Log } from '../http/log.ts'
import type { Awaitable, HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { RequestIds } from '../pipeline/request-ids.ts'
import type { Recorder } from '../recording/capture/recorder.ts'
import type { DriftWatch } from '../recording/drift/drift-watch.ts'
import type { Replayer } from '../recording/replay/replayer.ts'
import type { AppEngine } from '../simulation/engine.ts'
import type { Targets } from '../upstream/targets/targets.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Describe } from './describe.ts'
import type { Recorders } from './recorders.ts'

/** What modes answer from. */
export interface ModeParts {
  readonly engine: AppEngine
  readonly targets: Targets
  readonly upstream: Upstream
  /** Saves all that is forwarded; absent where that is not wanted. */
  readonly recorder: Recorder | undefined
  /** All that save what is forwarded. */
  readonly recorders: Recorders
  /** Absent where there is no recording to read. */
  readonly replayer: Replayer | undefined
  /** Gathers what mode `diff` finds. */
  readonly drift: DriftWatch
  readonly describe: Describe | undefined
  /** Lets pages read what nothing else answers; absent where none is let in. */
  readonly letPageIn: ((exchange: Exchange) => HttpResponse | undefined) | undefined
  /** Whether the upstream's URLs in bodies are the gateway's, too: recorded ones, unless it is `false`; others, if `true`. */
  readonly rewriteBodies: boolean | undefined
  readonly log: Log
  /** What upstreams that the operator named get as the name of a request; absent where it has none. */
  readonly requestIds?: RequestIds | undefined
}

/** Answers a request that no declared route takes, in one mode. */
export type Mode = (exchange: Exchange, parts: ModeParts) => Awaitable<HttpResponse>
