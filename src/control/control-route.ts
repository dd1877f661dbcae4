import type { AddressInfo } from 'node:net'
import { lazy } from '../engine/lazy.ts'
import type { OpenParts } from '../modes/open-parts.ts'
import type { Rerun } from '../pipeline/rerun.ts'
import type { Schedule } from '../pipeline/schedule.ts'
import type { Route } from '../pipeline/route.ts'
import type { RecorderCounts } from '../recording/capture/recorder.ts'
import type { Sessions } from '../state/sessions.ts'
import type { SharedState } from '../state/shared-state.ts'
import type { ControlOptions } from './control.ts'
import type { GatewaySource } from './explain/source.ts'
import { createLeaving } from './leaving.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createWatching, type Watching } from './watch.ts'

/** What the control plane of a gateway is about. */
export interface ControlRouteOptions {
  readonly parts: OpenParts
  readonly sessions: Sessions
  /** What several gateways have in common; absent where this one is alone. */
  readonly state?: SharedState | undefined
  /** Directories of the recordings that are written or read. */
  readonly recordings: readonly string[]
  /** The gateway that writes a recording for all that share the state; `undefined` where none does now. */
  readonly writerOf: (directory: string) => Promise<string | undefined>
  /** Whether the gateway is ready only while it records. */
  readonly mustRecord: boolean
  readonly options: ControlOptions | undefined
  readonly rerun: Rerun
  readonly schedule: Schedule
  readonly source: GatewaySource | undefined
  /** Where the server listens; empty while it does not. */
  readonly addresses: () => readonly (AddressInfo | string)[]
}

/** The route of everything below `/__sim`. Its code is loaded when it is first requested, or by `load`. */
export function createControlRoute({
  parts,
  sessions,
  state,
  recordings,
  writerOf,
  mustRecord,
  options,
  rerun,
  schedule,
  source,
  addresses,
}: ControlRouteOptions): {
  readonly route: Route
  readonly metrics: Metrics
  readonly watching: Watching
  /** Loads what answers, for those who may not wait for it. */
  load(): Promise<unknown>
  /** Has balancers send nothing more, where there are any. */
  leave(): Promise<void>
  /** Lets go of those who listen for requests to come, and of those whom a clock holds. */
  close(): void
} {
  const { engine, adapters, upstream, modes, drift, recorders, contract } = parts
  const closing = new AbortController()
  const leaving = createLeaving()
  const recording = (): readonly RecorderCounts[] => recorders.all().map((each) => each.counts())
  const metrics = createMetrics({
    ...{ sessions, state, recording },
    pools: () => upstream.pools(),
    shadow: () => parts.shadow.counts(),
    violations: () => [...(contract?.violations.values() ?? [])],
  })
  const watching = createWatching()
  const shared = options?.shared
  shared?.offer(() => metrics.data())
  const published = shared === undefined ? metrics : { ...metrics, text: () => shared.metrics() }
  const load = lazy(async () => {
    const { compileSharedOperations, createControl } = await import('./control.ts')
    if (state !== undefined) compileSharedOperations()
    return createControl(
      {
        ...{ engine, adapters, sessions, modes, drift, recordings, recorders, mustRecord, contract, state },
        ...{ writerOf, makeRoutes: options?.makeRoutes },
        misses: () => parts.replayer?.misses,
        ...{ startRecording: parts.startRecording, readRecording: parts.readRecording },
        ...{ metrics: published, watching, closing: closing.signal, leaving, rerun, schedule, source },
      },
      { ...options, addresses },
    )
  })
  return {
    metrics,
    watching,
    load,
    route: {
      id: undefined,
      source: 'control',
      policies: {},
      handlerFor: () => async (exchange) => (await load())(exchange),
    },
    // Nobody sends a request to what does not listen.
    leave: () => (addresses().length === 0 ? Promise.resolve() : leaving.begin()),
    close() {
      closing.abort()
      for (const { clock } of sessions.all()) {
        clock.freeze()
        clock.reset()
      }
    },
  }
}
