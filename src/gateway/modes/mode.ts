import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Engine } from '../../engine/engine.ts'
import type { Mounts } from '../adapters/mount.ts'
import type { Describe } from '../describe.ts'
import type { Recorder } from '../recorder.ts'
import type { Targets } from '../targets/targets.ts'
import type { Upstream } from '../upstream.ts'
import type { DriftWatch } from './drift-watch.ts'
import type { Replayer } from './replayer.ts'

/** Those who can answer a request. */
export interface Answerers {
  readonly engine: Engine
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
