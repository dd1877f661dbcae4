import type { Visit } from 'sim-gateway/adapter'
import type { Body } from '../fields.ts'
import { pageOfArrays } from '../array-page.ts'
import type { Job } from './job.ts'

const MOST_LISTED = 100

/** A job as `get` shows it: one page of it, where it has more than 100 tasks. */
export function jobPage(visit: Pick<Visit<unknown>, 'pages' | 'query'>, job: Job): Body {
  const { settings, sequence: _sequence, ...fields } = job
  const { tasks, job_clusters, parameters, environments } = settings as Body
  const given = { tasks, job_clusters, parameters, environments } as Record<
    string,
    readonly unknown[] | undefined
  >
  const { arrays, next_page_token } = pageOfArrays(visit, given, visit.query.get('page_token'), job.job_id)
  return {
    ...fields,
    settings: { ...settings, ...arrays },
    ...(next_page_token !== undefined && { has_more: true, next_page_token }),
  }
}

/** A job as `list` shows it: without tasks and clusters, unless they are asked for. */
export function listedJob(job: Job, hasTasks: boolean): Body {
  const { job_id, creator_user_name, created_time, settings } = job
  const { tasks = [], job_clusters, ...others } = settings as Body & { tasks?: readonly unknown[] }
  const clusters = (job_clusters as readonly unknown[] | undefined) ?? []
  const hasMore = hasTasks && Math.max(tasks.length, clusters.length) > MOST_LISTED
  const shown = {
    ...others,
    ...(hasTasks && tasks.length > 0 && { tasks: tasks.slice(0, MOST_LISTED) }),
    ...(hasTasks && clusters.length > 0 && { job_clusters: clusters.slice(0, MOST_LISTED) }),
  }
  return { job_id, creator_user_name, created_time, settings: shown, ...(hasMore && { has_more: true }) }
}
