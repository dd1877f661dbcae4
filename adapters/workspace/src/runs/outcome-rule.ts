import type { Body } from '../fields.ts'

/** What the fixture says about attempts at tasks. */
export interface TaskOutcomeRule {
  /** The name of the job, or of the submitted run. */
  readonly job?: string
  readonly job_id?: number
  readonly task?: string
  /** Only this attempt of each run, counted from 0. */
  readonly attempt?: number
  /** How many fitting attempts come first. Default: 0. */
  readonly skip?: number
  /** How many attempts it is about. Default: all. */
  readonly times?: number
  readonly result?: 'SUCCESS' | 'FAILED' | 'TIMEDOUT' | 'INTERNAL_ERROR'
  readonly message?: string
  readonly code?: string
  readonly setupMs?: number
  readonly durationMs?: number
  readonly error?: string
  readonly error_trace?: string
  readonly logs?: string
  readonly notebook_output?: Body
  readonly sql_output?: Body
  readonly dbt_output?: Body
}

/** JSON Schema of the fixture's `taskOutcomes`. */
export const taskOutcomesSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      job: { type: 'string' },
      job_id: { type: 'integer' },
      task: { type: 'string' },
      attempt: { type: 'integer', minimum: 0 },
      skip: { type: 'integer', minimum: 0 },
      times: { type: 'integer', minimum: 1 },
      result: { enum: ['SUCCESS', 'FAILED', 'TIMEDOUT', 'INTERNAL_ERROR'] },
      message: { type: 'string' },
      code: { type: 'string' },
      setupMs: { type: 'integer', minimum: 0 },
      durationMs: { type: 'integer', minimum: 0 },
      error: { type: 'string' },
      error_trace: { type: 'string' },
      logs: { type: 'string' },
      notebook_output: {
        type: 'object',
        properties: { result: { type: 'string' }, truncated: { type: 'boolean' } },
      },
      sql_output: { type: 'object' },
      dbt_output: { type: 'object' },
    },
  },
} as const
