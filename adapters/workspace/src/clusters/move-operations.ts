import { bodyOf, requiredText } from '../fields.ts'
import type { ClustersState } from './clusters-state.ts'
import type { Cluster } from './cluster.ts'
import { clusterOperation, CLUSTER_ERRORS } from './operation.ts'
import { callerName, permittedCluster, type ClusterOperation } from './slice.ts'

const SDK = 'test/clusters/sdk.test.ts'
const GOLDEN = 'test/clusters/golden.test.ts > keeps the contract of every operation on clusters'

interface Move {
  readonly name: string
  readonly wireName: string
  readonly level: string
  readonly sideEffects: readonly string[]
  readonly test: string
  readonly errors?: readonly string[]
  act(clusters: ClustersState, cluster: Cluster, userName: string): void
}

const MOVES: readonly Move[] = [
  {
    name: 'start',
    wireName: 'start',
    level: 'CAN_RESTART',
    sideEffects: ['starts a terminated cluster'],
    test: 'starts, restarts and terminates a cluster',
    errors: ['INVALID_STATE'],
    act: (clusters, cluster, userName) => clusters.start(cluster, userName),
  },
  {
    name: 'restart',
    wireName: 'restart',
    level: 'CAN_RESTART',
    sideEffects: ['restarts a running cluster'],
    test: 'starts, restarts and terminates a cluster',
    errors: ['INVALID_STATE'],
    act: (clusters, cluster, userName) => clusters.restart(cluster, userName),
  },
  {
    name: 'delete',
    wireName: 'delete',
    level: 'CAN_RESTART',
    sideEffects: ['terminates the cluster'],
    test: 'starts, restarts and terminates a cluster',
    act: (clusters, cluster, userName) => clusters.terminate(cluster, userName),
  },
  {
    name: 'permanentDelete',
    wireName: 'permanent-delete',
    level: 'CAN_MANAGE',
    sideEffects: ['removes the cluster for good'],
    test: 'removes a cluster for good',
    act: (clusters, cluster) => clusters.remove(cluster),
  },
  {
    name: 'pin',
    wireName: 'pin',
    level: 'CAN_MANAGE',
    sideEffects: ['pins the cluster'],
    test: 'pins, unpins and hands over a cluster',
    act: (clusters, cluster, userName) => clusters.pin(cluster, true, userName),
  },
  {
    name: 'unpin',
    wireName: 'unpin',
    level: 'CAN_MANAGE',
    sideEffects: ['unpins the cluster'],
    test: 'pins, unpins and hands over a cluster',
    act: (clusters, cluster, userName) => clusters.pin(cluster, false, userName),
  },
]

/** The operations that take a cluster's id and nothing else. */
export const clusterMoves: readonly ClusterOperation[] = MOVES.map(
  ({ name, wireName, level, sideEffects, test, errors = [], act }) =>
    clusterOperation(name, wireName, {
      method: 'POST',
      support: 'exact',
      supports: ['cluster_id'],
      errors: [...CLUSTER_ERRORS, ...errors],
      sideEffects,
      tests: [GOLDEN, `${SDK} > ${test}`],
      handle(visit) {
        const { state } = visit
        const cluster = permittedCluster(visit, requiredText(bodyOf(visit), 'cluster_id'), level)
        act(state.clusters, cluster, callerName(visit))
        if (!state.clusters.hasObject(cluster.cluster_id))
          state.permissions.forget({ type: 'clusters', id: cluster.cluster_id })
        return {}
      },
    }),
)
