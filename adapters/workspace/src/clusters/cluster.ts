import { type IdSource, objectOf, objectsOf, type Sequenced } from 'sim-gateway/adapter'
import type { Body } from '../fields.ts'
import { completeSpec } from './cluster-spec.ts'

/** Why a cluster was terminated. */
export interface TerminationReason {
  readonly code: string
  readonly type: string
  readonly parameters?: Readonly<Record<string, string>>
}

/** The reason of a termination that a user requested. */
export function requestedBy(userName: string): TerminationReason {
  return { code: 'USER_REQUEST', type: 'SUCCESS', parameters: { username: userName } }
}

/** A failure that the fixture declares: of starts, or of clusters that have run for a while. */
export interface ClusterFailure {
  readonly cluster_id?: string
  readonly cluster_name?: string
  readonly node_type_id?: string
  /** The cluster starts, and is lost after so long; without it, starting fails. */
  readonly runsForMs?: number
  /** How many starts it makes fail. Default: all. */
  readonly times?: number
  /** The state that a failing start ends in. Default: TERMINATED. */
  readonly state?: 'TERMINATED' | 'ERROR'
  readonly termination_reason: TerminationReason
  readonly state_message?: string
}

export const terminationReasonSchema = objectOf(['code', 'type'], {
  code: { type: 'string' },
  type: { enum: ['SUCCESS', 'CLIENT_ERROR', 'CLOUD_FAILURE', 'SERVICE_FAULT'] },
  parameters: { type: 'object', additionalProperties: { type: 'string' } },
})

export const clusterFailuresSchema = objectsOf(['termination_reason'], {
  cluster_id: { type: 'string' },
  cluster_name: { type: 'string' },
  node_type_id: { type: 'string' },
  runsForMs: { type: 'integer', minimum: 0 },
  times: { type: 'integer', minimum: 1 },
  state: { enum: ['TERMINATED', 'ERROR'] },
  state_message: { type: 'string' },
  termination_reason: terminationReasonSchema,
})

/** The states that a cluster can be in. */
export type ClusterState =
  'PENDING' | 'RUNNING' | 'RESTARTING' | 'RESIZING' | 'TERMINATING' | 'TERMINATED' | 'ERROR'

/** Something that happened to a cluster. */
export interface ClusterEvent extends Sequenced {
  readonly timestamp: number
  readonly type: string
  readonly details: Body
}

export interface Cluster extends Sequenced {
  readonly cluster_id: string
  /** What its creator requested, with what the service fills in. */
  spec: Body
  /** What its creator requested, word by word. */
  requested: Body
  creator_user_name: string
  readonly cluster_source: string
  state: ClusterState
  state_message: string
  start_time: number
  terminated_time?: number
  last_restarted_time?: number
  last_state_loss_time: number
  termination_reason?: TerminationReason
  spark_context_id?: number
  isPinned: boolean
  /** How often it was started, so that each start has ids of its own. */
  starts: number
  /** The sizes to be reached by RESIZING. */
  resizeTo?: Body
  /** The latest moment of its own timeline, which reads may have taken ahead of the clock. */
  at: number
  /** When it was last used; autotermination counts from there. */
  lastActivity: number
  /** How the fixture lets it be lost while it runs. */
  lossOnTheWay?: ClusterFailure
  readonly events: ClusterEvent[]
}

/** The moves between states that there are; the first ones come from requests. */
export const CLUSTER_MOVES: Readonly<Record<ClusterState, readonly ClusterState[]>> = {
  PENDING: ['RUNNING', 'TERMINATING', 'ERROR'],
  RUNNING: ['RESIZING', 'RESTARTING', 'TERMINATING'],
  RESTARTING: ['RUNNING', 'TERMINATING'],
  RESIZING: ['RUNNING', 'TERMINATING'],
  TERMINATING: ['TERMINATED'],
  TERMINATED: ['PENDING'],
  ERROR: ['TERMINATING'],
}

/** How long the states on the way last, in milliseconds of the virtual clock. */
export const STATE_MS: Readonly<Partial<Record<ClusterState, number>>> = {
  PENDING: 60_000,
  RESTARTING: 45_000,
  RESIZING: 30_000,
  TERMINATING: 15_000,
}

/** The name of a state in messages, such as `Running`. */
export function titleOf(state: ClusterState): string {
  return state.charAt(0) + state.slice(1).toLowerCase()
}

// The last moment that a Date has.
const LATEST = 8.64e15

/** An id in the service's shape, `MMDD-HHMMSS-` and eight letters and digits, that is like no other. */
export function clusterIdOf(
  ids: IdSource,
  moment: number,
  sequence: number,
  isTaken: (id: string) => boolean,
): string {
  const [, month, day, hours, minutes, seconds] = /-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/.exec(
    new Date(Math.min(moment, LATEST)).toISOString(),
  ) as unknown as string[]
  const stem = `${month}${day}-${hours}${minutes}${seconds}`
  for (let attempt = 0; ; attempt += 1) {
    const id = `${stem}-${ids.hex(8, 'cluster', sequence, attempt)}`
    if (!isTaken(id)) return id
  }
}

/** What a cluster is made of, and the state it begins in. */
export interface GivenCluster {
  readonly requested: Body
  readonly creator_user_name: string
  readonly state: ClusterState
  readonly cluster_id?: string
  readonly cluster_source?: string
  readonly isPinned?: boolean
  /** When it was started. Default: now. */
  readonly at?: number
  readonly termination_reason?: TerminationReason
}

/** A cluster to be kept, with nothing under way. */
export function makeCluster(
  given: GivenCluster & { readonly cluster_id: string; readonly at: number },
  sequence: number,
  cloud: string,
): Cluster {
  const { cluster_id, requested, creator_user_name, state, at } = given
  const isDown = state === 'TERMINATED' || state === 'ERROR'
  const reason = given.termination_reason ?? requestedBy(creator_user_name)
  return {
    sequence,
    cluster_id,
    requested,
    spec: completeSpec(requested, cloud, creator_user_name),
    creator_user_name,
    cluster_source: given.cluster_source ?? 'API',
    state,
    state_message: '',
    start_time: at,
    last_state_loss_time: 0,
    isPinned: given.isPinned ?? false,
    starts: 1,
    at,
    lastActivity: at,
    events: [],
    ...(isDown && { terminated_time: at, termination_reason: reason }),
  }
}

/** The declared failures, and how often each has applied. */
export class ClusterFailures {
  readonly #rules: readonly ClusterFailure[]
  #counts: number[]

  constructor(rules: readonly ClusterFailure[]) {
    this.#rules = rules
    this.#counts = rules.map(() => 0)
  }

  /** The failure that applies to this start of a cluster, which counts. */
  apply(cluster: Cluster): ClusterFailure | undefined {
    const index = this.#rules.findIndex(
      (rule, at) => fits(rule, cluster) && (this.#counts[at] ?? 0) < (rule.times ?? Number.POSITIVE_INFINITY),
    )
    if (index >= 0) this.#counts[index] = (this.#counts[index] ?? 0) + 1
    return this.#rules[index]
  }

  snapshot(): readonly number[] {
    return [...this.#counts]
  }

  restore(counts: readonly number[]): void {
    this.#counts = [...counts]
  }
}

function fits(rule: ClusterFailure, { cluster_id, spec }: Cluster): boolean {
  return (
    (rule.cluster_id === undefined || rule.cluster_id === cluster_id) &&
    (rule.cluster_name === undefined || rule.cluster_name === spec['cluster_name']) &&
    (rule.node_type_id === undefined || rule.node_type_id === spec['node_type_id'])
  )
}
