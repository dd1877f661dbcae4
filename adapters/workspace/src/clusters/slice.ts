import { operationsOf, type WorkspaceContext } from '../operation.ts'
import type { Cluster } from './cluster.ts'

/** What a caller must at least be allowed to see a cluster. */
export const SEE = 'CAN_ATTACH_TO'

/** Whether the caller is granted a cluster and may see it. */
export function isSeenBy(context: WorkspaceContext, id: string): boolean {
  const { credentials, state } = context
  return (
    credentials.isGranted(`clusters/${id}`) &&
    state.permissions.allows(context, { type: 'clusters', id }, SEE)
  )
}

/** The cluster of an id, if the caller may do what `level` allows. */
export function permittedCluster(context: WorkspaceContext, id: string, level: string): Cluster {
  const cluster = context.state.clusters.get(id)
  context.state.permissions.require(context, { type: 'clusters', id }, level)
  return cluster
}

export function callerName({ state, credentials }: Pick<WorkspaceContext, 'state' | 'credentials'>): string {
  return state.scim.callerOf(credentials).userName
}

/** An operation of the clusters API, with what all of them have in common. */
export const clusterOperation = operationsOf({
  id: 'clusters',
  base: '/api/2.1/clusters',
  alias: '/api/2.0/clusters',
  family: 'Clusters',
  version: '2.1',
})

/** The errors of every operation on one cluster. */
export const CLUSTER_ERRORS = ['INVALID_PARAMETER_VALUE', 'PERMISSION_DENIED'] as const
