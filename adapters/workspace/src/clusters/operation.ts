import type { ClusterOperation } from './slice.ts'

type Rest = Omit<ClusterOperation, 'id' | 'path' | 'aliases' | 'family' | 'version' | 'documentation'>

/** An operation of the clusters API, with what all of them have in common. */
export function clusterOperation(name: string, wireName: string, rest: Rest): ClusterOperation {
  return {
    ...rest,
    id: `clusters.${name}`,
    path: `/api/2.1/clusters/${wireName}`,
    aliases: [`/api/2.0/clusters/${wireName}`],
    family: 'Clusters',
    version: '2.1',
    documentation: `https://docs.databricks.com/api/workspace/clusters/${name.toLowerCase()}`,
  }
}

/** The errors of every operation on one cluster. */
export const CLUSTER_ERRORS = ['INVALID_PARAMETER_VALUE', 'PERMISSION_DENIED'] as const
