import type { Body } from '../fields.ts'
import type { Job, TaskSettings } from '../jobs/job.ts'
import type { TaskOutcomeRule } from './outcome-rule.ts'
import type { Run } from './run.ts'

/** What a run is made of. */
export interface RunRequest {
  /** The job; a run of submitted tasks is given one of its own. */
  readonly job_id?: number
  readonly run_id?: number
  readonly run_name: string
  readonly run_type: Run['run_type']
  readonly trigger: string
  readonly creator_user_name: string
  readonly tasks: readonly TaskSettings[]
  readonly settings: Body
  readonly parameters: Body
  readonly job_parameters: readonly Body[]
  readonly timeoutSeconds: number
  readonly maxConcurrentRuns: number
  /** Whether it waits when too many runs are active; otherwise it is skipped. */
  readonly isQueued: boolean
  readonly parent?: Run['parent']
  readonly depth?: number
  readonly declared?: Readonly<Record<string, TaskOutcomeRule>>
  /** When it starts, on the timeline of what starts it. Default: now. */
  readonly at?: number
}

const KEPT = ['job_clusters', 'git_source', 'environments', 'schedule', 'description'] as const

/** The settings that runs show too. */
export function keptSettings(settings: Body): Body {
  return Object.fromEntries(KEPT.flatMap((name) => (settings[name] == null ? [] : [[name, settings[name]]])))
}

/** The request for a run of a job with nothing overridden. */
export function requestOfJob({ job_id, creator_user_name, settings }: Job): RunRequest {
  const queue = settings['queue'] as { readonly enabled?: boolean } | undefined
  return {
    job_id,
    run_name: settings.name,
    run_type: 'JOB_RUN',
    trigger: 'ONE_TIME',
    creator_user_name,
    tasks: settings.tasks ?? [],
    settings: keptSettings(settings),
    parameters: {},
    job_parameters: parametersOf(settings, {}),
    timeoutSeconds: settings.timeout_seconds,
    maxConcurrentRuns: settings.max_concurrent_runs,
    isQueued: queue?.enabled ?? false,
  }
}

/** The job parameters of a run: those of the job, and the values that a request gives them. */
export function parametersOf(settings: Body, given: Body): readonly Body[] {
  const defined = (settings['parameters'] as readonly { name: string; default: string }[] | undefined) ?? []
  const names = new Set(defined.map(({ name }) => name))
  const others = Object.entries(given).filter(([name]) => !names.has(name))
  return [
    ...defined.map(({ name, default: usual }) => ({ name, default: usual, value: given[name] ?? usual })),
    ...others.map(([name, value]) => ({ name, value })),
  ]
}
