import { isSeenBy, permittedCluster, SEE } from '../clusters/slice.ts'
import { type Body, bodyOf, requiredQuery, requiredText } from '../fields.ts'
import { operationsOf, type WorkspaceOperation } from '../operation.ts'
import { type Installation, readLibraries } from './libraries-state.ts'

const SDK = 'test/libraries/sdk.test.ts'
const GOLDEN = 'test/libraries/golden.test.ts > keeps the contract of every operation on libraries'

const define = operationsOf({
  id: 'libraries',
  base: '/api/2.0/libraries',
  family: 'Libraries',
  version: '2.0',
})

export const librariesOperations: readonly WorkspaceOperation[] = [
  define('install', 'POST /install', {
    supports: ['cluster_id', 'libraries'],
    errors: ['INVALID_PARAMETER_VALUE'],
    sideEffects: ['installs libraries as soon as the cluster runs'],
    tests: [GOLDEN, `${SDK} > installs libraries on a running cluster`],
    handle(context) {
      const body = bodyOf(context)
      const cluster = permittedCluster(context, requiredText(body, 'cluster_id'), 'CAN_MANAGE')
      context.state.libraries.install(cluster.cluster_id, readLibraries(body))
      return {}
    },
  }),
  define('uninstall', 'POST /uninstall', {
    supports: ['cluster_id', 'libraries'],
    errors: ['INVALID_PARAMETER_VALUE'],
    sideEffects: ['removes libraries at the next restart'],
    tests: [GOLDEN, `${SDK} > uninstalls libraries by a restart`],
    handle(context) {
      const body = bodyOf(context)
      const cluster = permittedCluster(context, requiredText(body, 'cluster_id'), 'CAN_MANAGE')
      context.state.libraries.uninstall(cluster.cluster_id, readLibraries(body))
      return {}
    },
  }),
  define('clusterStatus', 'GET /cluster-status', {
    supports: ['cluster_id'],
    errors: ['INVALID_PARAMETER_VALUE'],
    tests: [GOLDEN, `${SDK} > installs libraries on a running cluster`],
    handle(context) {
      const { cluster_id: id } = permittedCluster(context, requiredQuery(context.query, 'cluster_id'), SEE)
      return statusesOf(id, context.state.libraries.read(id))
    },
  }),
  define('allClusterStatuses', 'GET /all-cluster-statuses', {
    tests: [GOLDEN, `${SDK} > lists the libraries of all clusters`],
    handle(context) {
      const { clusters, libraries } = context.state
      const statuses = [...clusters.all].flatMap(({ cluster_id: id }) => {
        const present = libraries.of(id)
        const isSeen = present.length > 0 && isSeenBy(context, id)
        return isSeen ? [statusesOf(id, present)] : []
      })
      return statuses.length > 0 ? { statuses } : {}
    },
  }),
]

function statusesOf(id: string, installations: readonly Installation[]): Body {
  if (installations.length === 0) return { cluster_id: id }
  return {
    cluster_id: id,
    library_statuses: installations.map(({ library, status, messages }) => ({
      library,
      status,
      messages,
      is_library_for_all_clusters: false,
    })),
  }
}
