import type { TaskSettings } from '../jobs/job.ts'
import {
  CANCELED,
  dependencyState,
  type DependencyState,
  endingOfRun,
  skipped,
  skipReason,
  TIMED_OUT,
} from './endings.ts'
import { type Ending, isFinal, latestAttempts, moveTo, type Run, type TaskRun } from './run.ts'
import type { TaskMachine } from './task-machine.ts'

/** What a run needs of those around it. */
export interface RunHost {
  /** The run takes its next step at a moment, or none on its own. */
  plan(run: Run, at: number | undefined): void
  finished(run: Run): void
}

const CANCEL_MS = 2000

/** The life of runs: which tasks may run, and when all is over. */
export class RunMachine {
  readonly #tasks: TaskMachine
  readonly #host: RunHost

  constructor(tasks: TaskMachine, host: RunHost) {
    this.#tasks = tasks
    this.#host = host
  }

  /** The run leaves the queue, or starts at once, or again. */
  begin(run: Run, at: number): void {
    if (run.life !== 'PENDING') moveTo(run, 'PENDING')
    run.begunAt ??= at
    run.queue_duration = run.begunAt - run.start_time
    if (run.timeoutSeconds > 0) run.timeoutAt = at + run.timeoutSeconds * 1000
    this.#settle(run, at)
  }

  /** The run takes the step that is due. */
  step(run: Run, at: number): void {
    for (const taskRun of [...run.taskRuns])
      if (taskRun.dueAt !== undefined && taskRun.dueAt <= at) this.#tasks.step(run, taskRun, at)
    if (run.timeoutAt !== undefined && run.timeoutAt <= at && !isFinal(run) && !run.forced)
      this.end(run, at, TIMED_OUT)
    else this.#settle(run, at)
  }

  /** The task that waited for another run goes on. */
  childEnded(run: Run, taskRunId: number, ending: Ending, at: number): void {
    // Reads may have taken the other run past what is due here, such as a time-out.
    for (let due = nextStep(run); due !== undefined && due < at && !isFinal(run); due = nextStep(run))
      this.step(run, due)
    const taskRun = run.taskRuns.find(({ run_id }) => run_id === taskRunId)
    if (!taskRun || isFinal(taskRun) || taskRun.forced) return
    this.#tasks.finish(run, taskRun, ending, Math.max(at, taskRun.start_time))
    this.#settle(run, Math.max(at, run.at))
  }

  /** Ends a run before its time; one that has ended stays as it is. */
  end(run: Run, at: number, ending: Ending = CANCELED): void {
    if (isFinal(run) || run.forced) return
    run.forced = ending
    delete run.timeoutAt
    for (const taskRun of latestAttempts(run).values()) this.#tasks.stop(taskRun, ending, at, CANCEL_MS)
    moveTo(run, 'TERMINATING')
    run.at = Math.max(run.at, at)
    const last = Math.max(at + CANCEL_MS, ...run.taskRuns.map(({ dueAt }) => dueAt ?? 0))
    this.#host.plan(run, last)
  }

  /** Ends one task before its time. */
  endTask(run: Run, taskRun: TaskRun, at: number): void {
    if (isFinal(taskRun) || taskRun.forced) return
    this.#tasks.stop(taskRun, CANCELED, at, CANCEL_MS)
    this.#settle(run, at)
  }

  /** Starts what may start, ends the run if nothing is left, and plans the next step. */
  #settle(run: Run, at: number): void {
    // A run that was waited for may have ended on the spot, and this one with it.
    if (isFinal(run)) return
    run.at = Math.max(run.at, at)
    if (!run.forced) this.#release(run, at)
    const latest = [...latestAttempts(run).values()]
    if (run.life === 'PENDING' && latest.some(({ runningSince }) => runningSince !== undefined))
      moveTo(run, 'RUNNING')
    if (latest.every(isFinal)) this.#finish(run, at)
    else this.#host.plan(run, nextStep(run))
  }

  /** Releases tasks whose dependencies have ended, until no more can be. */
  #release(run: Run, at: number): void {
    let latest = latestAttempts(run)
    const blocked = run.tasks.filter(({ task_key }) => latest.get(task_key)?.life === 'BLOCKED')
    for (let hasMoved = true; hasMoved;) {
      hasMoved = false
      for (const task of blocked) {
        const taskRun = latest.get(task.task_key)
        if (taskRun?.life !== 'BLOCKED') continue
        const states = dependencyStates(task, latest)
        if (states === undefined) continue
        const attempts = run.taskRuns.length
        const reason = task['disabled'] === true ? skipped('DISABLED') : skipReason(task.run_if, states)
        if (reason) this.#tasks.skip(taskRun, reason, at)
        else this.#tasks.begin(run, task, taskRun, at)
        // A task that failed on the spot may be tried again, and others wait for that.
        if (run.taskRuns.length > attempts) latest = latestAttempts(run)
        hasMoved = true
      }
    }
  }

  #finish(run: Run, at: number): void {
    const ending = endingOfRun(run)
    moveTo(run, ending.life)
    run.ending = ending
    run.end_time = at
    delete run.timeoutAt
    const latest = [...latestAttempts(run).values()]
    const [only] = latest
    if (latest.length === 1 && only) {
      run.setup_duration = only.setup_duration
      run.execution_duration = only.execution_duration
      run.cleanup_duration = only.cleanup_duration
    }
    this.#host.plan(run, undefined)
    this.#host.finished(run)
  }
}

function nextStep(run: Run): number | undefined {
  let next = run.timeoutAt
  for (const { dueAt } of run.taskRuns)
    if (dueAt !== undefined && (next === undefined || dueAt < next)) next = dueAt
  return next
}

/** What became of the tasks that a task depends on; `undefined` while one of them goes on. */
function dependencyStates(
  task: TaskSettings,
  latest: ReadonlyMap<string, TaskRun>,
): readonly DependencyState[] | undefined {
  const states: DependencyState[] = []
  for (const { task_key, outcome } of task.depends_on ?? []) {
    const taskRun = latest.get(task_key)
    // Only the tasks that were requested are part of a run.
    if (taskRun === undefined) continue
    if (!isFinal(taskRun)) return undefined
    const { ending, condition } = taskRun
    const isOther = outcome !== undefined && condition !== undefined && outcome !== condition
    states.push(isOther ? 'other-outcome' : dependencyState(ending?.result))
  }
  return states
}
