import type { WorkspaceConfig } from '../part.ts'
import type { FixtureResult, StatementError } from './result.ts'

/** A statement as callbacks see it. */
export interface StatementCall {
  readonly statement: string
  readonly parameters: Readonly<Record<string, string | null>>
  readonly warehouseId: string
  readonly catalog: string | undefined
  readonly schema: string | undefined
}

/** What a callback answers: rows, or why the statement fails. */
export type StatementAnswer = FixtureResult | { readonly error: StatementError }

/** Answers the statements of matchers that name it. */
export type StatementCallback = (call: StatementCall) => StatementAnswer | Promise<StatementAnswer>

interface CallbackConfig {
  readonly statementCallbacks?: Readonly<Record<string, StatementCallback>>
}

/** The callbacks that fixtures may name; no other code is ever run for them. */
export function callbacksOf({
  statementCallbacks = {},
}: WorkspaceConfig & CallbackConfig): ReadonlyMap<string, StatementCallback> {
  return new Map(Object.entries(statementCallbacks))
}
