import { queryBoolean, queryInteger, queryList, requiredQuery } from '../fields.ts'
import { pageOf, sortedBy } from 'sim-gateway/adapter'
import { invalid } from '../errors.ts'
import { listEvents } from './list-events.ts'
import { clusterOperation, CLUSTER_ERRORS } from './operation.ts'
import { isSeenBy, permittedCluster, SEE, type ClusterOperation, type ClusterVisit } from './slice.ts'
import type { Cluster } from './cluster.ts'

const USUAL_PAGE = 20
const LARGEST_PAGE = 100
const STATE_ORDER = ['RUNNING', 'RESIZING', 'RESTARTING', 'PENDING', 'TERMINATING', 'ERROR', 'TERMINATED']
const SDK = 'test/clusters/sdk.test.ts'
const GOLDEN = 'test/clusters/golden.test.ts > keeps the contract of every operation on clusters'

/** The operations that read clusters. */
export const clusterReads: readonly ClusterOperation[] = [
  clusterOperation('get', 'get', {
    method: 'GET',
    support: 'exact',
    supports: ['cluster_id'],
    variants: ['running, with driver and executors', 'terminated, with termination_reason'],
    errors: CLUSTER_ERRORS,
    tests: [GOLDEN, `${SDK} > waits for a cluster from creation to its end`],
    handle(visit) {
      const id = requiredQuery(visit.query, 'cluster_id')
      permittedCluster(visit, id, SEE)
      return visit.state.clusters.details(visit.state.clusters.read(id))
    },
  }),
  clusterOperation('list', 'list', {
    method: 'GET',
    support: 'exact',
    supports: ['page_size', 'page_token', 'filter_by', 'sort_by'],
    limits: { defaultPageSize: USUAL_PAGE, maxPageSize: LARGEST_PAGE },
    errors: ['INVALID_PARAMETER_VALUE'],
    tests: [GOLDEN, `${SDK} > lists clusters over pages, filtered and sorted`],
    handle: list,
  }),
  clusterOperation('events', 'events', {
    method: 'POST',
    support: 'exact',
    supports: [
      'cluster_id',
      'start_time',
      'end_time',
      'event_types',
      'order',
      'page_size',
      'page_token',
      'limit',
      'offset',
    ],
    limits: { defaultPageSize: 50, maxPageSize: 500 },
    variants: ['by page_token', 'by offset and limit'],
    errors: CLUSTER_ERRORS,
    tests: [GOLDEN, `${SDK} > follows the events of a cluster from page to page`],
    handle: listEvents,
  }),
  clusterOperation('listNodeTypes', 'list-node-types', {
    method: 'GET',
    support: 'representative',
    tests: [GOLDEN, `${SDK} > tells node types, versions and zones`],
    handle: ({ state }) => ({ node_types: state.clusters.nodeTypes }),
  }),
  clusterOperation('sparkVersions', 'spark-versions', {
    method: 'GET',
    support: 'representative',
    tests: [GOLDEN, `${SDK} > tells node types, versions and zones`],
    handle: ({ state }) => ({ versions: state.clusters.sparkVersions }),
  }),
  clusterOperation('listZones', 'list-zones', {
    method: 'GET',
    support: 'representative',
    tests: [GOLDEN, `${SDK} > tells node types, versions and zones`],
    handle: ({ state }) => ({ default_zone: state.clusters.zones[0], zones: state.clusters.zones }),
  }),
]

function list(visit: ClusterVisit): unknown {
  const { query, state } = visit
  const sort = query.get('sort_by.field') ?? 'DEFAULT'
  const direction = query.get('sort_by.direction') ?? 'ASC'
  if (!['DEFAULT', 'CLUSTER_NAME'].includes(sort)) throw invalid(`sort_by.field cannot be '${sort}'.`)
  if (!['ASC', 'DESC'].includes(direction)) throw invalid(`sort_by.direction cannot be '${direction}'.`)
  const filters = readFilters(query)
  const listing = sortedBy(state.clusters.all, sort === 'CLUSTER_NAME' ? byName : byState, {
    descending: direction === 'DESC',
  })
  const { items, ...tokens } = pageOf(visit, {
    listing,
    limit: pageSize(query),
    token: query.get('page_token'),
    parameters: { sort, direction, ...filters },
    matches: (cluster) => fits(cluster, filters) && isSeenBy(visit, cluster.cluster_id),
  })
  return {
    ...(items.length > 0 && { clusters: items.map((each) => state.clusters.summary(each)) }),
    ...tokens,
  }
}

interface Filters {
  readonly sources: readonly string[]
  readonly states: readonly string[]
  readonly isPinned: boolean | undefined
  readonly policy: string | null
}

function readFilters(query: URLSearchParams): Filters {
  return {
    sources: queryList(query, 'filter_by.cluster_sources'),
    states: queryList(query, 'filter_by.cluster_states'),
    isPinned: queryBoolean(query, 'filter_by.is_pinned'),
    policy: query.get('filter_by.policy_id'),
  }
}

function fits(cluster: Cluster, { sources, states, isPinned, policy }: Filters): boolean {
  return (
    (sources.length === 0 || sources.includes(cluster.cluster_source)) &&
    (states.length === 0 || states.includes(cluster.state)) &&
    (isPinned === undefined || cluster.isPinned === isPinned) &&
    (policy === null || policy === '' || cluster.spec['policy_id'] === policy)
  )
}

function pageSize(query: URLSearchParams): number {
  const size = queryInteger(query, 'page_size') ?? 0
  return size <= 0 ? USUAL_PAGE : Math.min(size, LARGEST_PAGE)
}

function byName({ spec, sequence }: Cluster): readonly (string | number)[] {
  return [String(spec['cluster_name']), sequence]
}

function byState(cluster: Cluster): readonly (string | number)[] {
  return [STATE_ORDER.indexOf(cluster.state), cluster.isPinned ? 0 : 1, ...byName(cluster)]
}
