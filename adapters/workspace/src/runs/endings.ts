import { followersOf } from '../jobs/tasks.ts'
import { type Ending, latestAttempts, type Result, type Run, type TaskRun } from './run.ts'

/** The message of a task whose code failed. */
export const WORKLOAD_FAILED = 'Workload failed, see run output for details.'

export const SUCCEEDED: Ending = endingOf('SUCCESS', 'SUCCESS', 'SUCCESS', '')

export function failed(message: string = WORKLOAD_FAILED, code = 'RUN_EXECUTION_ERROR'): Ending {
  return endingOf('FAILED', code, 'CLIENT_ERROR', message)
}

/** Something around a task failed, such as its cluster. */
export function broken(code: string, message: string): Ending {
  return { ...failed(message, code), life: 'INTERNAL_ERROR' }
}

export const CANCELED: Ending = endingOf('CANCELED', 'USER_CANCELED', 'SUCCESS', 'Run cancelled.')

/** It took longer than it may. */
export const TIMED_OUT: Ending = endingOf('TIMEDOUT', 'CANCELED', 'CLIENT_ERROR', 'Run timed out.')

/** Too many runs of the job were active. */
export const TOO_MANY: Ending = {
  ...endingOf(
    'MAXIMUM_CONCURRENT_RUNS_REACHED',
    'MAX_CONCURRENT_RUNS_EXCEEDED',
    'CLIENT_ERROR',
    'Run was skipped because the maximum number of concurrent runs has been reached.',
  ),
  life: 'SKIPPED',
}

function endingOf(result: Ending['result'], code: string, type: Ending['type'], message: string): Ending {
  return { life: 'TERMINATED', result, code, type, message }
}

/** A task that was not run because of those that it depends on. */
export function skipped(result: 'EXCLUDED' | 'DISABLED' | 'UPSTREAM_FAILED' | 'UPSTREAM_CANCELED'): Ending {
  const isFine = result === 'EXCLUDED' || result === 'DISABLED'
  const messages = {
    EXCLUDED: 'The conditions of this task were not met.',
    DISABLED: 'This task is disabled.',
    UPSTREAM_FAILED: 'An upstream task failed.',
    UPSTREAM_CANCELED: 'An upstream task was canceled.',
  }
  const code = result === 'DISABLED' ? 'DISABLED' : 'SKIPPED'
  return { ...endingOf(result, code, isFine ? 'SUCCESS' : 'CLIENT_ERROR', messages[result]), life: 'SKIPPED' }
}

/** What became of a dependency, as conditions see it. */
export type DependencyState = 'succeeded' | 'failed' | 'canceled' | 'excluded' | 'other-outcome'

const STATES: Readonly<Partial<Record<Result, DependencyState>>> = {
  SUCCESS: 'succeeded',
  SUCCESS_WITH_FAILURES: 'succeeded',
  CANCELED: 'canceled',
  UPSTREAM_CANCELED: 'canceled',
  EXCLUDED: 'excluded',
  DISABLED: 'excluded',
}

/** How conditions see a result. */
export function dependencyState(result: Result | undefined): DependencyState {
  return (result && STATES[result]) ?? 'failed'
}

/**
 * Whether a task may run once all of its dependencies have ended: `undefined` if so, or the end it comes to without
 * running. Excluded dependencies count as successes, but a task with none but those is excluded itself.
 */
export function skipReason(runIf: string, dependencies: readonly DependencyState[]): Ending | undefined {
  if (dependencies.length === 0) return undefined
  if (dependencies.every((each) => each === 'excluded' || each === 'other-outcome'))
    return skipped('EXCLUDED')
  const has = (state: DependencyState): boolean => dependencies.includes(state)
  const hasFailure = has('failed') || has('canceled')
  const upstream = skipped(has('failed') ? 'UPSTREAM_FAILED' : 'UPSTREAM_CANCELED')
  switch (runIf) {
    case 'ALL_DONE':
      return undefined
    case 'NONE_FAILED':
      return hasFailure ? upstream : undefined
    case 'AT_LEAST_ONE_SUCCESS':
      return has('succeeded') ? undefined : upstream
    case 'ALL_FAILED':
      return dependencies.every((each) => each === 'failed' || each === 'canceled')
        ? undefined
        : skipped('EXCLUDED')
    case 'AT_LEAST_ONE_FAILED':
      return hasFailure ? undefined : skipped('EXCLUDED')
    default:
      if (hasFailure) return upstream
      return has('other-outcome') ? skipped('EXCLUDED') : undefined
  }
}

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
