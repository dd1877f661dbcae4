import { newestFirst, type Operation, pageOf, type Visit } from 'sim-gateway/adapter'
import { invalid } from '../errors.ts'
import {
  bodyOf,
  optionalList,
  optionalObject,
  optionalObjects,
  queryBoolean,
  queryInteger,
  requiredInteger,
  requiredQuery,
  type Body,
} from '../fields.ts'
import type { AccessControl, AccessEntry, Directory, WorkspaceConfig } from '../part.ts'
import { jobPage, listedJob } from './job-view.ts'
import type { Job } from './job.ts'
import type { JobsState } from './jobs-state.ts'
import { mergeSettings, removeFields } from './merge-settings.ts'
import { readSettings, SETTINGS_FIELDS } from './settings.ts'

/** The share of the state that operations on jobs use. */
export interface JobsSlice {
  readonly jobs: JobsState
  readonly permissions: AccessControl
  readonly scim: Directory
}

type JobOperation = Operation<JobsSlice, WorkspaceConfig>
type JobVisit = Visit<JobsSlice, WorkspaceConfig>

const USUAL_PAGE = 20
const LARGEST_PAGE = 100
const SDK = 'test/jobs/sdk.test.ts'
const GOLDEN = 'test/jobs/golden.test.ts > keeps the contract of every operation on jobs'
const ERRORS = ['INVALID_PARAMETER_VALUE', 'MALFORMED_REQUEST', 'PERMISSION_DENIED']

const OLDER_PATH = 'representative: the path of version 2.1'

type Rest = Omit<JobOperation, 'id' | 'path' | 'aliases' | 'family' | 'version' | 'documentation' | 'errors'>

function jobOperation(name: string, rest: Rest): JobOperation {
  return {
    errors: ERRORS,
    ...rest,
    variants: [...(rest.variants ?? []), OLDER_PATH],
    id: `jobs.${name}`,
    path: `/api/2.2/jobs/${name}`,
    aliases: [`/api/2.1/jobs/${name}`],
    family: 'Jobs',
    version: '2.2',
    documentation: `https://docs.databricks.com/api/workspace/jobs/${name}`,
  }
}

/** The operations on jobs. */
export const jobsOperations: readonly JobOperation[] = [
  jobOperation('create', {
    method: 'POST',
    support: 'exact',
    supports: [...SETTINGS_FIELDS, 'access_control_list'],
    limits: { maxTasks: 1000 },
    sideEffects: ['makes a job'],
    tests: [GOLDEN, `${SDK} > makes, reads, changes and deletes a job`],
    handle(visit) {
      const body = bodyOf(visit)
      const user = visit.state.scim.callerOf(visit.credentials).userName
      const settings = readSettings(body)
      const entries = optionalObjects(body, 'access_control_list') as readonly AccessEntry[] | undefined
      const job = visit.state.jobs.add({ settings, creator_user_name: user })
      visit.state.permissions.own(objectOf(job), user, entries)
      return { job_id: job.job_id }
    },
  }),
  jobOperation('get', {
    method: 'GET',
    support: 'exact',
    supports: ['job_id', 'page_token'],
    limits: { maxPageSize: 100 },
    variants: ['pages of 100 tasks'],
    tests: [GOLDEN, `${SDK} > makes, reads, changes and deletes a job`, `${SDK} > reads a job of 250 tasks`],
    handle(visit) {
      requiredQuery(visit.query, 'job_id')
      return jobPage(visit, permitted(visit, queryInteger(visit.query, 'job_id') ?? 0, 'CAN_VIEW'))
    },
  }),
  jobOperation('list', {
    method: 'GET',
    support: 'exact',
    supports: ['limit', 'offset', 'page_token', 'name', 'expand_tasks'],
    limits: { defaultPageSize: USUAL_PAGE, maxPageSize: LARGEST_PAGE },
    tests: [GOLDEN, `${SDK} > lists jobs over pages and by name`],
    handle: list,
  }),
  jobOperation('reset', {
    method: 'POST',
    support: 'exact',
    supports: ['job_id', 'new_settings'],
    sideEffects: ['replaces the settings'],
    tests: [GOLDEN, `${SDK} > makes, reads, changes and deletes a job`],
    handle(visit) {
      const body = bodyOf(visit)
      const job = permitted(visit, requiredInteger(body, 'job_id'), 'CAN_MANAGE')
      const settings = optionalObject(body, 'new_settings')
      if (settings === undefined) throw invalid('Missing required field: new_settings')
      // The service keeps who a job runs as unless it is told otherwise.
      const { run_as } = job.settings
      visit.state.jobs.replace(job, readSettings({ ...(run_as !== undefined && { run_as }), ...settings }))
      return {}
    },
  }),
  jobOperation('update', {
    method: 'POST',
    support: 'exact',
    supports: ['job_id', 'new_settings', 'fields_to_remove'],
    sideEffects: ['changes the settings'],
    tests: [GOLDEN, `${SDK} > makes, reads, changes and deletes a job`],
    handle(visit) {
      const body = bodyOf(visit)
      const job = permitted(visit, requiredInteger(body, 'job_id'), 'CAN_MANAGE')
      const kept = removeFields(job.settings, optionalList(body, 'fields_to_remove') ?? [])
      visit.state.jobs.replace(
        job,
        readSettings(mergeSettings(kept, optionalObject(body, 'new_settings') ?? {})),
      )
      return {}
    },
  }),
  jobOperation('delete', {
    method: 'POST',
    support: 'exact',
    supports: ['job_id'],
    sideEffects: ['removes the job; its runs stay'],
    tests: [GOLDEN, `${SDK} > makes, reads, changes and deletes a job`],
    handle(visit) {
      const job = permitted(visit, requiredInteger(bodyOf(visit), 'job_id'), 'CAN_MANAGE')
      visit.state.jobs.remove(job)
      visit.state.permissions.forget(objectOf(job))
      return {}
    },
  }),
]

function list(visit: JobVisit): Body {
  const { query, state } = visit
  const limit = queryInteger(query, 'limit') ?? USUAL_PAGE
  if (limit < 1 || limit > LARGEST_PAGE)
    throw invalid(`limit must be between 1 and ${LARGEST_PAGE}, not ${limit}.`)
  const [name, hasTasks] = [query.get('name'), queryBoolean(query, 'expand_tasks') ?? false]
  const { items, ...tokens } = pageOf(visit, {
    listing: newestFirst(name ? state.jobs.named(name) : state.jobs.all),
    limit,
    token: query.get('page_token'),
    offset: queryInteger(query, 'offset') ?? 0,
    parameters: { name },
    matches: (job) =>
      visit.credentials.isGranted(`jobs/${job.job_id}`) &&
      state.permissions.allows(visit, objectOf(job), 'CAN_VIEW'),
  })
  return {
    ...(items.length > 0 && { jobs: items.map((job) => listedJob(job, hasTasks)) }),
    has_more: tokens.next_page_token !== undefined,
    ...tokens,
  }
}

function permitted(visit: JobVisit, id: number, level: string): Job {
  const job = visit.state.jobs.get(id)
  visit.state.permissions.require(visit, objectOf(job), level)
  return job
}

function objectOf({ job_id }: Job): { readonly type: string; readonly id: string } {
  return { type: 'jobs', id: String(job_id) }
}
