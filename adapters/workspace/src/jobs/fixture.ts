import type { ReportProblem } from 'sim-gateway/adapter'
import type { Body } from '../fields.ts'
import type { Tools, WorkspaceFixture } from '../part.ts'
import { refusalOf } from '../refusal.ts'
import { JobsState } from './jobs-state.ts'
import { readSettings } from './settings.ts'

/** A job of a fixture: its settings at the top level, as clients send them. */
interface FixtureJob extends Body {
  readonly job_id?: number
  readonly creator_user_name?: string
  readonly created_time?: number
}

/** JSON Schema of the jobs' share of a fixture. */
export const jobsFixtureSchema = {
  jobs: {
    type: 'array',
    items: {
      type: 'object',
      required: ['name'],
      // The rest are settings, of which clients send any.
      additionalProperties: true,
      properties: {
        job_id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        creator_user_name: { type: 'string' },
        created_time: { type: 'integer' },
        name: { type: 'string' },
      },
    },
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

/** The jobs of a fixture. */
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
