import type { Sequenced, OperationContext } from 'sim-gateway/adapter'
import type { Body } from '../fields.ts'

/** A dependency of a task on another. */
export interface TaskDependency {
  readonly task_key: string
  /** The outcome that a condition must have. */
  readonly outcome?: string
}

/** A task as its job declares it. */
export interface TaskSettings extends Body {
  readonly task_key: string
  readonly depends_on?: readonly TaskDependency[]
  readonly run_if: string
  readonly timeout_seconds: number
}

/** The settings of a job, with what the service fills in. They are replaced, never changed. */
export interface JobSettings extends Body {
  readonly name: string
  readonly tasks?: readonly TaskSettings[]
  readonly timeout_seconds: number
  readonly max_concurrent_runs: number
}

export interface Job extends Sequenced {
  readonly job_id: number
  readonly creator_user_name: string
  readonly created_time: number
  run_as_user_name: string
  settings: JobSettings
}

const PAGE = 100

/** An object whose long arrays come 100 entries at a time, and whether there are more. */
export interface ArrayPage {
  readonly arrays: Body
  /** Absent on the last page: an empty one makes a client ask forever. */
  readonly next_page_token?: string
}

/** One page of several arrays at once; an array that is shorter than the others is empty on later pages. */
export function pageOfArrays(
  { pages }: Pick<OperationContext<unknown>, 'pages'>,
  arrays: Readonly<Record<string, readonly unknown[] | undefined>>,
  token: string | null,
  parameters: unknown,
): ArrayPage {
  const start = token ? Number(pages.decode(token, { parameters }).position) : 0
  const present = Object.entries(arrays).filter(([, array]) => array !== undefined)
  const longest = Math.max(0, ...present.map(([, array]) => array?.length ?? 0))
  const end = start + PAGE
  return {
    arrays: Object.fromEntries(present.map(([name, array]) => [name, array?.slice(start, end)])),
    ...(end < longest && { next_page_token: pages.encode({ position: end, parameters, revision: 0 }) }),
  }
}

const MAX_LISTED = 100

/** A job as `get` shows it: one page of it, where it has more than 100 tasks. */
export function jobPage(context: Pick<OperationContext<unknown>, 'pages' | 'query'>, job: Job): Body {
  const { settings, sequence: _sequence, ...fields } = job
  const { tasks, job_clusters, parameters, environments } = settings as Body
  const given = { tasks, job_clusters, parameters, environments } as Record<
    string,
    readonly unknown[] | undefined
  >
  const { arrays, next_page_token } = pageOfArrays(
    context,
    given,
    context.query.get('page_token'),
    job.job_id,
  )
  return {
    ...fields,
    settings: { ...settings, ...arrays },
    ...(next_page_token !== undefined && { has_more: true, next_page_token }),
  }
}

/** A job as `list` shows it: without tasks and clusters, unless they are requested. */
export function listedJob(job: Job, hasTasks: boolean): Body {
  const { job_id, creator_user_name, created_time, settings } = job
  const { tasks = [], job_clusters, ...others } = settings as Body & { tasks?: readonly unknown[] }
  const clusters = (job_clusters as readonly unknown[] | undefined) ?? []
  const hasMore = hasTasks && Math.max(tasks.length, clusters.length) > MAX_LISTED
  const shown = {
    ...others,
    ...(hasTasks && tasks.length > 0 && { tasks: tasks.slice(0, MAX_LISTED) }),
    ...(hasTasks && clusters.length > 0 && { job_clusters: clusters.slice(0, MAX_LISTED) }),
  }
  return { job_id, creator_user_name, created_time, settings: shown, ...(hasMore && { has_more: true }) }
}
