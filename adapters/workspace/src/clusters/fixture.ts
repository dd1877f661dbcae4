import { objectOf, objectsOf, type ReportProblem } from 'sim-gateway/adapter'
import { refusalOf } from '../errors.ts'
import type { Body } from '../fields.ts'
import type { LibrariesState } from '../libraries/libraries-state.ts'
import type { Tools, WorkspaceFixture } from '../part.ts'
import { checkSpecTypes, pickSpec } from './cluster-spec.ts'
import {
  CLUSTER_MOVES,
  type ClusterFailure,
  clusterFailuresSchema,
  type GivenCluster,
  terminationReasonSchema,
} from './cluster.ts'
import { ClustersState } from './clusters-state.ts'
import type { NodeType, SparkVersion } from './node-types.ts'

/** The clusters' share of a fixture. */
export interface ClustersFixture {
  readonly clusters?: readonly (Partial<GivenCluster> & { readonly pinned?: boolean } & Body)[]
  readonly clusterFailures?: readonly ClusterFailure[]
  readonly nodeTypes?: readonly NodeType[]
  readonly sparkVersions?: readonly SparkVersion[]
}

export const clustersFixtureSchema = {
  clusters: {
    type: 'array',
    items: objectOf(
      ['spark_version'],
      {
        cluster_id: { type: 'string', pattern: '^[0-9]{4}-[0-9]{6}-[a-z0-9]{8}$' },
        cluster_name: { type: 'string' },
        spark_version: { type: 'string' },
        creator_user_name: { type: 'string' },
        cluster_source: { enum: ['API', 'JOB', 'UI', 'MODELS', 'PIPELINE', 'SQL'] },
        state: { enum: Object.keys(CLUSTER_MOVES) },
        pinned: { type: 'boolean' },
        termination_reason: terminationReasonSchema,
      },
      {
        // The rest are create fields, of which clients send any.
        additionalProperties: true,
      },
    ),
  },
  clusterFailures: clusterFailuresSchema,
  nodeTypes: {
    type: 'array',
    items: {
      type: 'object',
      required: `node_type_id memory_mb num_cores description instance_type_id category is_deprecated num_gpus
        node_instance_type`.split(/\s+/),
    },
  },
  sparkVersions: objectsOf(['key', 'name'], { key: { type: 'string' }, name: { type: 'string' } }),
} as const

/** Reports clusters that have the same id, and values that the service would refuse. */
export function checkClusters(fixture: WorkspaceFixture, report: ReportProblem): void {
  const seen = new Set<string>()
  for (const [index, cluster] of ((fixture as ClustersFixture).clusters ?? []).entries()) {
    const { cluster_id: id } = cluster
    const problem = refusalOf(() => checkSpecTypes(cluster))
    if (problem !== undefined) report(['clusters', index], problem)
    if (id !== undefined && seen.has(id))
      report(['clusters', index, 'cluster_id'], `the cluster '${id}' comes twice`)
    if (id !== undefined) seen.add(id)
  }
}

export function createClusters(
  fixture: WorkspaceFixture,
  tools: Tools,
  libraries: LibrariesState,
  cloud: string,
): ClustersState {
  const { clusters = [], clusterFailures, nodeTypes, sparkVersions } = fixture as ClustersFixture
  const state = new ClustersState({
    tools,
    libraries,
    cloud,
    ...(clusterFailures && { failures: clusterFailures }),
    ...(nodeTypes && { nodeTypes }),
    ...(sparkVersions && { sparkVersions }),
  })
  for (const given of clusters) {
    state.declare({
      ...given,
      state: given.state ?? 'TERMINATED',
      requested: structuredClone(pickSpec(given)),
      creator_user_name: given.creator_user_name ?? tools.defaultUser,
      isPinned: given.pinned ?? false,
    })
  }
  return state
}
