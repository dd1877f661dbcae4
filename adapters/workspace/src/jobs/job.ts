import type { Body } from '../fields.ts'
import type { Sequenced } from 'sim-gateway/adapter'

/** A dependency of a task on another. */
export interface TaskDependency {
  readonly task_key: string
  /** The outcome that a condition must have. */
  readonly outcome?: string
}

/** A task as its job declares it. */
export interface TaskSettings extends Body {
  readonly task_key: string
  readonly depends_on?: readonly TaskDependency[]
  readonly run_if: string
  readonly timeout_seconds: number
}

/** The settings of a job, with what the service fills in. They are replaced, never changed. */
export interface JobSettings extends Body {
  readonly name: string
  readonly tasks?: readonly TaskSettings[]
  readonly timeout_seconds: number
  readonly max_concurrent_runs: number
}

/** A job as it is kept. */
export interface Job extends Sequenced {
  readonly job_id: number
  readonly creator_user_name: string
  readonly created_time: number
  run_as_user_name: string
  settings: JobSettings
}
