import { checkSpecTypes } from '../clusters/cluster-spec.ts'
import { invalid } from '../errors.ts'
import {
  optionalBoolean,
  optionalInteger,
  optionalList,
  optionalObject,
  optionalText,
  requiredInteger,
  type Body,
} from '../fields.ts'

const CONDITIONS = [
  'EQUAL_TO',
  'NOT_EQUAL',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
]

// The service keeps numbers in 32 bits.
const LARGEST = 2 ** 31 - 1

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
  if (pause < 0 || pause > LARGEST)
    throw invalid(`min_retry_interval_millis must be between 0 and ${LARGEST}.`)
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
