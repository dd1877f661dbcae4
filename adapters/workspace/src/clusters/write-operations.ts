import { workspaceError } from '../errors.ts'
import { bodyOf, optionalObject, requiredText, type Body } from '../fields.ts'
import { maskedSpec } from './cluster-mask.ts'
import { checkSize, pickSpec, readSpec } from './cluster-spec.ts'
import { clusterOperation, CLUSTER_ERRORS } from './operation.ts'
import { callerName, permittedCluster, type ClusterOperation, type ClusterVisit } from './slice.ts'

const SDK = 'test/clusters/sdk.test.ts'
const GOLDEN = 'test/clusters/golden.test.ts > keeps the contract of every operation on clusters'
const CREATE_FIELDS = [
  'spark_version',
  'num_workers',
  'autoscale',
  'cluster_name',
  'node_type_id',
  'driver_node_type_id',
  'autotermination_minutes',
  'spark_conf',
  'spark_env_vars',
  'custom_tags',
  'data_security_mode',
  'single_user_name',
  'aws_attributes',
  'azure_attributes',
  'gcp_attributes',
  'init_scripts',
  'ssh_public_keys',
  'clone_from',
]
const ERRORS = [...CLUSTER_ERRORS, 'INVALID_STATE', 'MALFORMED_REQUEST']

/** The operations that make clusters and change what they are made of. */
export const clusterWrites: readonly ClusterOperation[] = [
  clusterOperation('create', 'create', {
    method: 'POST',
    support: 'exact',
    supports: CREATE_FIELDS,
    limits: { maxCustomTags: 45, maxSshPublicKeys: 10 },
    errors: ['INVALID_PARAMETER_VALUE', 'MALFORMED_REQUEST'],
    sideEffects: ['makes a cluster, which starts'],
    tests: [GOLDEN, `${SDK} > waits for a cluster from creation to its end`],
    handle(visit) {
      const body = bodyOf(visit)
      const cluster = visit.state.clusters.create(readSpec(cloned(visit, body)), callerName(visit))
      const object = { type: 'clusters', id: cluster.cluster_id }
      visit.state.permissions.own(object, cluster.creator_user_name)
      return { cluster_id: cluster.cluster_id }
    },
  }),
  clusterOperation('edit', 'edit', {
    method: 'POST',
    support: 'exact',
    supports: ['cluster_id', ...CREATE_FIELDS],
    errors: ERRORS,
    sideEffects: ['replaces the specification', 'restarts a running cluster'],
    tests: [GOLDEN, `${SDK} > edits, updates and resizes a cluster`],
    handle(visit) {
      const body = bodyOf(visit)
      const cluster = permittedCluster(visit, requiredText(body, 'cluster_id'), 'CAN_MANAGE')
      visit.state.clusters.edit(cluster, readSpec(body), callerName(visit))
      return {}
    },
  }),
  clusterOperation('update', 'update', {
    method: 'POST',
    support: 'exact',
    supports: ['cluster_id', 'update_mask', 'cluster'],
    errors: ERRORS,
    sideEffects: ['replaces the masked fields of the specification', 'restarts a running cluster'],
    tests: [GOLDEN, `${SDK} > edits, updates and resizes a cluster`],
    handle(visit) {
      const body = bodyOf(visit)
      const cluster = permittedCluster(visit, requiredText(body, 'cluster_id'), 'CAN_MANAGE')
      const changes = optionalObject(body, 'cluster') ?? {}
      const spec = maskedSpec(cluster.requested, changes, requiredText(body, 'update_mask'))
      visit.state.clusters.edit(cluster, readSpec(spec), callerName(visit))
      return {}
    },
  }),
  clusterOperation('resize', 'resize', {
    method: 'POST',
    support: 'exact',
    supports: ['cluster_id', 'num_workers', 'autoscale'],
    errors: ERRORS,
    sideEffects: ['changes the number of workers of a running cluster'],
    tests: [GOLDEN, `${SDK} > edits, updates and resizes a cluster`],
    handle(visit) {
      const body = bodyOf(visit)
      const cluster = permittedCluster(visit, requiredText(body, 'cluster_id'), 'CAN_RESTART')
      checkSize(body)
      const { num_workers, autoscale } = pickSpec(body)
      visit.state.clusters.resize(
        cluster,
        autoscale === undefined ? { num_workers } : { autoscale },
        callerName(visit),
      )
      return {}
    },
  }),
  clusterOperation('changeOwner', 'change-owner', {
    method: 'POST',
    support: 'representative',
    supports: ['cluster_id', 'owner_username'],
    errors: ERRORS,
    sideEffects: ['changes the owner of a terminated cluster'],
    tests: [GOLDEN, `${SDK} > pins, unpins and hands over a cluster`],
    handle(visit) {
      const body = bodyOf(visit)
      const id = requiredText(body, 'cluster_id')
      const owner = requiredText(body, 'owner_username')
      const cluster = permittedCluster(visit, id, 'CAN_MANAGE')
      if (cluster.state !== 'TERMINATED')
        throw workspaceError('INVALID_STATE', `Cluster ${id} must be terminated to change its owner.`)
      cluster.creator_user_name = owner
      visit.state.permissions.own({ type: 'clusters', id }, owner)
      return {}
    },
  }),
]

/** A body with what it takes over from the cluster it is cloned from. */
function cloned(visit: ClusterVisit, body: Body): Body {
  const source = optionalObject(body, 'clone_from')
  if (source === undefined) return body
  const { requested } = permittedCluster(visit, requiredText(source, 'source_cluster_id'), 'CAN_ATTACH_TO')
  return { ...requested, ...body }
}
