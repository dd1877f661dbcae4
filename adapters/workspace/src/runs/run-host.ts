import type { Agenda } from '../agenda.ts'
import type { ClustersState } from '../clusters/clusters-state.ts'
import type { Body } from '../fields.ts'
import type { TaskSettings } from '../jobs/job.ts'
import type { JobsState } from '../jobs/jobs-state.ts'
import { broken, failed } from './endings.ts'
import type { RunHost } from './run-machine.ts'
import { parametersOf, requestOfJob, type RunRequest } from './run-request.ts'
import type { Ending, Run, TaskRun } from './run.ts'
import type { TaskHost } from './task-machine.ts'
import type { TaskOutcomes } from './task-outcome.ts'

const KIND = 'clusters'
const ON_THE_WAY = ['PENDING', 'RESTARTING', 'RESIZING']

/** The clusters that runs use: those that are there, and those that are made for a task or a run and end with it. */
export class RunClusters {
  readonly #clusters: ClustersState
  readonly #agenda: Agenda

  constructor(clusters: ClustersState, agenda: Agenda) {
    this.#clusters = clusters
    this.#agenda = agenda
  }

  /** Takes the cluster of a task into use: when it will be up, or why there is none. */
  use(run: Run, task: TaskSettings, taskRun: TaskRun, at: number): number | Ending {
    const id = this.#clusterOf(run, task, at)
    if (id === undefined || typeof id === 'object') return id ?? at
    taskRun.cluster_id = id
    const cluster = this.#clusters.find(id)
    if (!cluster) return broken('CLUSTER_ERROR', `Cluster ${id} does not exist`)
    this.#clusters.use(cluster, at, run.creator_user_name)
    return this.#agenda.dueAt(KIND, id) ?? at
  }

  /** Whether the cluster of a task, if it has one, is up, as it must be from beginning to end. */
  isUp(taskRun: TaskRun, until: number): boolean {
    const { cluster_id: id } = taskRun
    if (id === undefined) return true
    const cluster = this.#clusters.find(id)
    if (!cluster) return false
    while (ON_THE_WAY.includes(cluster.state) && this.#agenda.step(KIND, id));
    if (cluster.state !== 'RUNNING') return false
    this.#clusters.use(cluster, until, cluster.creator_user_name)
    taskRun.spark_context_id ??= String(cluster.spark_context_id)
    return true
  }

  /** Ends the cluster that was made for a task. */
  releaseTask(run: Run, taskRun: TaskRun, at: number): void {
    const task = run.tasks.find(({ task_key }) => task_key === taskRun.task_key)
    if (task?.['new_cluster'] !== undefined && taskRun.cluster_id !== undefined)
      this.#end(taskRun.cluster_id, at)
  }

  /** Ends the clusters that tasks of a run had in common. */
  releaseRun(run: Run): void {
    for (const id of Object.values(run.jobClusters ?? {})) this.#end(id, run.end_time)
    delete run.jobClusters
  }

  #clusterOf(run: Run, task: TaskSettings, at: number): string | Ending | undefined {
    const key = task['job_cluster_key'] as string | undefined
    const ownSpec = task['new_cluster'] as Body | undefined
    if (ownSpec !== undefined) return this.#make(run, ownSpec, task.task_key, at)
    if (key === undefined) return task['existing_cluster_id'] as string | undefined
    const known = run.jobClusters?.[key]
    if (known !== undefined) return known
    const declared = (run.settings['job_clusters'] as readonly Body[] | undefined) ?? []
    const spec = declared.find((each) => each['job_cluster_key'] === key)?.['new_cluster'] as Body | undefined
    if (spec === undefined)
      return broken('INVALID_CLUSTER_REQUEST', `The job cluster '${key}' is not defined.`)
    const id = this.#make(run, spec, key, at)
    run.jobClusters = { ...run.jobClusters, [key]: id }
    return id
  }

  #make(run: Run, spec: Body, key: string, at: number): string {
    const requested = { cluster_name: `job-${run.job_id}-run-${run.run_id}-${key}`, ...spec }
    return this.#clusters.create(requested, run.creator_user_name, { source: 'JOB', at }).cluster_id
  }

  #end(id: string, at: number): void {
    const cluster = this.#clusters.find(id)
    if (!cluster) return
    this.#clusters.end(cluster, at, { code: 'JOB_FINISHED', type: 'SUCCESS' })
    this.#agenda.observe(KIND, id)
  }
}

export interface HostParts extends RunHost {
  readonly runClusters: RunClusters
  readonly jobs: JobsState
  readonly outcomes: TaskOutcomes
  newId(): number
  added(run: Run, taskRun: TaskRun): void
  start(request: RunRequest): Run
}

const MAX_DEPTH = 3

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
      if (run.depth >= MAX_DEPTH)
        return failed(`Runs of jobs cannot be nested deeper than ${MAX_DEPTH} levels.`)
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
