import { invalid } from '../errors.ts'
import {
  type Body,
  bodyOf,
  optionalBoolean,
  optionalInteger,
  optionalList,
  requiredInteger,
} from '../fields.ts'
import type { WorkspaceContext, WorkspaceOperation } from '../operation.ts'
import { runReads } from './read-operations.ts'
import type { Run } from './run.ts'
import { objectOf, permittedRun, runOperation } from './slice.ts'
import { checkedParameters, readParameters, runStarts } from './start-operations.ts'

const SDK = 'test/runs/sdk.test.ts'
const GOLDEN = 'test/runs/golden.test.ts > keeps the contract of every operation on runs'

/** The operations that end runs, run them again and forget them. */
export const runControls: readonly WorkspaceOperation[] = [
  runOperation('cancelRun', 'POST /runs/cancel', {
    supports: ['run_id'],
    sideEffects: ['ends a run, or one task of it'],
    tests: [GOLDEN, `${SDK} > cancels a run and waits for its end`],
    handle(context) {
      const id = requiredInteger(bodyOf(context), 'run_id')
      const run = permittedRun(context, id, 'CAN_MANAGE_RUN')
      context.state.runs.cancel(run, context.state.runs.taskRun(run, id))
      return {}
    },
  }),
  runOperation('cancelAllRuns', 'POST /runs/cancel-all', {
    supports: ['job_id', 'all_queued_runs'],
    sideEffects: ['ends the active runs of a job, or all queued ones'],
    tests: [GOLDEN, `${SDK} > cancels all runs of a job`],
    handle(context) {
      for (const run of runsToCancel(context, bodyOf(context))) context.state.runs.cancel(run)
      return {}
    },
  }),
  runOperation('deleteRun', 'POST /runs/delete', {
    supports: ['run_id'],
    sideEffects: ['forgets a run that has ended'],
    tests: [GOLDEN, `${SDK} > deletes a run`],
    handle(context) {
      const { runs, permissions } = context.state
      const run = permittedRun(context, requiredInteger(bodyOf(context), 'run_id'), 'CAN_MANAGE')
      runs.remove(run)
      if (!run.isJobRun) permissions.forget(objectOf(run))
      return {}
    },
  }),
  runOperation('repairRun', 'POST /runs/repair', {
    supports:
      'run_id rerun_tasks rerun_all_failed_tasks rerun_dependent_tasks latest_repair_id job_parameters'.split(
        ' ',
      ),
    sideEffects: ['runs tasks of an ended run once more'],
    tests: [GOLDEN, `${SDK} > repairs a run whose task failed`],
    handle: (context) => ({ repair_id: repair(context) }),
  }),
]

function runsToCancel(context: WorkspaceContext, body: Body): readonly Run[] {
  const { runs, jobs, permissions } = context.state
  const isQueued = optionalBoolean(body, 'all_queued_runs') ?? false
  const jobId = optionalInteger(body, 'job_id')
  if (jobId === undefined) {
    if (!isQueued) throw invalid('Missing required field: job_id')
    return [...runs.index.open].filter(
      (run) => run.life === 'QUEUED' && permissions.allows(context, objectOf(run), 'CAN_MANAGE_RUN'),
    )
  }
  const { queued, active } = runs.index.ofJob(jobs.get(jobId).job_id)
  permissions.require(context, objectOf({ job_id: jobId }), 'CAN_MANAGE_RUN')
  return isQueued ? [...queued] : [...queued, ...active]
}

function repair(context: WorkspaceContext): number {
  const body = bodyOf(context)
  const run = permittedRun(context, requiredInteger(body, 'run_id'), 'CAN_MANAGE_RUN')
  const rerunTasks = optionalList(body, 'rerun_tasks') as readonly string[] | undefined
  const latestRepairId = optionalInteger(body, 'latest_repair_id')
  const parameters = readParameters(body)
  const given = checkedParameters(body)
  const id = context.state.runs.repair(run, {
    isAllFailed: optionalBoolean(body, 'rerun_all_failed_tasks') ?? false,
    hasDependents: optionalBoolean(body, 'rerun_dependent_tasks') ?? false,
    ...(rerunTasks && { rerunTasks }),
    ...(latestRepairId !== undefined && { latestRepairId }),
  })
  run.parameters = { ...run.parameters, ...parameters }
  run.job_parameters = run.job_parameters.map((each) => ({
    ...each,
    value: given[String(each['name'])] ?? each['value'],
  }))
  return id
}

export const runsOperations: readonly WorkspaceOperation[] = [...runStarts, ...runReads, ...runControls]
