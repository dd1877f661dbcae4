import { invalid } from '../errors.ts'
import type { Body } from '../fields.ts'
import { Ordered } from 'sim-gateway/adapter'
import type { ObjectSource, Restorable, Tools } from '../part.ts'
import type { Job, JobSettings } from './job.ts'

/** A job to be kept. */
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

/** All jobs of a workspace. */
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
