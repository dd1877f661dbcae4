import { checkSpecTypes } from '../clusters/cluster-spec.ts'
import { invalid } from '../errors.ts'
import {
  type Body,
  optionalBoolean,
  optionalInteger,
  optionalObject,
  optionalObjects,
  optionalText,
  requiredText,
} from '../fields.ts'
import type { JobSettings, TaskDependency, TaskSettings } from './job.ts'
import { checkGraph, checkTaskFields } from './tasks.ts'

/** The settings that are kept; other fields are nobody's business. */
export const SETTINGS_FIELDS =
  `budget_policy_id continuous deployment description edit_mode email_notifications environments format
  git_source health job_clusters max_concurrent_runs name notification_settings parameters
  performance_target queue run_as schedule tags tasks timeout_seconds trigger usage_policy_id
  webhook_notifications`.split(/\s+/)

const RUN_IFS = 'ALL_SUCCESS ALL_DONE NONE_FAILED AT_LEAST_ONE_SUCCESS ALL_FAILED AT_LEAST_ONE_FAILED'.split(
  ' ',
)
// The service keeps numbers in 32 bits.
const MAX_VALUE = 2 ** 31 - 1
const MAX_TASKS = 1000
const MAX_RUNS = 1000

/** The settings in a body, checked and completed. */
export function readSettings(body: Body): JobSettings {
  const given = Object.fromEntries(
    SETTINGS_FIELDS.flatMap((name) => (body[name] == null ? [] : [[name, body[name]]])),
  )
  const timeout = readSeconds(body, 'timeout_seconds')
  const most = optionalInteger(body, 'max_concurrent_runs') ?? 1
  if (most < 0 || most > MAX_RUNS) throw invalid(`max_concurrent_runs must be between 0 and ${MAX_RUNS}.`)
  optionalBoolean(optionalObject(body, 'queue') ?? {}, 'enabled')
  const tasks = readTasks(body)
  for (const each of optionalObjects(body, 'job_clusters') ?? [])
    checkSpecTypes(optionalObject(each, 'new_cluster') ?? {})
  const jobClusters = checkKeys(optionalObjects(body, 'job_clusters') ?? [], 'job_cluster_key')
  for (const { task_key, job_cluster_key: key } of tasks ?? [])
    if (key !== undefined && !jobClusters.includes(key as string))
      throw invalid(
        `Job cluster '${key as string}' of task '${task_key}' is not defined in field 'job_clusters'.`,
      )
  const parameters = optionalObjects(body, 'parameters') ?? []
  checkKeys(parameters, 'name')
  for (const parameter of parameters) optionalText(parameter, 'default')
  return {
    email_notifications: {},
    webhook_notifications: {},
    format: 'MULTI_TASK',
    ...given,
    name: optionalText(body, 'name') ?? 'Untitled',
    timeout_seconds: timeout,
    max_concurrent_runs: most,
    ...(tasks && { tasks }),
  }
}

/** The tasks in a body, checked and completed; `undefined` when it has none. */
export function readTasks(body: Body): readonly TaskSettings[] | undefined {
  const given = optionalObjects(body, 'tasks')
  if (given === undefined) return undefined
  if (given.length > MAX_TASKS) throw invalid(`A job can have at most ${MAX_TASKS} tasks.`)
  const tasks = given.map(readTask)
  checkGraph(tasks)
  return tasks
}

function readTask(given: Body): TaskSettings {
  // What is null is not set.
  const task = Object.fromEntries(Object.entries(given).filter(([, value]) => value != null))
  checkTaskFields(task)
  const key = requiredText(task, 'task_key')
  if (!/^[\w-]{1,100}$/.test(key))
    throw invalid(`'${key}' is not a task key: use up to 100 letters, digits, - and _.`)
  const runIf = optionalText(task, 'run_if') ?? 'ALL_SUCCESS'
  if (!RUN_IFS.includes(runIf)) throw invalid(`run_if cannot be '${runIf}'.`)
  const dependsOn = optionalObjects(task, 'depends_on')?.map((each) => readDependency(each))
  return {
    email_notifications: {},
    ...task,
    task_key: key,
    run_if: runIf,
    timeout_seconds: readSeconds(task, 'timeout_seconds'),
    ...(dependsOn && { depends_on: dependsOn.toSorted((a, b) => (a.task_key < b.task_key ? -1 : 1)) }),
  }
}

function readDependency(dependency: Body): TaskDependency {
  const outcome = optionalText(dependency, 'outcome')
  return { task_key: requiredText(dependency, 'task_key'), ...(outcome !== undefined && { outcome }) }
}

function readSeconds(body: Body, name: string): number {
  const seconds = optionalInteger(body, name) ?? 0
  if (seconds < 0 || seconds > MAX_VALUE) throw invalid(`${name} must be between 0 and ${MAX_VALUE}.`)
  return seconds
}

function checkKeys(items: readonly Body[], field: string): readonly string[] {
  const keys = items.map((item) => requiredText(item, field))
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  if (twice !== undefined) throw invalid(`The ${field} '${twice}' is used more than once.`)
  return keys
}

/** The arrays that are merged entry by entry, and what distinguishes their entries. */
const KEYS: Readonly<Record<string, string>> = {
  tasks: 'task_key',
  job_clusters: 'job_cluster_key',
  environments: 'environment_key',
  parameters: 'name',
}

/** Settings with others on top: fields are replaced whole, but arrays keep the entries that are not named. */
export function mergeSettings(settings: Body, changes: Body): Body {
  const merged: Record<string, unknown> = { ...settings, ...changes }
  for (const [field, key] of Object.entries(KEYS)) {
    const [present, wanted] = [settings[field], changes[field]]
    if (Array.isArray(present) && Array.isArray(wanted))
      merged[field] = mergeByKey(present as Body[], wanted as Body[], key)
  }
  return merged
}

/** Settings without the fields of some paths, such as `schedule` or `tasks/load`; what is not there is ignored. */
export function removeFields(settings: Body, paths: readonly unknown[]): Body {
  const result: Record<string, unknown> = { ...settings }
  for (const path of paths) {
    if (typeof path !== 'string') throw invalid('fields_to_remove must be a list of strings.')
    const [field = '', ...rest] = path.split('/')
    const [key, entry] = [KEYS[field], rest.join('/')]
    if (rest.length === 0) delete result[field]
    else if (key === undefined)
      throw invalid(
        `'${path}' cannot be removed: only whole fields and entries of ${Object.keys(KEYS).join(', ')} can.`,
      )
    else result[field] = ((result[field] as Body[] | undefined) ?? []).filter((each) => each[key] !== entry)
  }
  return result
}

function mergeByKey(present: readonly Body[], wanted: readonly Body[], key: string): Body[] {
  const byKey = new Map(present.map((entry) => [entry[key], entry]))
  for (const entry of wanted) byKey.set(entry[key], entry)
  return [...byKey.values()]
}
