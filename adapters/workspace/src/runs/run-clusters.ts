import type { ClustersState } from '../clusters/clusters-state.ts'
import type { Body } from '../fields.ts'
import type { TaskSettings } from '../jobs/job.ts'
import type { Agenda } from '../lifecycle/agenda.ts'
import { broken } from './endings.ts'
import type { Ending, Run, TaskRun } from './run.ts'

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
