import { newestFirst, pageOf } from 'sim-gateway/adapter'
import { invalid } from '../errors.ts'
import {
  type Body,
  bodyOf,
  optionalList,
  optionalObject,
  optionalObjects,
  queryBoolean,
  queryInteger,
  requiredInteger,
  requiredQuery,
} from '../fields.ts'
import { operationsOf, type WorkspaceContext, type WorkspaceOperation } from '../operation.ts'
import type { AccessEntry } from '../part.ts'
import { type Job, jobPage, listedJob } from './job.ts'
import { mergeSettings, readSettings, removeFields, SETTINGS_FIELDS } from './settings.ts'

const DEFAULT_PAGE = 20
const MAX_PAGE = 100
const SDK = 'test/jobs/sdk.test.ts'
const GOLDEN = 'test/jobs/golden.test.ts > keeps the contract of every operation on jobs'

const define = operationsOf({
  id: 'jobs',
  base: '/api/2.2/jobs',
  alias: '/api/2.1/jobs',
  aliasVariant: 'representative: the path of version 2.1',
  family: 'Jobs',
  version: '2.2',
  errors: ['INVALID_PARAMETER_VALUE', 'MALFORMED_REQUEST', 'PERMISSION_DENIED'],
})

export const jobsOperations: readonly WorkspaceOperation[] = [
  define('create', 'POST /create', {
    supports: [...SETTINGS_FIELDS, 'access_control_list'],
    limits: { maxTasks: 1000 },
    sideEffects: ['makes a job'],
    tests: [GOLDEN, `${SDK} > makes, reads, changes and deletes a job`],
    handle(context) {
      const body = bodyOf(context)
      const user = context.state.scim.callerOf(context.credentials).userName
      const settings = readSettings(body)
      const entries = optionalObjects(body, 'access_control_list') as readonly AccessEntry[] | undefined
      const job = context.state.jobs.add({ settings, creator_user_name: user })
      context.state.permissions.own(objectOf(job), user, entries)
      return { job_id: job.job_id }
    },
  }),
  define('get', 'GET /get', {
    supports: ['job_id', 'page_token'],
    limits: { maxPageSize: 100 },
    variants: ['pages of 100 tasks'],
    tests: [GOLDEN, `${SDK} > makes, reads, changes and deletes a job`, `${SDK} > reads a job of 250 tasks`],
    handle(context) {
      requiredQuery(context.query, 'job_id')
      return jobPage(context, permitted(context, queryInteger(context.query, 'job_id') ?? 0, 'CAN_VIEW'))
    },
  }),
  define('list', 'GET /list', {
    supports: ['limit', 'offset', 'page_token', 'name', 'expand_tasks'],
    limits: { defaultPageSize: DEFAULT_PAGE, maxPageSize: MAX_PAGE },
    tests: [GOLDEN, `${SDK} > lists jobs over pages and by name`],
    handle: list,
  }),
  define('reset', 'POST /reset', {
    supports: ['job_id', 'new_settings'],
    sideEffects: ['replaces the settings'],
    tests: [GOLDEN, `${SDK} > makes, reads, changes and deletes a job`],
    handle(context) {
      const body = bodyOf(context)
      const job = permitted(context, requiredInteger(body, 'job_id'), 'CAN_MANAGE')
      const settings = optionalObject(body, 'new_settings')
      if (settings === undefined) throw invalid('Missing required field: new_settings')
      // The service keeps who a job runs as unless a request says otherwise.
      const { run_as } = job.settings
      context.state.jobs.replace(job, readSettings({ ...(run_as !== undefined && { run_as }), ...settings }))
      return {}
    },
  }),
  define('update', 'POST /update', {
    supports: ['job_id', 'new_settings', 'fields_to_remove'],
    sideEffects: ['changes the settings'],
    tests: [GOLDEN, `${SDK} > makes, reads, changes and deletes a job`],
    handle(context) {
      const body = bodyOf(context)
      const job = permitted(context, requiredInteger(body, 'job_id'), 'CAN_MANAGE')
      const kept = removeFields(job.settings, optionalList(body, 'fields_to_remove') ?? [])
      context.state.jobs.replace(
        job,
        readSettings(mergeSettings(kept, optionalObject(body, 'new_settings') ?? {})),
      )
      return {}
    },
  }),
  define('delete', 'POST /delete', {
    supports: ['job_id'],
    sideEffects: ['removes the job; its runs stay'],
    tests: [GOLDEN, `${SDK} > makes, reads, changes and deletes a job`],
    handle(context) {
      const job = permitted(context, requiredInteger(bodyOf(context), 'job_id'), 'CAN_MANAGE')
      context.state.jobs.remove(job)
      context.state.permissions.forget(objectOf(job))
      return {}
    },
  }),
]

function list(context: WorkspaceContext): Body {
  const { query, state } = context
  const limit = queryInteger(query, 'limit') ?? DEFAULT_PAGE
  if (limit < 1 || limit > MAX_PAGE) throw invalid(`limit must be between 1 and ${MAX_PAGE}, not ${limit}.`)
  const [name, hasTasks] = [query.get('name'), queryBoolean(query, 'expand_tasks') ?? false]
  const { items, ...tokens } = pageOf(context, {
    listing: newestFirst(name ? state.jobs.named(name) : state.jobs.all),
    limit,
    token: query.get('page_token'),
    offset: queryInteger(query, 'offset') ?? 0,
    parameters: { name },
    matches: (job) =>
      context.credentials.isGranted(`jobs/${job.job_id}`) &&
      state.permissions.allows(context, objectOf(job), 'CAN_VIEW'),
  })
  return {
    ...(items.length > 0 && { jobs: items.map((job) => listedJob(job, hasTasks)) }),
    has_more: tokens.next_page_token !== undefined,
    ...tokens,
  }
}

function permitted(context: WorkspaceContext, id: number, level: string): Job {
  const job = context.state.jobs.get(id)
  context.state.permissions.require(context, objectOf(job), level)
  return job
}

function objectOf({ job_id }: Job): { readonly type: string; readonly id: string } {
  return { type: 'jobs', id: String(job_id) }
}
