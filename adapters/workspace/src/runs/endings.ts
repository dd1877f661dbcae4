import type { Ending } from './run.ts'

/** The message of a task whose code failed. */
export const WORKLOAD_FAILED = 'Workload failed, see run output for details.'

/** A success. */
export const SUCCEEDED: Ending = {
  life: 'TERMINATED',
  result: 'SUCCESS',
  code: 'SUCCESS',
  type: 'SUCCESS',
  message: '',
}

/** The code of a task failed. */
export function failed(message: string = WORKLOAD_FAILED, code = 'RUN_EXECUTION_ERROR'): Ending {
  return { life: 'TERMINATED', result: 'FAILED', code, type: 'CLIENT_ERROR', message }
}

/** Something around a task failed, such as its cluster. */
export function broken(code: string, message: string): Ending {
  return { life: 'INTERNAL_ERROR', result: 'FAILED', code, type: 'CLIENT_ERROR', message }
}

/** A user cancelled it. */
export const CANCELED: Ending = {
  life: 'TERMINATED',
  result: 'CANCELED',
  code: 'USER_CANCELED',
  type: 'SUCCESS',
  message: 'Run cancelled.',
}

/** It took longer than it may. */
export const TIMED_OUT: Ending = {
  life: 'TERMINATED',
  result: 'TIMEDOUT',
  code: 'CANCELED',
  type: 'CLIENT_ERROR',
  message: 'Run timed out.',
}

/** Too many runs of the job were active. */
export const TOO_MANY: Ending = {
  life: 'SKIPPED',
  result: 'MAXIMUM_CONCURRENT_RUNS_REACHED',
  code: 'MAX_CONCURRENT_RUNS_EXCEEDED',
  type: 'CLIENT_ERROR',
  message: 'Run was skipped because the maximum number of concurrent runs has been reached.',
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
  return {
    life: 'SKIPPED',
    result,
    code,
    type: isFine ? 'SUCCESS' : 'CLIENT_ERROR',
    message: messages[result],
  }
}
