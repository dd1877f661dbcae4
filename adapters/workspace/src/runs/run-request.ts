import { invalid, workspaceError } from '../errors.ts'
import type { Body } from '../fields.ts'
import type { Job, TaskSettings } from '../jobs/job.ts'
import { followersOf } from '../jobs/tasks.ts'
import { isFinal, latestAttempts, type Run, type TaskOutcomeRule, type TaskRun } from './run.ts'

export interface RunRequest {
  /** The job; a run of submitted tasks is given one of its own. */
  readonly job_id?: number
  readonly run_id?: number
  readonly run_name: string
  readonly run_type: Run['run_type']
  readonly trigger: string
  readonly creator_user_name: string
  readonly tasks: readonly TaskSettings[]
  readonly settings: Body
  readonly parameters: Body
  readonly job_parameters: readonly Body[]
  readonly timeoutSeconds: number
  readonly maxConcurrentRuns: number
  /** Whether it waits when too many runs are active; otherwise it is skipped. */
  readonly isQueued: boolean
  readonly parent?: Run['parent']
  readonly depth?: number
  readonly declared?: Readonly<Record<string, TaskOutcomeRule>>
  /** When it starts, on the timeline of what starts it. Default: now. */
  readonly at?: number
}

const KEPT = ['job_clusters', 'git_source', 'environments', 'schedule', 'description'] as const

/** The settings that runs show too. */
export function keptSettings(settings: Body): Body {
  return Object.fromEntries(KEPT.flatMap((name) => (settings[name] == null ? [] : [[name, settings[name]]])))
}

/** The request for a run of a job with nothing overridden. */
export function requestOfJob({ job_id, creator_user_name, settings }: Job): RunRequest {
  const queue = settings['queue'] as { readonly enabled?: boolean } | undefined
  return {
    job_id,
    run_name: settings.name,
    run_type: 'JOB_RUN',
    trigger: 'ONE_TIME',
    creator_user_name,
    tasks: settings.tasks ?? [],
    settings: keptSettings(settings),
    parameters: {},
    job_parameters: parametersOf(settings, {}),
    timeoutSeconds: settings.timeout_seconds,
    maxConcurrentRuns: settings.max_concurrent_runs,
    isQueued: queue?.enabled ?? false,
  }
}

/** The job parameters of a run: those of the job, and the values that a request gives them. */
export function parametersOf(settings: Body, given: Body): readonly Body[] {
  const defined = (settings['parameters'] as readonly { name: string; default: string }[] | undefined) ?? []
  const names = new Set(defined.map(({ name }) => name))
  const others = Object.entries(given).filter(([name]) => !names.has(name))
  return [
    ...defined.map(({ name, default: usual }) => ({ name, default: usual, value: given[name] ?? usual })),
    ...others.map(([name, value]) => ({ name, value })),
  ]
}

/** Which tasks are to be run once more. */
export interface RepairRequest {
  readonly rerunTasks?: readonly string[]
  readonly isAllFailed?: boolean
  readonly hasDependents?: boolean
  readonly latestRepairId?: number
}

const FINE = new Set(['SUCCESS', 'SUCCESS_WITH_FAILURES', 'EXCLUDED', 'DISABLED'])

/** Begins a repair of a run: the keys of the tasks that it runs again. */
export function repairStretch(
  run: Run,
  request: RepairRequest,
  { id, at }: { readonly id: number; readonly at: number },
): ReadonlySet<string> {
  if (!isFinal(run))
    throw workspaceError('INVALID_STATE', `Run ${run.run_id} is active and cannot be repaired.`)
  checkLatest(run, request)
  const keys = keysOf(run, request)
  if (keys.size === 0) throw invalid(`Run ${run.run_id} has no tasks to be run again.`)
  run.stretches.push({ type: 'REPAIR', id, start_time: at, end_time: 0, task_run_ids: [] })
  return keys
}

function checkLatest(run: Run, { latestRepairId }: RepairRequest): void {
  const latest = run.stretches.findLast(({ type }) => type === 'REPAIR')?.id
  if (latest === undefined && latestRepairId === undefined) return
  if (latest !== undefined && latestRepairId === undefined)
    throw invalid(`latest_repair_id is required: run ${run.run_id} was repaired before.`)
  if (latest !== latestRepairId)
    throw invalid(`latest_repair_id ${latestRepairId} is not the latest repair of run ${run.run_id}.`)
}

function keysOf(
  run: Run,
  { rerunTasks, isAllFailed = false, hasDependents = false }: RepairRequest,
): Set<string> {
  const latest = latestAttempts(run)
  if ((rerunTasks !== undefined) === isAllFailed)
    throw invalid('Exactly one of rerun_tasks and rerun_all_failed_tasks must be set.')
  const isFailed = (taskRun: TaskRun): boolean => !FINE.has(taskRun.ending?.result ?? '')
  const keys = new Set(rerunTasks ?? [...latest.values()].filter(isFailed).map(({ task_key }) => task_key))
  for (const key of keys)
    if (!latest.has(key)) throw invalid(`Task '${key}' is not part of run ${run.run_id}.`)
  if (!hasDependents) return keys
  const followers = followersOf(run.tasks)
  // A set yields what is added while it is walked.
  for (const key of keys)
    for (const follower of followers.get(key) ?? []) if (latest.has(follower)) keys.add(follower)
  return keys
}
