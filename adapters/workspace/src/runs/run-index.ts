import { Ordered } from 'sim-gateway/adapter'
import { invalid } from '../errors.ts'
import { isFinal, type Run } from './run.ts'

/** The runs of one job, by whether they wait, go on, or have ended. */
export interface RunsOfJob {
  readonly all: Ordered<Run>
  readonly queued: Ordered<Run>
  /** Those that are neither queued nor over. */
  readonly active: Ordered<Run>
}

/** All runs, found by id, by job and by whether they are active, without a look at the others. */
export class RunIndex {
  readonly all: Ordered<Run> = new Ordered()
  /** Those that are not over. */
  readonly open: Ordered<Run> = new Ordered()
  readonly #byId = new Map<number, Run>()
  readonly #byJob = new Map<number, RunsOfJob>()

  /** The run of an id, or the run that a task's run is part of. */
  find(id: number): Run | undefined {
    return this.#byId.get(id)
  }

  ofJob(jobId: number): RunsOfJob {
    return this.#byJob.get(jobId) ?? { all: new Ordered(), queued: new Ordered(), active: new Ordered() }
  }

  add(run: Run): void {
    this.all.add(run)
    this.#byId.set(run.run_id, run)
    for (const { run_id } of run.taskRuns) this.#byId.set(run_id, run)
    const runs = this.ofJob(run.job_id)
    runs.all.add(run)
    this.#byJob.set(run.job_id, runs)
    this.file(run)
  }

  /** A run has a new attempt at a task. */
  addTaskRun(run: Run, taskRunId: number): void {
    this.#byId.set(taskRunId, run)
  }

  /** To be called when a run was queued, begun or ended. */
  file(run: Run): void {
    const { queued, active } = this.ofJob(run.job_id)
    for (const each of [queued, active, this.open]) each.delete(run)
    if (isFinal(run)) return
    this.open.add(run)
    if (run.life === 'QUEUED') queued.add(run)
    else active.add(run)
  }

  remove(run: Run): void {
    const { all, queued, active } = this.ofJob(run.job_id)
    for (const each of [all, queued, active, this.all, this.open]) each.delete(run)
    if (all.size === 0) this.#byJob.delete(run.job_id)
    this.#byId.delete(run.run_id)
    for (const { run_id } of run.taskRuns) this.#byId.delete(run_id)
  }
}

const MAX_VALUE = 64

/** The runs that were made for the tokens of requests, so that a repeated request makes no other. */
export class IdempotencyTokens {
  readonly #runs = new Map<string, number>()

  /** The run that was made for a token; tokens of different scopes do not know each other. */
  find(scope: string, token: string | undefined): number | undefined {
    if (token === undefined || token === '') return undefined
    if (token.length > MAX_VALUE)
      throw invalid(`idempotency_token must have at most ${MAX_VALUE} characters.`)
    return this.#runs.get(`${scope}/${token}`)
  }

  keep(scope: string, token: string | undefined, runId: number): void {
    if (token !== undefined && token !== '') this.#runs.set(`${scope}/${token}`, runId)
  }

  snapshot(): readonly (readonly [string, number])[] {
    return [...this.#runs]
  }

  restore(entries: readonly (readonly [string, number])[]): void {
    this.#runs.clear()
    for (const [key, run] of entries) this.#runs.set(key, run)
  }
}
