import { invalid, workspaceError } from '../errors.ts'
import { followersOf } from '../jobs/task-graph.ts'
import { isFinal, latestAttempts, type Run, type TaskRun } from './run.ts'

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
