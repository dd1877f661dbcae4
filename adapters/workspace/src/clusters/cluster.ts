import type { Body } from '../fields.ts'
import type { Sequenced } from 'sim-gateway/adapter'
import type { ClusterFailure, TerminationReason } from './failure.ts'

/** The states that a cluster can be in. */
export type ClusterState =
  'PENDING' | 'RUNNING' | 'RESTARTING' | 'RESIZING' | 'TERMINATING' | 'TERMINATED' | 'ERROR'

/** Something that happened to a cluster. */
export interface ClusterEvent extends Sequenced {
  readonly timestamp: number
  readonly type: string
  readonly details: Body
}

/** A cluster as it is kept. */
export interface Cluster extends Sequenced {
  readonly cluster_id: string
  /** What its creator asked for, with what the service fills in. */
  spec: Body
  /** What its creator asked for, word by word. */
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
