import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Engine } from '../engine/engine.ts'
import type { Store } from '../state/store.ts'
import type { Mounts } from '../gateway/adapters/mount.ts'
import type { Describe } from '../gateway/describe.ts'
import type { Recorder } from '../recording/capture/recorder.ts'
import type { Targets } from '../upstream/targets/targets.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { DriftWatch } from '../recording/drift/drift-watch.ts'
import type { Replayer } from '../recording/replay/replayer.ts'

/** Those who can answer a request. */
export interface Answerers {
  readonly engine: Engine<Store>
  readonly adapters: Mounts
  readonly targets: Targets
  readonly upstream: Upstream
  /** Saves all that is forwarded; absent where that was not asked for. */
  readonly recorder: Recorder | undefined
  /** Saves what mode `new-episodes` forwards. */
  episodes(): Promise<Recorder | undefined>
  /** Absent where there is no recording to read. */
  readonly replayer: Replayer | undefined
  /** Gathers what mode `diff` finds. */
  readonly drift: DriftWatch
  readonly describe: Describe | undefined
}

/** Answers one request that has passed the plugins. */
export type Mode = (
  request: FastifyRequest,
  reply: FastifyReply,
  answerers: Answerers,
) => Promise<unknown> | FastifyReply
