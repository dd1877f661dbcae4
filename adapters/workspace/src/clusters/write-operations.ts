import { workspaceError } from '../errors.ts'
import { type Body, bodyOf, optionalObject, requiredText } from '../fields.ts'
import type { WorkspaceContext, WorkspaceOperation } from '../operation.ts'
import { checkSize, maskedSpec, pickSpec, readSpec } from './cluster-spec.ts'
import type { Cluster } from './cluster.ts'
import type { ClustersState } from './clusters-state.ts'
import { clusterReads } from './read-operations.ts'
import { callerName, CLUSTER_ERRORS, clusterOperation, permittedCluster } from './slice.ts'

const SDK = 'test/clusters/sdk.test.ts'
const GOLDEN = 'test/clusters/golden.test.ts > keeps the contract of every operation on clusters'

interface Move {
  readonly name: string
  readonly path?: `/${string}`
  readonly level: string
  readonly sideEffects: readonly string[]
  readonly test: string
  readonly errors?: readonly string[]
  act(clusters: ClustersState, cluster: Cluster, userName: string): void
}

const MOVES: readonly Move[] = [
  {
    name: 'start',
    level: 'CAN_RESTART',
    sideEffects: ['starts a terminated cluster'],
    test: 'starts, restarts and terminates a cluster',
    errors: ['INVALID_STATE'],
    act: (clusters, cluster, userName) => clusters.start(cluster, userName),
  },
  {
    name: 'restart',
    level: 'CAN_RESTART',
    sideEffects: ['restarts a running cluster'],
    test: 'starts, restarts and terminates a cluster',
    errors: ['INVALID_STATE'],
    act: (clusters, cluster, userName) => clusters.restart(cluster, userName),
  },
  {
    name: 'delete',
    level: 'CAN_RESTART',
    sideEffects: ['terminates the cluster'],
    test: 'starts, restarts and terminates a cluster',
    act: (clusters, cluster, userName) => clusters.terminate(cluster, userName),
  },
  {
    name: 'permanentDelete',
    path: '/permanent-delete',
    level: 'CAN_MANAGE',
    sideEffects: ['removes the cluster for good'],
    test: 'removes a cluster for good',
    act: (clusters, cluster) => clusters.remove(cluster),
  },
  {
    name: 'pin',
    level: 'CAN_MANAGE',
    sideEffects: ['pins the cluster'],
    test: 'pins, unpins and hands over a cluster',
    act: (clusters, cluster, userName) => clusters.pin(cluster, true, userName),
  },
  {
    name: 'unpin',
    level: 'CAN_MANAGE',
    sideEffects: ['unpins the cluster'],
    test: 'pins, unpins and hands over a cluster',
    act: (clusters, cluster, userName) => clusters.pin(cluster, false, userName),
  },
]

/** The operations that take a cluster's id and nothing else. */
export const clusterMoves: readonly WorkspaceOperation[] = MOVES.map(
  ({ name, path = `/${name}`, level, sideEffects, test, errors = [], act }) =>
    clusterOperation(name, `POST ${path}`, {
      supports: ['cluster_id'],
      errors: [...CLUSTER_ERRORS, ...errors],
      sideEffects,
      tests: [GOLDEN, `${SDK} > ${test}`],
      handle(context) {
        const { state } = context
        const cluster = permittedCluster(context, requiredText(bodyOf(context), 'cluster_id'), level)
        act(state.clusters, cluster, callerName(context))
        if (!state.clusters.hasObject(cluster.cluster_id))
          state.permissions.forget({ type: 'clusters', id: cluster.cluster_id })
        return {}
      },
    }),
)

const CREATE_FIELDS = `spark_version num_workers autoscale cluster_name node_type_id driver_node_type_id
  autotermination_minutes spark_conf spark_env_vars custom_tags data_security_mode single_user_name
  aws_attributes azure_attributes gcp_attributes init_scripts ssh_public_keys clone_from`.split(/\s+/)
const ERRORS = [...CLUSTER_ERRORS, 'INVALID_STATE', 'MALFORMED_REQUEST']

/** The operations that make clusters and change what they are made of. */
export const clusterWrites: readonly WorkspaceOperation[] = [
  clusterOperation('create', 'POST /create', {
    supports: CREATE_FIELDS,
    limits: { maxCustomTags: 45, maxSshPublicKeys: 10 },
    errors: ['INVALID_PARAMETER_VALUE', 'MALFORMED_REQUEST'],
    sideEffects: ['makes a cluster, which starts'],
    tests: [GOLDEN, `${SDK} > waits for a cluster from creation to its end`],
    handle(context) {
      const body = bodyOf(context)
      const cluster = context.state.clusters.create(readSpec(cloned(context, body)), callerName(context))
      const object = { type: 'clusters', id: cluster.cluster_id }
      context.state.permissions.own(object, cluster.creator_user_name)
      return { cluster_id: cluster.cluster_id }
    },
  }),
  clusterOperation('edit', 'POST /edit', {
    supports: ['cluster_id', ...CREATE_FIELDS],
    errors: ERRORS,
    sideEffects: ['replaces the specification', 'restarts a running cluster'],
    tests: [GOLDEN, `${SDK} > edits, updates and resizes a cluster`],
    handle(context) {
      const body = bodyOf(context)
      const cluster = permittedCluster(context, requiredText(body, 'cluster_id'), 'CAN_MANAGE')
      context.state.clusters.edit(cluster, readSpec(body), callerName(context))
      return {}
    },
  }),
  clusterOperation('update', 'POST /update', {
    supports: ['cluster_id', 'update_mask', 'cluster'],
    errors: ERRORS,
    sideEffects: ['replaces the masked fields of the specification', 'restarts a running cluster'],
    tests: [GOLDEN, `${SDK} > edits, updates and resizes a cluster`],
    handle(context) {
      const body = bodyOf(context)
      const cluster = permittedCluster(context, requiredText(body, 'cluster_id'), 'CAN_MANAGE')
      const changes = optionalObject(body, 'cluster') ?? {}
      const spec = maskedSpec(cluster.requested, changes, requiredText(body, 'update_mask'))
      context.state.clusters.edit(cluster, readSpec(spec), callerName(context))
      return {}
    },
  }),
  clusterOperation('resize', 'POST /resize', {
    supports: ['cluster_id', 'num_workers', 'autoscale'],
    errors: ERRORS,
    sideEffects: ['changes the number of workers of a running cluster'],
    tests: [GOLDEN, `${SDK} > edits, updates and resizes a cluster`],
    handle(context) {
      const body = bodyOf(context)
      const cluster = permittedCluster(context, requiredText(body, 'cluster_id'), 'CAN_RESTART')
      checkSize(body)
      const { num_workers, autoscale } = pickSpec(body)
      context.state.clusters.resize(
        cluster,
        autoscale === undefined ? { num_workers } : { autoscale },
        callerName(context),
      )
      return {}
    },
  }),
  clusterOperation('changeOwner', 'POST /change-owner', {
    support: 'representative',
    supports: ['cluster_id', 'owner_username'],
    errors: ERRORS,
    sideEffects: ['changes the owner of a terminated cluster'],
    tests: [GOLDEN, `${SDK} > pins, unpins and hands over a cluster`],
    handle(context) {
      const body = bodyOf(context)
      const id = requiredText(body, 'cluster_id')
      const owner = requiredText(body, 'owner_username')
      const cluster = permittedCluster(context, id, 'CAN_MANAGE')
      if (cluster.state !== 'TERMINATED')
        throw workspaceError('INVALID_STATE', `Cluster ${id} must be terminated to change its owner.`)
      cluster.creator_user_name = owner
      context.state.permissions.own({ type: 'clusters', id }, owner)
      return {}
    },
  }),
]

/** A body with what it takes over from the cluster it is cloned from. */
function cloned(context: WorkspaceContext, body: Body): Body {
  const source = optionalObject(body, 'clone_from')
  if (source === undefined) return body
  const { requested } = permittedCluster(context, requiredText(source, 'source_cluster_id'), 'CAN_ATTACH_TO')
  return { ...requested, ...body }
}

export const clustersOperations: readonly WorkspaceOperation[] = [
  ...clusterReads,
  ...clusterWrites,
  ...clusterMoves,
]
