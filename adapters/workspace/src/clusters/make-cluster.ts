import type { Body } from '../fields.ts'
import { requestedBy } from './cluster-machine.ts'
import { completeSpec } from './cluster-spec.ts'
import type { Cluster, ClusterState } from './cluster.ts'
import type { TerminationReason } from './failure.ts'

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
