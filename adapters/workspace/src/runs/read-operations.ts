import { invalid } from '../errors.ts'
import { queryBoolean, queryInteger, requiredQuery, type Body } from '../fields.ts'
import { pageOfArrays } from '../array-page.ts'
import { newestFirst, pageOf } from 'sim-gateway/adapter'
import { exportOf, outputOf } from './run-output.ts'
import { historyOf } from './run-status.ts'
import { runOfTaskView, runSummary, runView, taskViews, type RunViewer } from './run-view.ts'
import { isFinal, type Run } from './run.ts'
import { objectOf, permittedRun, runOperation, viewerOf, type RunOperation, type RunVisit } from './slice.ts'

const USUAL_PAGE = 20
const LARGEST_PAGE = 25
const MOST_LISTED = 100
const SDK = 'test/runs/sdk.test.ts'
const GOLDEN = 'test/runs/golden.test.ts > keeps the contract of every operation on runs'

/** The operations that read runs. */
export const runReads: readonly RunOperation[] = [
  runOperation('getRun', 'runs/get', {
    method: 'GET',
    support: 'exact',
    supports: ['run_id', 'include_history', 'page_token'],
    limits: { maxPageSize: 100 },
    variants: ['a run', 'a run of one task', 'pages of 100 tasks', 'repair history'],
    tests: [GOLDEN, `${SDK} > waits for the run of a job`, `${SDK} > reads a run of 250 tasks`],
    handle: get,
  }),
  runOperation('listRuns', 'runs/list', {
    method: 'GET',
    support: 'exact',
    supports: [
      'job_id',
      'active_only',
      'completed_only',
      'run_type',
      'start_time_from',
      'start_time_to',
      'expand_tasks',
      'limit',
      'offset',
      'page_token',
    ],
    limits: { defaultPageSize: USUAL_PAGE, maxPageSize: LARGEST_PAGE },
    tests: [GOLDEN, `${SDK} > lists runs newest first, over pages and filtered`],
    handle: list,
  }),
  runOperation('getRunOutput', 'runs/get-output', {
    method: 'GET',
    support: 'exact',
    supports: ['run_id'],
    limits: { maxResultBytes: 5 * 1024 * 1024 },
    variants: ['a notebook', 'SQL', 'dbt', 'another run', 'logs', 'an error with its trace'],
    tests: [GOLDEN, `${SDK} > reads the output of tasks`],
    handle(visit) {
      const { run, taskRun } = readRun(visit)
      return outputOf(run, taskRun, viewerOf(visit))
    },
  }),
  runOperation('exportRun', 'runs/export', {
    method: 'GET',
    support: 'representative',
    supports: ['run_id', 'views_to_export'],
    variants: ['an empty page of a notebook'],
    tests: [GOLDEN, `${SDK} > exports the run of a notebook`],
    handle(visit) {
      const { run, taskRun } = readRun(visit)
      return exportOf(run, taskRun, visit.query.get('views_to_export') ?? 'CODE')
    },
  }),
]

function readRun(visit: RunVisit): {
  readonly run: Run
  readonly taskRun: Run['taskRuns'][number] | undefined
} {
  requiredQuery(visit.query, 'run_id')
  const id = queryInteger(visit.query, 'run_id') ?? 0
  permittedRun(visit, id, 'CAN_VIEW')
  const run = visit.state.runs.read(id)
  return { run, taskRun: visit.state.runs.taskRun(run, id) }
}

function get(visit: RunVisit): Body {
  const { run, taskRun } = readRun(visit)
  const viewer = viewerOf(visit)
  const view = taskRun ? runOfTaskView(run, taskRun, viewer) : runView(run, viewer)
  const hasHistory = queryBoolean(visit.query, 'include_history') === true && taskRun === undefined
  const { tasks, job_clusters, job_parameters, iterations } = view
  const long = {
    tasks,
    job_clusters,
    job_parameters,
    iterations,
    ...(hasHistory && { repair_history: historyOf(run) }),
  }
  const arrays = long as Readonly<Record<string, unknown>> as Record<string, readonly unknown[] | undefined>
  const page = pageOfArrays(visit, arrays, visit.query.get('page_token'), view['run_id'])
  const { next_page_token } = page
  return {
    ...view,
    ...page.arrays,
    ...(next_page_token !== undefined && { has_more: true, next_page_token }),
  }
}

interface Filters {
  readonly jobId: number | undefined
  readonly isActive: boolean
  readonly isCompleted: boolean
  readonly type: string | null
  readonly from: number
  readonly to: number
}

function list(visit: RunVisit): Body {
  const { query, state } = visit
  const filters = readFilters(query)
  const { index } = state.runs
  const ofJob = filters.jobId === undefined ? undefined : index.ofJob(filters.jobId)
  const runs = ofJob?.all ?? (filters.isActive ? index.open : index.all)
  const { items, ...tokens } = pageOf(visit, {
    listing: newestFirst(runs),
    limit: pageSize(query),
    token: query.get('page_token'),
    offset: queryInteger(query, 'offset') ?? 0,
    parameters: filters,
    matches: (run) =>
      fits(run, filters) &&
      visit.credentials.isGranted(`jobs/${run.job_id}`) &&
      state.permissions.allows(visit, objectOf(run), 'CAN_VIEW'),
  })
  const hasTasks = queryBoolean(query, 'expand_tasks') ?? false
  const viewer = viewerOf(visit)
  return {
    ...(items.length > 0 && { runs: items.map((run) => listed(run, viewer, hasTasks)) }),
    has_more: tokens.next_page_token !== undefined,
    ...tokens,
  }
}

function readFilters(query: URLSearchParams): Filters {
  const isActive = queryBoolean(query, 'active_only') ?? false
  const isCompleted = queryBoolean(query, 'completed_only') ?? false
  if (isActive && isCompleted) throw invalid('Only one of active_only and completed_only can be true.')
  return {
    jobId: queryInteger(query, 'job_id'),
    isActive,
    isCompleted,
    type: query.get('run_type'),
    from: queryInteger(query, 'start_time_from') ?? 0,
    to: queryInteger(query, 'start_time_to') ?? Number.MAX_SAFE_INTEGER,
  }
}

function fits(run: Run, { isActive, isCompleted, type, from, to }: Filters): boolean {
  return (
    (!isActive || !isFinal(run)) &&
    (!isCompleted || isFinal(run)) &&
    (!type || run.run_type === type) &&
    run.start_time >= from &&
    run.start_time <= to
  )
}

function pageSize(query: URLSearchParams): number {
  const limit = queryInteger(query, 'limit') ?? USUAL_PAGE
  if (limit < 0 || limit > LARGEST_PAGE)
    throw invalid(`limit must be between 0 and ${LARGEST_PAGE}, not ${limit}.`)
  return limit === 0 ? LARGEST_PAGE : limit
}

function listed(run: Run, viewer: RunViewer, hasTasks: boolean): Body {
  const { job_clusters, ...view } = runSummary(run, viewer)
  if (!hasTasks) return view
  const [tasks, clusters] = [taskViews(run, viewer), (job_clusters ?? []) as readonly unknown[]]
  return {
    ...view,
    tasks: tasks.slice(0, MOST_LISTED),
    ...(clusters.length > 0 && { job_clusters: clusters.slice(0, MOST_LISTED) }),
    ...(Math.max(tasks.length, clusters.length) > MOST_LISTED && { has_more: true }),
  }
}
