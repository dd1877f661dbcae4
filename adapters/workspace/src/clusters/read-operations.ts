import { type Listing, pageOf, sortedBy } from 'sim-gateway/adapter'
import { invalid } from '../errors.ts'
import {
  type Body,
  bodyOf,
  optionalInteger,
  optionalList,
  optionalText,
  queryBoolean,
  queryInteger,
  queryList,
  requiredQuery,
  requiredText,
} from '../fields.ts'
import type { WorkspaceContext, WorkspaceOperation } from '../operation.ts'
import type { Cluster, ClusterEvent } from './cluster.ts'
import { CLUSTER_ERRORS, clusterOperation, isSeenBy, permittedCluster, SEE } from './slice.ts'

const DEFAULT_EVENTS = 50
const MAX_EVENTS = 500

/** The events of a cluster; clients request the next page by sending `next_page` as it is. */
export function listEvents(context: WorkspaceContext): unknown {
  const body = bodyOf(context)
  const id = requiredText(body, 'cluster_id')
  const { events } = permittedCluster(context, id, 'CAN_ATTACH_TO')
  const order = optionalText(body, 'order') ?? 'DESC'
  if (order !== 'ASC' && order !== 'DESC') throw invalid(`order must be ASC or DESC, not '${order}'.`)
  const matches = matcherOf(body)
  const listing = sortedBy(events, ({ sequence }) => [sequence], { descending: order === 'DESC' })
  const isByOffset = body['limit'] !== undefined || body['offset'] !== undefined
  const page = isByOffset
    ? pageByOffset(body, listing, matches)
    : pageByToken(context, body, listing, matches)
  const isFirst = !optionalText(body, 'page_token')
  return {
    events: page.items.map(({ timestamp, type, details }) => ({ cluster_id: id, timestamp, type, details })),
    ...page.rest,
    total_count: isFirst ? events.filter(matches).length : 0,
  }
}

interface EventsPage {
  readonly items: readonly ClusterEvent[]
  readonly rest: Body
}

type Matches = (event: ClusterEvent) => boolean

function matcherOf(body: Body): Matches {
  const types = optionalList(body, 'event_types') ?? []
  const [from, to] = [optionalInteger(body, 'start_time') ?? 0, optionalInteger(body, 'end_time') ?? 0]
  return ({ type, timestamp }) =>
    (types.length === 0 || types.includes(type)) && timestamp >= from && (to === 0 || timestamp <= to)
}

function pageByToken(
  context: WorkspaceContext,
  body: Body,
  listing: Listing<ClusterEvent>,
  matches: Matches,
): EventsPage {
  const { page_token, page_size: _size, ...parameters } = body
  const size = Math.min(optionalInteger(body, 'page_size') ?? 0, MAX_EVENTS)
  const token = page_token as string | undefined
  const limit = size <= 0 ? DEFAULT_EVENTS : size
  const { items, ...tokens } = pageOf(context, { listing, limit, token, parameters, matches })
  const { next_page_token: next } = tokens
  return {
    items,
    rest: { ...(next !== undefined && { next_page: { ...body, page_token: next } }), ...tokens },
  }
}

function pageByOffset(body: Body, listing: Listing<ClusterEvent>, matches: Matches): EventsPage {
  const offset = Math.max(0, optionalInteger(body, 'offset') ?? 0)
  const limit = Math.min(Math.max(1, optionalInteger(body, 'limit') ?? DEFAULT_EVENTS), MAX_EVENTS)
  const all = [...listing.after(undefined)].filter(matches)
  const hasMore = offset + limit < all.length
  return {
    items: all.slice(offset, offset + limit),
    rest: hasMore ? { next_page: { ...body, offset: offset + limit, limit } } : {},
  }
}

const DEFAULT_PAGE = 20
const MAX_PAGE = 100
const STATE_ORDER = ['RUNNING', 'RESIZING', 'RESTARTING', 'PENDING', 'TERMINATING', 'ERROR', 'TERMINATED']
const SDK = 'test/clusters/sdk.test.ts'
const GOLDEN = 'test/clusters/golden.test.ts > keeps the contract of every operation on clusters'

/** The operations that read clusters. */
export const clusterReads: readonly WorkspaceOperation[] = [
  clusterOperation('get', 'GET /get', {
    supports: ['cluster_id'],
    variants: ['running, with driver and executors', 'terminated, with termination_reason'],
    errors: CLUSTER_ERRORS,
    tests: [GOLDEN, `${SDK} > waits for a cluster from creation to its end`],
    handle(context) {
      const id = requiredQuery(context.query, 'cluster_id')
      permittedCluster(context, id, SEE)
      return context.state.clusters.details(context.state.clusters.read(id))
    },
  }),
  clusterOperation('list', 'GET /list', {
    supports: ['page_size', 'page_token', 'filter_by', 'sort_by'],
    limits: { defaultPageSize: DEFAULT_PAGE, maxPageSize: MAX_PAGE },
    errors: ['INVALID_PARAMETER_VALUE'],
    tests: [GOLDEN, `${SDK} > lists clusters over pages, filtered and sorted`],
    handle: list,
  }),
  clusterOperation('events', 'POST /events', {
    supports: 'cluster_id start_time end_time event_types order page_size page_token limit offset'.split(' '),
    limits: { defaultPageSize: 50, maxPageSize: 500 },
    variants: ['by page_token', 'by offset and limit'],
    errors: CLUSTER_ERRORS,
    tests: [GOLDEN, `${SDK} > follows the events of a cluster from page to page`],
    handle: listEvents,
  }),
  clusterOperation('listNodeTypes', 'GET /list-node-types', {
    support: 'representative',
    tests: [GOLDEN, `${SDK} > lists node types, versions and zones`],
    handle: ({ state }) => ({ node_types: state.clusters.nodeTypes }),
  }),
  clusterOperation('sparkVersions', 'GET /spark-versions', {
    support: 'representative',
    tests: [GOLDEN, `${SDK} > lists node types, versions and zones`],
    handle: ({ state }) => ({ versions: state.clusters.sparkVersions }),
  }),
  clusterOperation('listZones', 'GET /list-zones', {
    support: 'representative',
    tests: [GOLDEN, `${SDK} > lists node types, versions and zones`],
    handle: ({ state }) => ({ default_zone: state.clusters.zones[0], zones: state.clusters.zones }),
  }),
]

function list(context: WorkspaceContext): unknown {
  const { query, state } = context
  const sort = query.get('sort_by.field') ?? 'DEFAULT'
  const direction = query.get('sort_by.direction') ?? 'ASC'
  if (!['DEFAULT', 'CLUSTER_NAME'].includes(sort)) throw invalid(`sort_by.field cannot be '${sort}'.`)
  if (!['ASC', 'DESC'].includes(direction)) throw invalid(`sort_by.direction cannot be '${direction}'.`)
  const filters = readFilters(query)
  const listing = sortedBy(state.clusters.all, sort === 'CLUSTER_NAME' ? byName : byState, {
    descending: direction === 'DESC',
  })
  const { items, ...tokens } = pageOf(context, {
    listing,
    limit: pageSize(query),
    token: query.get('page_token'),
    parameters: { sort, direction, ...filters },
    matches: (cluster) => fits(cluster, filters) && isSeenBy(context, cluster.cluster_id),
  })
  return {
    ...(items.length > 0 && { clusters: items.map((each) => state.clusters.summary(each)) }),
    ...tokens,
  }
}

type Filters = ReturnType<typeof readFilters>

function readFilters(query: URLSearchParams) {
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
  return size <= 0 ? DEFAULT_PAGE : Math.min(size, MAX_PAGE)
}

function byName({ spec, sequence }: Cluster): readonly (string | number)[] {
  return [String(spec['cluster_name']), sequence]
}

function byState(cluster: Cluster): readonly (string | number)[] {
  return [STATE_ORDER.indexOf(cluster.state), cluster.isPinned ? 0 : 1, ...byName(cluster)]
}
