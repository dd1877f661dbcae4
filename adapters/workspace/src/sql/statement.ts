import type { Outcome } from './outcome.ts'
import type { Disposition, Format } from './request.ts'

/** Where a statement stands. */
export type StatementStateName = 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED' | 'CLOSED'

/** A SQL statement that was taken on. */
export interface Statement {
  readonly id: string
  readonly creatorName: string
  readonly warehouseId: string
  readonly disposition: Disposition
  readonly format: Format
  readonly durationMs: number
  /** How many bytes its result has. */
  readonly resultBytes: number
  state: StatementStateName
  /** What it comes to; gone once nobody can ask for it any more. */
  outcome?: Outcome
}

/** Whether a statement has come to its end. */
export function isFinished({ state }: Statement): boolean {
  return state !== 'PENDING' && state !== 'RUNNING'
}
