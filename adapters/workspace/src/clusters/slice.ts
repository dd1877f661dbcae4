import type { Operation, Visit } from 'sim-gateway/adapter'
import type { AccessControl, Directory, WorkspaceConfig } from '../part.ts'
import type { ClustersState } from './clusters-state.ts'
import type { Cluster } from './cluster.ts'

/** The share of the state that operations on clusters use. */
export interface ClustersSlice {
  readonly clusters: ClustersState
  readonly permissions: AccessControl
  readonly scim: Directory
}

/** An operation on clusters. */
export type ClusterOperation = Operation<ClustersSlice, WorkspaceConfig>
/** A request for an operation on clusters. */
export type ClusterVisit = Visit<ClustersSlice, WorkspaceConfig>

/** What a caller must at least be allowed to see a cluster. */
export const SEE = 'CAN_ATTACH_TO'

/** Whether the caller is granted a cluster and may see it. */
export function isSeenBy(visit: ClusterVisit, id: string): boolean {
  const { credentials, state } = visit
  return (
    credentials.isGranted(`clusters/${id}`) && state.permissions.allows(visit, { type: 'clusters', id }, SEE)
  )
}

/** The cluster of an id, if the caller may do what `level` allows. */
export function permittedCluster(visit: ClusterVisit, id: string, level: string): Cluster {
  const cluster = visit.state.clusters.get(id)
  visit.state.permissions.require(visit, { type: 'clusters', id }, level)
  return cluster
}

/** The user name of the caller. */
export function callerName({ state, credentials }: Pick<ClusterVisit, 'state' | 'credentials'>): string {
  return state.scim.callerOf(credentials).userName
}
