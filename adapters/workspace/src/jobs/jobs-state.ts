import { objectOf, Ordered, type ReportProblem } from 'sim-gateway/adapter'
import { invalid, refusalOf } from '../errors.ts'
import type { Body } from '../fields.ts'
import type { ObjectSource, Restorable, Tools, WorkspaceFixture } from '../part.ts'
import type { Job, JobSettings } from './job.ts'
import { readSettings } from './settings.ts'

export interface GivenJob {
  readonly settings: JobSettings
  readonly creator_user_name: string
  readonly job_id?: number
  readonly created_time?: number
}

interface JobsSnapshot {
  readonly jobs: readonly Job[]
  readonly sequence: number
}

export class JobsState implements Restorable, ObjectSource {
  readonly all: Ordered<Job> = new Ordered()
  readonly #byId = new Map<number, Job>()
  readonly #byName = new Map<string, Ordered<Job>>()
  readonly #tools: Tools
  #sequence = 0

  constructor(tools: Tools) {
    this.#tools = tools
  }

  hasObject(id: string): boolean {
    return this.#byId.has(Number(id))
  }

  find(id: number): Job | undefined {
    return this.#byId.get(id)
  }

  /** @throws AdapterFault in the words by which clients know a missing job */
  get(id: number): Job {
    const job = this.#byId.get(id)
    if (!job) throw invalid(`Job ${id} does not exist.`)
    return job
  }

  /** The jobs of a name, whatever the case of its letters. */
  named(name: string): Ordered<Job> {
    return this.#byName.get(name.toLowerCase()) ?? new Ordered()
  }

  add(given: GivenJob): Job {
    const sequence = (this.#sequence += 1)
    const job: Job = {
      sequence,
      job_id: given.job_id ?? this.#newId(sequence),
      creator_user_name: given.creator_user_name,
      created_time: given.created_time ?? this.#tools.clock.now(),
      run_as_user_name: runAsOf(given.settings, given.creator_user_name),
      settings: given.settings,
    }
    this.#keep(job)
    return job
  }

  /** Gives a job other settings; who it runs as stays unless they say so. */
  replace(job: Job, settings: JobSettings): void {
    this.#unname(job)
    job.settings = settings
    job.run_as_user_name = runAsOf(settings, job.run_as_user_name)
    this.#name(job)
  }

  remove(job: Job): void {
    this.#byId.delete(job.job_id)
    this.all.delete(job)
    this.#unname(job)
  }

  snapshot(): JobsSnapshot {
    return { jobs: structuredClone([...this.all]), sequence: this.#sequence }
  }

  restore(snapshot: unknown): void {
    const { jobs, sequence } = structuredClone(snapshot) as JobsSnapshot
    for (const job of [...this.all]) this.remove(job)
    for (const job of jobs) this.#keep(job)
    this.#sequence = sequence
  }

  #newId(sequence: number): number {
    for (let attempt = 0; ; attempt += 1) {
      const id = this.#tools.ids.number('job', sequence, attempt)
      if (!this.#byId.has(id)) return id
    }
  }

  #keep(job: Job): void {
    this.#byId.set(job.job_id, job)
    this.all.add(job)
    this.#name(job)
  }

  #name(job: Job): void {
    const name = job.settings.name.toLowerCase()
    const namesakes = this.#byName.get(name) ?? new Ordered<Job>()
    namesakes.add(job)
    this.#byName.set(name, namesakes)
  }

  #unname(job: Job): void {
    const name = job.settings.name.toLowerCase()
    const namesakes = this.#byName.get(name)
    namesakes?.delete(job)
    if (namesakes?.size === 0) this.#byName.delete(name)
  }
}

function runAsOf(settings: Body, otherwise: string): string {
  const runAs = settings['run_as'] as { user_name?: string; service_principal_name?: string } | undefined
  return runAs?.user_name ?? runAs?.service_principal_name ?? otherwise
}

/** A job of a fixture: its settings at the top level, as clients send them. */
interface FixtureJob extends Body {
  readonly job_id?: number
  readonly creator_user_name?: string
  readonly created_time?: number
}

export const jobsFixtureSchema = {
  jobs: {
    type: 'array',
    items: objectOf(
      ['name'],
      {
        job_id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        creator_user_name: { type: 'string' },
        created_time: { type: 'integer' },
        name: { type: 'string' },
      },
      {
        // The rest are settings, of which clients send any.
        additionalProperties: true,
      },
    ),
  },
} as const

/** The jobs of a fixture as they are written there. */
export function fixtureJobs(fixture: WorkspaceFixture): readonly FixtureJob[] {
  return (fixture['jobs'] as readonly FixtureJob[] | undefined) ?? []
}

/** Reports jobs that have the same id, and settings that the service would refuse. */
export function checkJobs(fixture: WorkspaceFixture, report: ReportProblem): void {
  const seen = new Set<number>()
  for (const [index, job] of fixtureJobs(fixture).entries()) {
    if (job.job_id !== undefined && seen.has(job.job_id))
      report(['jobs', index, 'job_id'], `the job ${job.job_id} comes twice`)
    if (job.job_id !== undefined) seen.add(job.job_id)
    const problem = refusalOf(() => readSettings(job))
    if (problem !== undefined) report(['jobs', index], problem)
  }
}

export function createJobs(fixture: WorkspaceFixture, tools: Tools): JobsState {
  const state = new JobsState(tools)
  for (const { job_id, created_time, creator_user_name, ...settings } of fixtureJobs(fixture)) {
    state.add({
      settings: readSettings(structuredClone(settings)),
      creator_user_name: creator_user_name ?? tools.defaultUser,
      ...(job_id !== undefined && { job_id }),
      ...(created_time !== undefined && { created_time }),
    })
  }
  return state
}
