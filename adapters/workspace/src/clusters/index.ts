import { clusterMoves } from './move-operations.ts'
import { clusterReads } from './read-operations.ts'
import type { ClusterOperation } from './slice.ts'
import { clusterWrites } from './write-operations.ts'

export { checkClusters, clustersFixtureSchema, createClusters } from './fixture.ts'
export type { ClustersState } from './clusters-state.ts'

/** The operations on clusters. */
export const clustersOperations: readonly ClusterOperation[] = [
  ...clusterReads,
  ...clusterWrites,
  ...clusterMoves,
]
