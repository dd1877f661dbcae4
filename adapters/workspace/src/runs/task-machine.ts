import type { Body } from '../fields.ts'
import type { TaskSettings } from '../jobs/job.ts'
import { broken, failed, SUCCEEDED, TIMED_OUT } from './endings.ts'
import { type Ending, isFinal, moveTo, type Run, type TaskOutcome, type TaskRun } from './run.ts'

/** The outcome of a condition task: `true` or `false`. References to job parameters are replaced by their values. */
export function conditionOutcome(run: Run, task: Body): string {
  const { left, op, right } = task['condition_task'] as { left?: string; op?: string; right?: string }
  const [a, b] = [resolve(run, left), resolve(run, right)]
  return String(compare(op ?? 'EQUAL_TO', a, b))
}

function resolve(run: Run, value = ''): string {
  return value.replaceAll(/\{\{\s*job\.parameters\.([\w.-]+)\s*\}\}/g, (whole, name: string) => {
    const parameter = run.job_parameters.find((each) => each['name'] === name)
    return parameter ? ((parameter['value'] ?? parameter['default'] ?? '') as string) : whole
  })
}

function compare(op: string, left: string, right: string): boolean {
  if (op === 'EQUAL_TO') return left === right
  if (op === 'NOT_EQUAL') return left !== right
  const [a, b] = [Number(left), Number(right)]
  if (op === 'GREATER_THAN') return a > b
  if (op === 'GREATER_THAN_OR_EQUAL') return a >= b
  if (op === 'LESS_THAN') return a < b
  return a <= b
}

/** What tasks need of those around them. */
export interface TaskHost {
  newTaskRunId(): number
  draw(run: Run, task: TaskSettings, attempt: number): TaskOutcome
  /** Starts the run that a task waits for: its id, or why it cannot be started. */
  startChild(run: Run, task: TaskSettings, taskRun: TaskRun, at: number): number | Ending
  /** Takes the cluster of a task into use: when it will be up, or why there is none. */
  useCluster(run: Run, task: TaskSettings, taskRun: TaskRun, at: number): number | Ending
  /** Whether the cluster of a task, if it has one, is up, as it must be from beginning to end. */
  isClusterUp(taskRun: TaskRun, until: number): boolean
  /** The task has ended, and with it the cluster that was made for it. */
  releaseCluster(run: Run, taskRun: TaskRun, at: number): void
  added(run: Run, taskRun: TaskRun): void
}

/** How often a task is tried that may be tried without end. */
export const MAX_ATTEMPTS = 100

/** The life of attempts at tasks. */
export class TaskMachine {
  readonly #host: TaskHost

  constructor(host: TaskHost) {
    this.#host = host
  }

  /** A new attempt at a task, which waits for its dependencies. */
  add(run: Run, task: TaskSettings, attempt: number): TaskRun {
    const taskRun: TaskRun = {
      run_id: this.#host.newTaskRunId(),
      task_key: task.task_key,
      attempt_number: attempt,
      life: 'BLOCKED',
      start_time: 0,
      end_time: 0,
      setup_duration: 0,
      execution_duration: 0,
      cleanup_duration: 0,
    }
    run.taskRuns.push(taskRun)
    run.stretches.at(-1)?.task_run_ids.push(taskRun.run_id)
    this.#host.added(run, taskRun)
    return taskRun
  }

  /** The attempt is set up. */
  begin(run: Run, task: TaskSettings, taskRun: TaskRun, at: number): void {
    moveTo(taskRun, 'PENDING')
    taskRun.start_time = at
    const outcome = this.#host.draw(run, task, taskRun.attempt_number)
    taskRun.outcome = outcome
    const isUpAt = this.#host.useCluster(run, task, taskRun, at)
    if (typeof isUpAt === 'object') {
      this.finish(run, taskRun, isUpAt, at)
      return
    }
    taskRun.dueAt = Math.max(at + (isInstant(task) ? 0 : outcome.setupMs), isUpAt)
  }

  /** The attempt takes the step that is due. */
  step(run: Run, taskRun: TaskRun, at: number): void {
    const task = run.tasks.find(({ task_key }) => task_key === taskRun.task_key)
    delete taskRun.dueAt
    if (task === undefined) return
    if (taskRun.life === 'PENDING') this.#execute(run, task, taskRun, at)
    else if (taskRun.life === 'WAITING_FOR_RETRY') this.begin(run, task, taskRun, at)
    else this.finish(run, taskRun, taskRun.forced ?? this.#endingOf(taskRun, at), at)
  }

  /** The attempt ends, and another may follow. */
  finish(run: Run, taskRun: TaskRun, ending: Ending, at: number): void {
    delete taskRun.dueAt
    const { runningSince } = taskRun
    if (runningSince !== undefined) taskRun.execution_duration = at - runningSince
    moveTo(taskRun, ending.life)
    taskRun.ending = ending
    taskRun.end_time = at
    this.#host.releaseCluster(run, taskRun, at)
    const task = run.tasks.find(({ task_key }) => task_key === taskRun.task_key)
    if (task && !run.forced && !taskRun.forced && mayRetry(run, task, ending))
      this.#retry(run, task, taskRun, at)
  }

  /** The attempt comes to an end without running. */
  skip(taskRun: TaskRun, ending: Ending, at: number): void {
    moveTo(taskRun, 'SKIPPED')
    taskRun.ending = ending
    taskRun.start_time = at
    taskRun.end_time = at
  }

  /** The attempt is ended before its time. */
  stop(taskRun: TaskRun, ending: Ending, at: number, afterMs: number): void {
    if (isFinal(taskRun) || taskRun.life === 'TERMINATING') return
    taskRun.forced = ending
    if (taskRun.life === 'BLOCKED') {
      moveTo(taskRun, 'TERMINATED')
      taskRun.ending = ending
      taskRun.start_time = at
      taskRun.end_time = at
      return
    }
    moveTo(taskRun, 'TERMINATING')
    taskRun.dueAt = Math.max(at, taskRun.start_time) + afterMs
  }

  #execute(run: Run, task: TaskSettings, taskRun: TaskRun, at: number): void {
    taskRun.setup_duration = at - taskRun.start_time
    if (!this.#host.isClusterUp(taskRun, at)) {
      const message = `Cluster ${taskRun.cluster_id} was terminated during setup.`
      this.finish(run, taskRun, broken('CLUSTER_ERROR', message), at)
      return
    }
    moveTo(taskRun, 'RUNNING')
    taskRun.runningSince = at
    if (task['condition_task'] !== undefined) taskRun.condition = conditionOutcome(run, task)
    if (task['run_job_task'] === undefined) this.#planEnd(task, taskRun, at)
    else this.#waitForChild(run, task, taskRun, at)
  }

  #planEnd(task: TaskSettings, taskRun: TaskRun, at: number): void {
    const duration = isInstant(task) ? 0 : (taskRun.outcome?.durationMs ?? 0) * roundsOf(task)
    const limit = task.timeout_seconds * 1000
    const isTooLong = limit > 0 && duration > limit
    if (isTooLong && taskRun.outcome) taskRun.outcome = { ...taskRun.outcome, ending: TIMED_OUT }
    taskRun.dueAt = at + (isTooLong ? limit : duration)
    this.#host.isClusterUp(taskRun, taskRun.dueAt)
  }

  #waitForChild(run: Run, task: TaskSettings, taskRun: TaskRun, at: number): void {
    const child = this.#host.startChild(run, task, taskRun, at)
    if (typeof child === 'number') taskRun.child = child
    else this.finish(run, taskRun, child, at)
  }

  #endingOf(taskRun: TaskRun, at: number): Ending {
    if (this.#host.isClusterUp(taskRun, at)) return taskRun.outcome?.ending ?? SUCCEEDED
    return broken('CLUSTER_ERROR', `Cluster ${taskRun.cluster_id} was terminated during the run.`)
  }

  #retry(run: Run, task: TaskSettings, taskRun: TaskRun, at: number): void {
    const next = this.add(run, task, taskRun.attempt_number + 1)
    const pause = Number(task['min_retry_interval_millis'] ?? 0)
    next.life = 'WAITING_FOR_RETRY'
    next.start_time = at
    next.dueAt = at + pause
    if (pause === 0) this.begin(run, task, next, at)
  }
}

/** How a task that waited for a run ends by it. */
export function endingByChild(child: Pick<Run, 'run_id' | 'ending'>): Ending {
  const result = child.ending?.result
  if (result === 'SUCCESS' || result === 'SUCCESS_WITH_FAILURES') return SUCCEEDED
  return failed(`Run ${child.run_id} ended as ${result}: ${child.ending?.message ?? ''}`)
}

function isInstant(task: TaskSettings): boolean {
  return task['condition_task'] !== undefined
}

/** How many times in a row a task that runs for each of its inputs does so. */
function roundsOf(task: TaskSettings): number {
  const loop = task['for_each_task'] as { inputs?: string; concurrency?: number } | undefined
  return loop ? Math.max(1, Math.ceil(inputsOf(loop.inputs).length / Math.max(1, loop.concurrency ?? 1))) : 1
}

/** The inputs of a loop; none for a text that is not a JSON array. */
export function inputsOf(inputs: string | undefined): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(inputs ?? '[]')
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

function mayRetry(run: Run, task: TaskSettings, { result }: Ending): boolean {
  const most = Number(task['max_retries'] ?? 0)
  const isWorth = result === 'FAILED' || (result === 'TIMEDOUT' && task['retry_on_timeout'] === true)
  return isWorth && retriesOf(run, task) < (most < 0 ? MAX_ATTEMPTS - 1 : most)
}

/** How often a task was tried again in this stretch of a run; a repair begins to count anew. */
function retriesOf({ taskRuns, stretches }: Run, { task_key }: TaskSettings): number {
  const ids = stretches.at(-1)?.task_run_ids ?? []
  return (
    taskRuns.filter((taskRun) => taskRun.task_key === task_key && ids.includes(taskRun.run_id)).length - 1
  )
}
