import { checkSpecTypes } from '../clusters/cluster-spec.ts'
import { invalid } from '../errors.ts'
import {
  type Body,
  optionalBoolean,
  optionalInteger,
  optionalList,
  optionalObject,
  optionalText,
  requiredInteger,
} from '../fields.ts'
import type { TaskSettings } from './job.ts'

const CONDITIONS = 'EQUAL_TO NOT_EQUAL GREATER_THAN GREATER_THAN_OR_EQUAL LESS_THAN LESS_THAN_OR_EQUAL'.split(
  ' ',
)

// The service keeps numbers in 32 bits.
const MAX_VALUE = 2 ** 31 - 1

/** Checks the fields of a task that decide how it runs; others are kept as they are. */
export function checkTaskFields(task: Body): void {
  for (const name of ['existing_cluster_id', 'job_cluster_key', 'description', 'environment_key'])
    optionalText(task, name)
  for (const name of ['retry_on_timeout', 'disabled']) optionalBoolean(task, name)
  for (const name of Object.keys(task)) if (name.endsWith('_task')) optionalObject(task, name)
  optionalList(task, 'libraries')
  optionalText(optionalObject(task, 'notebook_task') ?? {}, 'notebook_path')
  checkSpecTypes(optionalObject(task, 'new_cluster') ?? {})
  checkRetries(task)
  checkCondition(optionalObject(task, 'condition_task'))
  checkLoop(optionalObject(task, 'for_each_task'))
  checkRunJob(optionalObject(task, 'run_job_task'))
}

function checkRetries(task: Body): void {
  if ((optionalInteger(task, 'max_retries') ?? 0) < -1) throw invalid('max_retries must be -1 or more.')
  const pause = optionalInteger(task, 'min_retry_interval_millis') ?? 0
  if (pause < 0 || pause > MAX_VALUE)
    throw invalid(`min_retry_interval_millis must be between 0 and ${MAX_VALUE}.`)
}

function checkCondition(condition: Body | undefined): void {
  if (condition === undefined) return
  for (const name of ['left', 'right']) optionalText(condition, name)
  const op = optionalText(condition, 'op') ?? ''
  if (!CONDITIONS.includes(op)) throw invalid(`condition_task.op cannot be '${op}'.`)
}

function checkLoop(loop: Body | undefined): void {
  if (loop === undefined) return
  optionalText(loop, 'inputs')
  optionalObject(loop, 'task')
  if ((optionalInteger(loop, 'concurrency') ?? 1) < 1)
    throw invalid('for_each_task.concurrency must be 1 or more.')
}

function checkRunJob(runJob: Body | undefined): void {
  if (runJob === undefined) return
  requiredInteger(runJob, 'job_id')
  optionalObject(runJob, 'job_parameters')
}

type Node = Pick<TaskSettings, 'task_key' | 'depends_on'>

/** Checks that task keys are unique, that dependencies exist, and that none leads back to itself. */
export function checkGraph(tasks: readonly Node[]): void {
  const byKey = new Map<string, Node>()
  for (const task of tasks) {
    if (byKey.has(task.task_key)) throw invalid(`The task key '${task.task_key}' is used more than once.`)
    byKey.set(task.task_key, task)
  }
  for (const { task_key, depends_on = [] } of tasks)
    for (const { task_key: wanted } of depends_on)
      if (!byKey.has(wanted))
        throw invalid(`Task '${task_key}' depends on '${wanted}', which does not exist.`)
  checkOrder(tasks)
}

/** Takes away tasks that wait for no other, again and again: what is left waits in a circle. */
function checkOrder(tasks: readonly Node[]): void {
  const waiting = new Map(tasks.map(({ task_key, depends_on = [] }) => [task_key, depends_on.length]))
  const followers = followersOf(tasks)
  const free = tasks.filter(({ depends_on = [] }) => depends_on.length === 0).map(({ task_key }) => task_key)
  for (let key = free.pop(); key !== undefined; key = free.pop()) {
    waiting.delete(key)
    for (const follower of followers.get(key) ?? []) {
      const left = (waiting.get(follower) ?? 0) - 1
      waiting.set(follower, left)
      if (left === 0) free.push(follower)
    }
  }
  if (waiting.size > 0)
    throw invalid(`The tasks ${[...waiting.keys()].join(', ')} depend on each other in a circle.`)
}

/** The keys of the tasks that depend on each task. */
export function followersOf(tasks: readonly Node[]): ReadonlyMap<string, readonly string[]> {
  const followers = new Map<string, string[]>()
  for (const { task_key, depends_on = [] } of tasks)
    for (const { task_key: wanted } of depends_on) {
      const present = followers.get(wanted)
      if (present) present.push(task_key)
      else followers.set(wanted, [task_key])
    }
  return followers
}
