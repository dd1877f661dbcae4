import type { ClustersState } from '../clusters/clusters-state.ts'
import { invalid, workspaceError } from '../errors.ts'
import type { Job } from '../jobs/job.ts'
import type { JobsState } from '../jobs/jobs-state.ts'
import type { Restorable, Tools } from '../part.ts'
import { TOO_MANY } from './endings.ts'
import { createHost, RunClusters } from './run-host.ts'
import { IdempotencyTokens, RunIndex } from './run-index.ts'
import { RunMachine } from './run-machine.ts'
import { type RepairRequest, repairStretch, requestOfJob, type RunRequest } from './run-request.ts'
import { isFinal, type Run, type TaskOutcomeRule, type TaskRun } from './run.ts'
import { endingByChild, TaskMachine } from './task-machine.ts'
import { TaskOutcomes } from './task-outcome.ts'

const KIND = 'runs'

const NEW_RUN = {
  life: 'PENDING',
  end_time: 0,
  setup_duration: 0,
  execution_duration: 0,
  cleanup_duration: 0,
  queue_duration: 0,
} as const

interface RunsSnapshot {
  readonly runs: readonly Run[]
  readonly sequence: number
  readonly numbers: number
  readonly outcomes: readonly number[]
  readonly tokens: readonly (readonly [string, number])[]
}

export class RunsState implements Restorable {
  readonly index = new RunIndex()
  readonly tokens = new IdempotencyTokens()
  readonly #tools: Tools
  readonly #outcomes: TaskOutcomes
  readonly #tasks: TaskMachine
  readonly #machine: RunMachine
  readonly #runClusters: RunClusters
  #sequence = 0
  #numbers = 0

  constructor(
    tools: Tools,
    { jobs, clusters }: { readonly jobs: JobsState; readonly clusters: ClustersState },
    rules: readonly TaskOutcomeRule[] = [],
  ) {
    this.#tools = tools
    this.#outcomes = new TaskOutcomes(rules)
    this.#runClusters = new RunClusters(clusters, tools.agenda)
    const host = createHost({
      jobs,
      runClusters: this.#runClusters,
      outcomes: this.#outcomes,
      newId: () => this.#newId(),
      added: (run, taskRun) => this.index.addTaskRun(run, taskRun.run_id),
      start: (request) => this.start(request),
      plan: (run, at) => this.#plan(run, at),
      finished: (run) => this.#finished(run),
    })
    this.#tasks = new TaskMachine(host)
    this.#machine = new RunMachine(this.#tasks, host)
    tools.agenda.onStep(KIND, (id, at) => this.#machine.step(this.get(Number(id)), at), {
      stateOf: (id) => this.index.find(Number(id))?.life,
      isHeld: (id) => this.#blockersOf(this.get(Number(id))).length > 0,
    })
  }

  /** @throws AdapterFault in the words by which clients know a missing run */
  get(id: number): Run {
    const run = this.index.find(id)
    if (!run) throw invalid(`Run ${id} does not exist.`)
    return run
  }

  /** The attempt at a task that has this id, if it is the id of one. */
  taskRun(run: Run, id: number): TaskRun | undefined {
    return run.run_id === id ? undefined : run.taskRuns.find(({ run_id }) => run_id === id)
  }

  /** The run of an id, or that a task's run is part of, after a read that moves it on. */
  read(id: number): Run {
    const run = this.get(id)
    this.#drive(run, new Set())
    return run
  }

  /** A run of a job, or of tasks that were submitted: begun, queued or skipped. */
  start(request: RunRequest): Run {
    const at = request.at ?? this.#tools.clock.now()
    const run = this.#make(request, at)
    const isFull = run.isJobRun && this.index.ofJob(run.job_id).active.size >= run.maxConcurrentRuns
    if (isFull)
      Object.assign(
        run,
        request.isQueued ? { life: 'QUEUED' } : { life: 'SKIPPED', ending: TOO_MANY, end_time: at },
      )
    if (run.life !== 'SKIPPED') for (const task of run.tasks) this.#tasks.add(run, task, 0)
    this.index.add(run)
    if (run.life === 'PENDING') this.#machine.begin(run, at)
    else if (run.life === 'SKIPPED') this.#finished(run)
    return run
  }

  /** A run of a job as it is. */
  startJob(job: Job, request: Partial<RunRequest> & Pick<RunRequest, 'creator_user_name'>): Run {
    return this.start({ ...requestOfJob(job), ...request })
  }

  /** Cancels a run, or one task of it; what has ended stays as it is. */
  cancel(run: Run, taskRun?: TaskRun): void {
    if (taskRun && run.taskRuns.length > 1) this.#machine.endTask(run, taskRun, this.#now(run))
    else this.#machine.end(run, this.#now(run))
    if (!isFinal(run)) this.index.file(run)
  }

  /** Takes a run to its end, whatever drives it. */
  playOut(run: Run): void {
    while (!isFinal(run) && this.#tools.agenda.step(KIND, String(run.run_id)));
  }

  /** Runs tasks of a run that has ended once more. */
  repair(run: Run, request: RepairRequest, at: number = this.#now(run)): number {
    const id = this.#newId()
    const keys = repairStretch(run, request, { id, at })
    for (const task of run.tasks) {
      if (!keys.has(task.task_key)) continue
      const latest = run.taskRuns.findLast(({ task_key }) => task_key === task.task_key)
      this.#tasks.add(run, task, (latest?.attempt_number ?? -1) + 1)
    }
    run.end_time = 0
    delete run.ending
    delete run.forced
    this.#machine.begin(run, at)
    this.index.file(run)
    return id
  }

  remove(run: Run): void {
    if (!isFinal(run))
      throw workspaceError('INVALID_STATE', `Run ${run.run_id} is active and cannot be deleted.`)
    this.index.remove(run)
  }

  snapshot(): RunsSnapshot {
    return {
      runs: structuredClone([...this.index.all]),
      sequence: this.#sequence,
      numbers: this.#numbers,
      outcomes: this.#outcomes.snapshot(),
      tokens: this.tokens.snapshot(),
    }
  }

  restore(snapshot: unknown): void {
    const { runs, sequence, numbers, outcomes, tokens } = structuredClone(snapshot) as RunsSnapshot
    for (const run of [...this.index.all]) this.index.remove(run)
    for (const run of runs) this.index.add(run)
    this.#sequence = sequence
    this.#numbers = numbers
    this.#outcomes.restore(outcomes)
    this.tokens.restore(tokens)
  }

  /** Moves a run on as reads do; first those that it waits for. */
  #drive(run: Run, waiting: Set<Run>): void {
    if (isFinal(run) || waiting.has(run)) return
    waiting.add(run)
    for (;;) {
      const blockers = this.#blockersOf(run)
      const before = blockers.map(({ life }) => life)
      for (const blocker of blockers) this.#drive(blocker, waiting)
      if (blockers.some((blocker) => !isFinal(blocker))) break
      this.#tools.agenda.observe(KIND, String(run.run_id))
      const hasMoved = blockers.length === 0 || blockers.some(({ life }, index) => life !== before[index])
      if (isFinal(run) || this.#blockersOf(run).length === 0 || !hasMoved) break
    }
    waiting.delete(run)
  }

  #blockersOf(run: Run): readonly Run[] {
    if (run.life === 'QUEUED') return [...this.index.ofJob(run.job_id).active]
    return run.taskRuns.flatMap((taskRun) => {
      const isWaiting = taskRun.child !== undefined && !isFinal(taskRun) && !taskRun.forced
      const child = isWaiting ? this.index.find(taskRun.child ?? 0) : undefined
      return child && !isFinal(child) ? [child] : []
    })
  }

  #make(request: RunRequest, at: number): Run {
    const sequence = (this.#sequence += 1)
    const { at: _at, isQueued: _isQueued, run_id, job_id, parent, declared, ...given } = request
    return {
      ...given,
      ...NEW_RUN,
      sequence,
      run_id: run_id ?? this.#newId(),
      job_id: job_id ?? this.#newId(),
      isJobRun: job_id !== undefined,
      depth: request.depth ?? 0,
      start_time: at,
      at,
      taskRuns: [],
      stretches: [{ type: 'ORIGINAL', start_time: at, end_time: 0, task_run_ids: [] }],
      ...(parent && { parent }),
      ...(declared && { declared }),
    }
  }

  #plan(run: Run, at: number | undefined): void {
    if (at === undefined) this.#tools.agenda.cancel(KIND, String(run.run_id))
    else this.#tools.agenda.plan(KIND, String(run.run_id), at)
  }

  #finished(run: Run): void {
    this.index.file(run)
    this.#runClusters.releaseRun(run)
    const stretch = run.stretches.at(-1)
    if (stretch) Object.assign(stretch, { end_time: run.end_time, life: run.life, ending: run.ending })
    const parent = run.parent && this.index.find(run.parent.run_id)
    if (parent && run.parent)
      this.#machine.childEnded(parent, run.parent.task_run_id, endingByChild(run), run.end_time)
    const { queued, active } = this.index.ofJob(run.job_id)
    const next = queued.first()
    if (next === undefined || active.size >= next.maxConcurrentRuns) return
    this.#machine.begin(next, Math.max(next.at, run.end_time))
    this.index.file(next)
  }

  #now(run: Run): number {
    return Math.max(this.#tools.clock.now(), run.at)
  }

  #newId(): number {
    for (;;) {
      const id = this.#tools.ids.number('run', (this.#numbers += 1))
      if (!this.index.find(id)) return id
    }
  }
}
