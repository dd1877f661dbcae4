import type { Body } from '../fields.ts'
import type { JobsState } from '../jobs/jobs-state.ts'
import { broken, failed } from './endings.ts'
import type { RunClusters } from './run-clusters.ts'
import type { RunHost } from './run-machine.ts'
import { parametersOf, requestOfJob, type RunRequest } from './run-request.ts'
import type { Run, TaskRun } from './run.ts'
import type { TaskHost } from './task-machine.ts'
import type { TaskOutcomes } from './task-outcome.ts'

/** What runs are connected with. */
export interface HostParts extends RunHost {
  readonly runClusters: RunClusters
  readonly jobs: JobsState
  readonly outcomes: TaskOutcomes
  newId(): number
  added(run: Run, taskRun: TaskRun): void
  start(request: RunRequest): Run
}

const DEEPEST = 3

/** Connects runs with the clusters they use and the jobs they start. */
export function createHost(parts: HostParts): RunHost & TaskHost {
  const { jobs, runClusters, outcomes } = parts
  return {
    plan: parts.plan,
    finished: parts.finished,
    newTaskRunId: parts.newId,
    added: parts.added,
    draw: (run, task, attempt) => outcomes.draw(run, task, attempt),
    startChild(run, task, taskRun, at) {
      const { job_id: id, job_parameters = {} } = task['run_job_task'] as {
        job_id: number
        job_parameters?: Body
      }
      const job = jobs.find(id)
      if (!job) return broken('RESOURCE_NOT_FOUND', `Job ${id} does not exist.`)
      if (run.depth >= DEEPEST) return failed(`Runs of jobs cannot be nested deeper than ${DEEPEST} levels.`)
      return parts.start({
        ...requestOfJob(job),
        job_parameters: parametersOf(job.settings, job_parameters),
        trigger: 'RUN_JOB_TASK',
        creator_user_name: run.creator_user_name,
        parent: { run_id: run.run_id, task_run_id: taskRun.run_id },
        depth: run.depth + 1,
        at,
      }).run_id
    },
    useCluster: (run, task, taskRun, at) => runClusters.use(run, task, taskRun, at),
    isClusterUp: (taskRun, until) => runClusters.isUp(taskRun, until),
    releaseCluster: (run, taskRun, at) => runClusters.releaseTask(run, taskRun, at),
  }
}
