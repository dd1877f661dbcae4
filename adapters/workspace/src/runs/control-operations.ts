import {
  bodyOf,
  optionalBoolean,
  optionalInteger,
  optionalList,
  requiredInteger,
  type Body,
} from '../fields.ts'
import { invalid } from '../errors.ts'
import { checkedParameters, readParameters } from './start-operations.ts'
import { objectOf, permittedRun, runOperation, type RunOperation, type RunVisit } from './slice.ts'
import type { Run } from './run.ts'

const SDK = 'test/runs/sdk.test.ts'
const GOLDEN = 'test/runs/golden.test.ts > keeps the contract of every operation on runs'

/** The operations that end runs, run them again and forget them. */
export const runControls: readonly RunOperation[] = [
  runOperation('cancelRun', 'runs/cancel', {
    method: 'POST',
    support: 'exact',
    supports: ['run_id'],
    sideEffects: ['ends a run, or one task of it'],
    tests: [GOLDEN, `${SDK} > cancels a run and waits for its end`],
    handle(visit) {
      const id = requiredInteger(bodyOf(visit), 'run_id')
      const run = permittedRun(visit, id, 'CAN_MANAGE_RUN')
      visit.state.runs.cancel(run, visit.state.runs.taskRun(run, id))
      return {}
    },
  }),
  runOperation('cancelAllRuns', 'runs/cancel-all', {
    method: 'POST',
    support: 'exact',
    supports: ['job_id', 'all_queued_runs'],
    sideEffects: ['ends the active runs of a job, or all queued ones'],
    tests: [GOLDEN, `${SDK} > cancels all runs of a job`],
    handle(visit) {
      for (const run of runsToCancel(visit, bodyOf(visit))) visit.state.runs.cancel(run)
      return {}
    },
  }),
  runOperation('deleteRun', 'runs/delete', {
    method: 'POST',
    support: 'exact',
    supports: ['run_id'],
    sideEffects: ['forgets a run that has ended'],
    tests: [GOLDEN, `${SDK} > deletes a run`],
    handle(visit) {
      const { runs, permissions } = visit.state
      const run = permittedRun(visit, requiredInteger(bodyOf(visit), 'run_id'), 'CAN_MANAGE')
      runs.remove(run)
      if (!run.isJobRun) permissions.forget(objectOf(run))
      return {}
    },
  }),
  runOperation('repairRun', 'runs/repair', {
    method: 'POST',
    support: 'exact',
    supports: [
      'run_id',
      'rerun_tasks',
      'rerun_all_failed_tasks',
      'rerun_dependent_tasks',
      'latest_repair_id',
      'job_parameters',
    ],
    sideEffects: ['runs tasks of an ended run once more'],
    tests: [GOLDEN, `${SDK} > repairs a run whose task failed`],
    handle: (visit) => ({ repair_id: repair(visit) }),
  }),
]

function runsToCancel(visit: RunVisit, body: Body): readonly Run[] {
  const { runs, jobs, permissions } = visit.state
  const isQueued = optionalBoolean(body, 'all_queued_runs') ?? false
  const jobId = optionalInteger(body, 'job_id')
  if (jobId === undefined) {
    if (!isQueued) throw invalid('Missing required field: job_id')
    return [...runs.index.open].filter(
      (run) => run.life === 'QUEUED' && permissions.allows(visit, objectOf(run), 'CAN_MANAGE_RUN'),
    )
  }
  const { queued, active } = runs.index.ofJob(jobs.get(jobId).job_id)
  permissions.require(visit, objectOf({ job_id: jobId }), 'CAN_MANAGE_RUN')
  return isQueued ? [...queued] : [...queued, ...active]
}

function repair(visit: RunVisit): number {
  const body = bodyOf(visit)
  const run = permittedRun(visit, requiredInteger(body, 'run_id'), 'CAN_MANAGE_RUN')
  const rerunTasks = optionalList(body, 'rerun_tasks') as readonly string[] | undefined
  const latestRepairId = optionalInteger(body, 'latest_repair_id')
  const parameters = readParameters(body)
  const given = checkedParameters(body)
  const id = visit.state.runs.repair(run, {
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
