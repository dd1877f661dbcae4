import type { Operation } from 'sim-gateway/adapter'
import { isSeenBy, permittedCluster, SEE, type ClustersSlice } from '../clusters/slice.ts'
import { bodyOf, requiredQuery, requiredText, type Body } from '../fields.ts'
import type { WorkspaceConfig } from '../part.ts'
import type { Installation, LibrariesState } from './libraries-state.ts'
import { readLibraries } from './library.ts'

/** The share of the state that operations on libraries use. */
export interface LibrariesSlice extends ClustersSlice {
  readonly libraries: LibrariesState
}

type LibraryOperation = Operation<LibrariesSlice, WorkspaceConfig>

const SDK = 'test/libraries/sdk.test.ts'
const GOLDEN = 'test/libraries/golden.test.ts > keeps the contract of every operation on libraries'

function libraryOperation(
  name: string,
  wireName: string,
  rest: Omit<LibraryOperation, 'id' | 'path' | 'family' | 'version' | 'documentation' | 'support'>,
): LibraryOperation {
  return {
    ...rest,
    id: `libraries.${name}`,
    path: `/api/2.0/libraries/${wireName}`,
    support: 'exact',
    family: 'Libraries',
    version: '2.0',
    documentation: `https://docs.databricks.com/api/workspace/libraries/${name.toLowerCase()}`,
  }
}

/** The operations on the libraries of clusters. */
export const librariesOperations: readonly LibraryOperation[] = [
  libraryOperation('install', 'install', {
    method: 'POST',
    supports: ['cluster_id', 'libraries'],
    errors: ['INVALID_PARAMETER_VALUE'],
    sideEffects: ['installs libraries as soon as the cluster runs'],
    tests: [GOLDEN, `${SDK} > installs libraries on a running cluster`],
    handle(visit) {
      const body = bodyOf(visit)
      const cluster = permittedCluster(visit, requiredText(body, 'cluster_id'), 'CAN_MANAGE')
      visit.state.libraries.install(cluster.cluster_id, readLibraries(body))
      return {}
    },
  }),
  libraryOperation('uninstall', 'uninstall', {
    method: 'POST',
    supports: ['cluster_id', 'libraries'],
    errors: ['INVALID_PARAMETER_VALUE'],
    sideEffects: ['removes libraries at the next restart'],
    tests: [GOLDEN, `${SDK} > uninstalls libraries by a restart`],
    handle(visit) {
      const body = bodyOf(visit)
      const cluster = permittedCluster(visit, requiredText(body, 'cluster_id'), 'CAN_MANAGE')
      visit.state.libraries.uninstall(cluster.cluster_id, readLibraries(body))
      return {}
    },
  }),
  libraryOperation('clusterStatus', 'cluster-status', {
    method: 'GET',
    supports: ['cluster_id'],
    errors: ['INVALID_PARAMETER_VALUE'],
    tests: [GOLDEN, `${SDK} > installs libraries on a running cluster`],
    handle(visit) {
      const { cluster_id: id } = permittedCluster(visit, requiredQuery(visit.query, 'cluster_id'), SEE)
      return statusesOf(id, visit.state.libraries.read(id))
    },
  }),
  libraryOperation('allClusterStatuses', 'all-cluster-statuses', {
    method: 'GET',
    tests: [GOLDEN, `${SDK} > tells the libraries of all clusters`],
    handle(visit) {
      const { clusters, libraries } = visit.state
      const statuses = [...clusters.all].flatMap(({ cluster_id: id }) => {
        const present = libraries.of(id)
        const isSeen = present.length > 0 && isSeenBy(visit, id)
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
