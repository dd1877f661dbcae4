import { objectOf, objectsOf, type Sequenced } from 'sim-gateway/adapter'
import type { Body } from '../fields.ts'
import type { TaskSettings } from '../jobs/job.ts'

/** What the fixture says about attempts at tasks. */
export interface TaskOutcomeRule {
  /** The name of the job, or of the submitted run. */
  readonly job?: string
  readonly job_id?: number
  readonly task?: string
  /** Only this attempt of each run, counted from 0. */
  readonly attempt?: number
  /** How many fitting attempts come first. Default: 0. */
  readonly skip?: number
  /** How many attempts it is about. Default: all. */
  readonly times?: number
  readonly result?: 'SUCCESS' | 'FAILED' | 'TIMEDOUT' | 'INTERNAL_ERROR'
  readonly message?: string
  readonly code?: string
  readonly setupMs?: number
  readonly durationMs?: number
  readonly error?: string
  readonly error_trace?: string
  readonly logs?: string
  readonly notebook_output?: Body
  readonly sql_output?: Body
  readonly dbt_output?: Body
}

export const taskOutcomesSchema = objectsOf([], {
  job: { type: 'string' },
  job_id: { type: 'integer' },
  task: { type: 'string' },
  attempt: { type: 'integer', minimum: 0 },
  skip: { type: 'integer', minimum: 0 },
  times: { type: 'integer', minimum: 1 },
  result: { enum: ['SUCCESS', 'FAILED', 'TIMEDOUT', 'INTERNAL_ERROR'] },
  message: { type: 'string' },
  code: { type: 'string' },
  setupMs: { type: 'integer', minimum: 0 },
  durationMs: { type: 'integer', minimum: 0 },
  error: { type: 'string' },
  error_trace: { type: 'string' },
  logs: { type: 'string' },
  notebook_output: objectOf([], { result: { type: 'string' }, truncated: { type: 'boolean' } }),
  sql_output: { type: 'object' },
  dbt_output: { type: 'object' },
})

/** Where a run, or a run of a task, is in its life. */
export type LifeCycle =
  | 'QUEUED'
  | 'BLOCKED'
  | 'PENDING'
  | 'RUNNING'
  | 'WAITING_FOR_RETRY'
  | 'TERMINATING'
  | 'TERMINATED'
  | 'SKIPPED'
  | 'INTERNAL_ERROR'

/** How a run ended. */
export type Result =
  | 'SUCCESS'
  | 'SUCCESS_WITH_FAILURES'
  | 'FAILED'
  | 'TIMEDOUT'
  | 'CANCELED'
  | 'MAXIMUM_CONCURRENT_RUNS_REACHED'
  | 'EXCLUDED'
  | 'DISABLED'
  | 'UPSTREAM_FAILED'
  | 'UPSTREAM_CANCELED'

/** The end of a run: its result, and what the newer `status` calls it. */
export interface Ending {
  readonly life: 'TERMINATED' | 'SKIPPED' | 'INTERNAL_ERROR'
  readonly result: Result
  readonly code: string
  readonly type: 'SUCCESS' | 'CLIENT_ERROR' | 'CLOUD_FAILURE' | 'INTERNAL_ERROR'
  readonly message: string
}

export interface TaskOutcome {
  readonly ending: Ending
  readonly setupMs: number
  readonly durationMs: number
  /** What `get-output` answers of it. */
  readonly output: Body
}

/** Life and end, which runs and runs of tasks have in common. */
export interface Living {
  life: LifeCycle
  ending?: Ending
  start_time: number
  /** 0 while it lasts. */
  end_time: number
  setup_duration: number
  execution_duration: number
  cleanup_duration: number
}

export interface TaskRun extends Living {
  readonly run_id: number
  readonly task_key: string
  readonly attempt_number: number
  /** When it takes its next step on its own. */
  dueAt?: number
  /** When it began to execute. */
  runningSince?: number
  /** What it was drawn to do. */
  outcome?: TaskOutcome
  /** How it is to end when it was cancelled or timed out. */
  forced?: Ending
  /** The cluster that it runs on. */
  cluster_id?: string
  spark_context_id?: string
  /** The run that it waits for. */
  child?: number
  /** `true` or `false` of a condition. */
  condition?: string
}

/** A stretch of a run: the original one, or a repair. */
export interface Stretch {
  readonly type: 'ORIGINAL' | 'REPAIR'
  readonly id?: number
  readonly start_time: number
  end_time: number
  life?: LifeCycle
  ending?: Ending
  readonly task_run_ids: number[]
}

export interface Run extends Living, Sequenced {
  readonly run_id: number
  readonly job_id: number
  readonly run_name: string
  readonly run_type: 'JOB_RUN' | 'SUBMIT_RUN' | 'WORKFLOW_RUN'
  readonly trigger: string
  readonly creator_user_name: string
  /** The tasks to run, as their job declared them when the run was made. */
  readonly tasks: readonly TaskSettings[]
  /** What else the job or the request says, such as `job_clusters`. */
  readonly settings: Body
  parameters: Body
  job_parameters: readonly Body[]
  readonly taskRuns: TaskRun[]
  readonly stretches: Stretch[]
  readonly timeoutSeconds: number
  readonly maxConcurrentRuns: number
  readonly isJobRun: boolean
  /** The run and the task that wait for this one. */
  readonly parent?: { readonly run_id: number; readonly task_run_id: number }
  /** How deep it is nested in runs that wait. */
  readonly depth: number
  /** What the fixture says about its tasks while it plays the run through; the rules say nothing then. */
  declared?: Readonly<Record<string, TaskOutcomeRule>>
  queue_duration: number
  /** The clusters that were made for its tasks to share, by their keys. */
  jobClusters?: Readonly<Record<string, string>>
  /** When it left the queue. */
  begunAt?: number
  timeoutAt?: number
  /** How it is to end, once it was cancelled or timed out. */
  forced?: Ending
  /** The latest moment of its own timeline, which reads may have taken ahead of the clock. */
  at: number
}

const FINAL: ReadonlySet<LifeCycle> = new Set(['TERMINATED', 'SKIPPED', 'INTERNAL_ERROR'])

/** The moves of runs between states that there are; from a final state only a repair leads on. */
export const RUN_MOVES: Readonly<Record<LifeCycle, readonly LifeCycle[]>> = {
  QUEUED: ['PENDING', 'TERMINATING', 'TERMINATED'],
  BLOCKED: ['PENDING', 'SKIPPED', 'TERMINATED'],
  PENDING: ['RUNNING', 'TERMINATING', 'TERMINATED', 'SKIPPED', 'INTERNAL_ERROR'],
  RUNNING: ['TERMINATING', 'TERMINATED', 'INTERNAL_ERROR'],
  WAITING_FOR_RETRY: ['PENDING', 'TERMINATING', 'TERMINATED'],
  TERMINATING: ['TERMINATED'],
  TERMINATED: ['PENDING'],
  SKIPPED: ['PENDING'],
  INTERNAL_ERROR: ['PENDING'],
}

/** Whether a run has ended. */
export function isFinal({ life }: Pick<Living, 'life'>): boolean {
  return FINAL.has(life)
}

/** Takes a run to another state. */
export function moveTo(living: Living, life: LifeCycle): void {
  if (!RUN_MOVES[living.life].includes(life))
    throw new Error(`A run cannot go from ${living.life} to ${life}`)
  living.life = life
}

/** The last attempt at each task. */
export function latestAttempts({ taskRuns }: Pick<Run, 'taskRuns'>): ReadonlyMap<string, TaskRun> {
  return new Map(taskRuns.map((taskRun) => [taskRun.task_key, taskRun]))
}
