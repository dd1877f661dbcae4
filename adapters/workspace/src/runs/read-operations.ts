import { newestFirst, pageOf } from 'sim-gateway/adapter'
import { invalid } from '../errors.ts'
import { type Body, queryBoolean, queryInteger, requiredQuery } from '../fields.ts'
import { pageOfArrays } from '../jobs/job.ts'
import type { WorkspaceContext, WorkspaceOperation } from '../operation.ts'
import { historyOf, runOfTaskView, runSummary, runView, type RunViewer, taskViews } from './run-view.ts'
import { isFinal, type Run, type TaskRun } from './run.ts'
import { objectOf, permittedRun, runOperation, viewerOf } from './slice.ts'

const MAX_BYTES = 5 * 1024 * 1024

const WHOLE_RUN =
  'Retrieving the output of runs with multiple tasks is not supported. Please retrieve the output of each individual task run instead.'

/**
 * What an attempt at a task has put out, once it has ended.
 * @throws AdapterFault for a run as a whole, as the service does even where it has one task only
 */
export function outputOf(run: Run, taskRun: TaskRun | undefined, viewer: RunViewer): Body {
  if (!taskRun) throw invalid(WHOLE_RUN)
  return { metadata: runOfTaskView(run, taskRun, viewer), ...(isFinal(taskRun) && contentOf(taskRun)) }
}

function contentOf({ ending, outcome, forced, child }: TaskRun): Body {
  if (child !== undefined) return { run_job_output: { run_id: child } }
  if (forced || outcome === undefined) return { error: ending?.message ?? '' }
  const isOwnEnd = ending?.result === outcome.ending.result
  return capped(isOwnEnd ? outcome.output : { error: ending?.message ?? '' })
}

/** The service returns the first 5 MB of a result. */
function capped(output: Body): Body {
  const notebook = output['notebook_output'] as { readonly result?: string } | undefined
  const result = notebook?.result
  if (result === undefined) return output
  const isTooLong = Buffer.byteLength(result) > MAX_BYTES
  const shown = isTooLong ? Buffer.from(result).subarray(0, MAX_BYTES).toString() : result
  return {
    ...output,
    notebook_output: { truncated: false, ...notebook, result: shown, ...(isTooLong && { truncated: true }) },
  }
}

/** The page that a notebook's run is exported as. */
export function exportOf(run: Run, given: TaskRun | undefined, views: string): Body {
  const taskRun = given ?? (run.tasks.length === 1 ? run.taskRuns.at(-1) : undefined)
  if (!taskRun) throw invalid(WHOLE_RUN)
  const task = run.tasks.find(({ task_key }) => task_key === taskRun.task_key)
  const notebook = task?.['notebook_task'] as { readonly notebook_path?: string } | undefined
  if (!notebook) throw invalid(`Run ${taskRun.run_id} is not a run of a notebook and cannot be exported.`)
  if (views === 'DASHBOARDS') return {}
  const name = notebook.notebook_path?.split('/').at(-1) ?? ''
  const title = name.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return {
    views: [
      {
        type: 'NOTEBOOK',
        name,
        content: `<!DOCTYPE html>\n<html>\n<head><title>${title}</title></head>\n<body></body>\n</html>\n`,
      },
    ],
  }
}

const DEFAULT_PAGE = 20
const MAX_PAGE = 25
const MAX_LISTED = 100
const SDK = 'test/runs/sdk.test.ts'
const GOLDEN = 'test/runs/golden.test.ts > keeps the contract of every operation on runs'

/** The operations that read runs. */
export const runReads: readonly WorkspaceOperation[] = [
  runOperation('getRun', 'GET /runs/get', {
    supports: ['run_id', 'include_history', 'page_token'],
    limits: { maxPageSize: 100 },
    variants: ['a run', 'a run of one task', 'pages of 100 tasks', 'repair history'],
    tests: [GOLDEN, `${SDK} > waits for the run of a job`, `${SDK} > reads a run of 250 tasks`],
    handle: get,
  }),
  runOperation('listRuns', 'GET /runs/list', {
    supports:
      `job_id active_only completed_only run_type start_time_from start_time_to expand_tasks limit offset
      page_token`.split(/\s+/),
    limits: { defaultPageSize: DEFAULT_PAGE, maxPageSize: MAX_PAGE },
    tests: [GOLDEN, `${SDK} > lists runs newest first, over pages and filtered`],
    handle: list,
  }),
  runOperation('getRunOutput', 'GET /runs/get-output', {
    supports: ['run_id'],
    limits: { maxResultBytes: 5 * 1024 * 1024 },
    variants: ['a notebook', 'SQL', 'dbt', 'another run', 'logs', 'an error with its trace'],
    tests: [GOLDEN, `${SDK} > reads the output of tasks`],
    handle(context) {
      const { run, taskRun } = readRun(context)
      return outputOf(run, taskRun, viewerOf(context))
    },
  }),
  runOperation('exportRun', 'GET /runs/export', {
    support: 'representative',
    supports: ['run_id', 'views_to_export'],
    variants: ['an empty page of a notebook'],
    tests: [GOLDEN, `${SDK} > exports the run of a notebook`],
    handle(context) {
      const { run, taskRun } = readRun(context)
      return exportOf(run, taskRun, context.query.get('views_to_export') ?? 'CODE')
    },
  }),
]

function readRun(context: WorkspaceContext): {
  readonly run: Run
  readonly taskRun: Run['taskRuns'][number] | undefined
} {
  requiredQuery(context.query, 'run_id')
  const id = queryInteger(context.query, 'run_id') ?? 0
  permittedRun(context, id, 'CAN_VIEW')
  const run = context.state.runs.read(id)
  return { run, taskRun: context.state.runs.taskRun(run, id) }
}

function get(context: WorkspaceContext): Body {
  const { run, taskRun } = readRun(context)
  const viewer = viewerOf(context)
  const view = taskRun ? runOfTaskView(run, taskRun, viewer) : runView(run, viewer)
  const hasHistory = queryBoolean(context.query, 'include_history') === true && taskRun === undefined
  const { tasks, job_clusters, job_parameters, iterations } = view
  const long = {
    tasks,
    job_clusters,
    job_parameters,
    iterations,
    ...(hasHistory && { repair_history: historyOf(run) }),
  }
  const arrays = long as Readonly<Record<string, unknown>> as Record<string, readonly unknown[] | undefined>
  const page = pageOfArrays(context, arrays, context.query.get('page_token'), view['run_id'])
  const { next_page_token } = page
  return {
    ...view,
    ...page.arrays,
    ...(next_page_token !== undefined && { has_more: true, next_page_token }),
  }
}

type Filters = ReturnType<typeof readFilters>

function list(context: WorkspaceContext): Body {
  const { query, state } = context
  const filters = readFilters(query)
  const { index } = state.runs
  const ofJob = filters.jobId === undefined ? undefined : index.ofJob(filters.jobId)
  const runs = ofJob?.all ?? (filters.isActive ? index.open : index.all)
  const { items, ...tokens } = pageOf(context, {
    listing: newestFirst(runs),
    limit: pageSize(query),
    token: query.get('page_token'),
    offset: queryInteger(query, 'offset') ?? 0,
    parameters: filters,
    matches: (run) =>
      fits(run, filters) &&
      context.credentials.isGranted(`jobs/${run.job_id}`) &&
      state.permissions.allows(context, objectOf(run), 'CAN_VIEW'),
  })
  const hasTasks = queryBoolean(query, 'expand_tasks') ?? false
  const viewer = viewerOf(context)
  return {
    ...(items.length > 0 && { runs: items.map((run) => listed(run, viewer, hasTasks)) }),
    has_more: tokens.next_page_token !== undefined,
    ...tokens,
  }
}

function readFilters(query: URLSearchParams) {
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
  const limit = queryInteger(query, 'limit') ?? DEFAULT_PAGE
  if (limit < 0 || limit > MAX_PAGE) throw invalid(`limit must be between 0 and ${MAX_PAGE}, not ${limit}.`)
  return limit === 0 ? MAX_PAGE : limit
}

function listed(run: Run, viewer: RunViewer, hasTasks: boolean): Body {
  const { job_clusters, ...view } = runSummary(run, viewer)
  if (!hasTasks) return view
  const [tasks, clusters] = [taskViews(run, viewer), (job_clusters ?? []) as readonly unknown[]]
  return {
    ...view,
    tasks: tasks.slice(0, MAX_LISTED),
    ...(clusters.length > 0 && { job_clusters: clusters.slice(0, MAX_LISTED) }),
    ...(Math.max(tasks.length, clusters.length) > MAX_LISTED && { has_more: true }),
  }
}
