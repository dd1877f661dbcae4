import { objectsOf, type ReportProblem } from 'sim-gateway/adapter'
import type { ClustersState } from '../clusters/clusters-state.ts'
import { refusalOf } from '../errors.ts'
import type { Body } from '../fields.ts'
import type { JobsState } from '../jobs/jobs-state.ts'
import { readTasks } from '../jobs/settings.ts'
import type { Tools, WorkspaceFixture } from '../part.ts'
import { requestOfJob, type RunRequest } from './run-request.ts'
import { isFinal, type TaskOutcomeRule, taskOutcomesSchema } from './run.ts'
import { RunsState } from './runs-state.ts'

type Outcomes = Readonly<Record<string, TaskOutcomeRule>>

/** A run of a fixture, which is played through when the fixture is loaded. */
interface FixtureRun extends Body {
  readonly run_id?: number
  /** The name of a job; without it the run is one of submitted `tasks`. */
  readonly job?: string
  readonly run_name?: string
  readonly startedMinutesAgo?: number
  /** Whether it stays as it was started. */
  readonly active?: boolean
  readonly outcomes?: Outcomes
  /** Repairs of all failed tasks, and what becomes of those. */
  readonly repairs?: readonly { readonly outcomes?: Outcomes }[]
}

const outcomesSchema = { type: 'object', additionalProperties: taskOutcomesSchema.items }

export const runsFixtureSchema = {
  runs: objectsOf([], {
    run_id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    job: { type: 'string' },
    run_name: { type: 'string' },
    tasks: { type: 'array', items: { type: 'object', required: ['task_key'] } },
    startedMinutesAgo: { type: 'integer', minimum: 0 },
    active: { type: 'boolean' },
    outcomes: outcomesSchema,
    repairs: objectsOf([], { outcomes: outcomesSchema }),
  }),
  taskOutcomes: taskOutcomesSchema,
} as const

function fixtureRuns(fixture: WorkspaceFixture): readonly FixtureRun[] {
  return (fixture['runs'] as readonly FixtureRun[] | undefined) ?? []
}

/** Reports runs of jobs that the fixture does not have, and runs of the same id. */
export function checkRuns(fixture: WorkspaceFixture, report: ReportProblem): void {
  const jobs = (fixture['jobs'] as readonly { readonly name: string }[] | undefined) ?? []
  const seen = new Set<number>()
  for (const [index, { job, run_id: id, tasks }] of fixtureRuns(fixture).entries()) {
    if (job !== undefined && !jobs.some(({ name }) => name === job))
      report(['runs', index, 'job'], `there is no job '${job}'`)
    if (job === undefined && tasks === undefined) report(['runs', index], 'a run needs either a job or tasks')
    const problem = tasks === undefined ? undefined : refusalOf(() => readTasks({ tasks }))
    if (problem !== undefined) report(['runs', index, 'tasks'], problem)
    if (id !== undefined && seen.has(id)) report(['runs', index, 'run_id'], `the run ${id} comes twice`)
    if (id !== undefined) seen.add(id)
  }
}

/** The runs of a fixture, each played through as it is declared. */
export function createRuns(
  fixture: WorkspaceFixture,
  tools: Tools,
  parts: { readonly jobs: JobsState; readonly clusters: ClustersState },
): RunsState {
  const state = new RunsState(tools, parts, fixture['taskOutcomes'] as readonly TaskOutcomeRule[] | undefined)
  for (const given of fixtureRuns(fixture)) play(state, given, requestOf(given, tools, parts.jobs))
  return state
}

function requestOf(given: FixtureRun, tools: Tools, jobs: JobsState): RunRequest {
  const job = given.job === undefined ? undefined : jobs.named(given.job).first()
  const usual: RunRequest = job
    ? requestOfJob(job)
    : {
        run_name: given.run_name ?? 'Untitled',
        run_type: 'SUBMIT_RUN',
        trigger: 'ONE_TIME',
        creator_user_name: tools.defaultUser,
        tasks: readTasks(structuredClone({ tasks: given['tasks'] })) ?? [],
        settings: {},
        parameters: {},
        job_parameters: [],
        timeoutSeconds: 0,
        maxConcurrentRuns: 1,
        isQueued: false,
      }
  const { run_id, active = false, startedMinutesAgo = 0 } = given
  const outcomes = given.outcomes ?? (active ? undefined : {})
  return {
    ...usual,
    at: tools.clock.now() - startedMinutesAgo * 60_000,
    ...(run_id !== undefined && { run_id }),
    ...(outcomes && { declared: outcomes }),
  }
}

function play(state: RunsState, given: FixtureRun, request: RunRequest): void {
  const run = state.start(request)
  if (given.active === true) return
  state.playOut(run)
  for (const { outcomes } of given.repairs ?? []) {
    if (!isFinal(run)) break
    run.declared = outcomes ?? {}
    const latest = run.stretches.findLast(({ type }) => type === 'REPAIR')?.id
    state.repair(
      run,
      { isAllFailed: true, ...(latest !== undefined && { latestRepairId: latest }) },
      run.at + 60_000,
    )
    state.playOut(run)
  }
  // From now on the rules decide.
  delete run.declared
}
