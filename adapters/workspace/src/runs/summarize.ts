import { followersOf } from '../jobs/task-graph.ts'
import { CANCELED, SUCCEEDED, TIMED_OUT, WORKLOAD_FAILED } from './endings.ts'
import { latestAttempts, type Ending, type Run, type TaskRun } from './run.ts'
import { dependencyState } from './run-if.ts'

const COMPUTE = ['existing_cluster_id', 'new_cluster', 'job_cluster_key']
const SERVERLESS_KINDS = ['notebook_task', 'spark_python_task', 'python_wheel_task', 'dbt_task']

/** The end of a run whose tasks have all ended: what its last tasks came to. */
export function endingOfRun(run: Run): Ending {
  if (run.forced) return run.forced
  const latest = latestAttempts(run)
  const followers = followersOf(run.tasks)
  const all = [...latest.values()]
  const leaves = all.filter(({ task_key }) => !followers.has(task_key))
  const culprit = all.find(isFailure)
  if (culprit && leaves.some((leaf) => dependencyState(leaf.ending?.result) === 'failed'))
    return failureOf(run, culprit, all)
  if (leaves.some((leaf) => dependencyState(leaf.ending?.result) === 'canceled')) return CANCELED
  if (culprit === undefined) return SUCCEEDED
  return {
    life: 'TERMINATED',
    result: 'SUCCESS_WITH_FAILURES',
    code: 'SUCCESS_WITH_FAILURES',
    type: 'SUCCESS',
    message: `Task ${culprit.task_key} failed, but the last tasks of the run succeeded.`,
  }
}

function isFailure({ ending }: TaskRun): boolean {
  return ending?.result === 'FAILED' || ending?.result === 'TIMEDOUT'
}

function failureOf(run: Run, culprit: TaskRun, all: readonly TaskRun[]): Ending {
  const {
    code = '',
    type = 'CLIENT_ERROR',
    message = WORKLOAD_FAILED,
    life = 'TERMINATED',
  } = culprit.ending ?? {}
  if (culprit.ending?.result === 'TIMEDOUT' && all.length === 1) return TIMED_OUT
  const hasSkipped = all.some(({ ending }) => ending?.result === 'UPSTREAM_FAILED')
  return {
    life: life === 'INTERNAL_ERROR' || isServerless(run, culprit) ? 'INTERNAL_ERROR' : 'TERMINATED',
    result: 'FAILED',
    code,
    type,
    message: `Task ${culprit.task_key} failed with message: ${message}${
      hasSkipped ? ' This caused all downstream tasks to get skipped.' : ''
    }`,
  }
}

/** Whether a task runs on no cluster of its own; the service reports failures of those in another way. */
function isServerless(run: Run, { task_key }: TaskRun): boolean {
  const task = run.tasks.find((each) => each.task_key === task_key) ?? {}
  return (
    !COMPUTE.some((field) => (task as Record<string, unknown>)[field] !== undefined) &&
    SERVERLESS_KINDS.some((kind) => (task as Record<string, unknown>)[kind] !== undefined)
  )
}
