import type { CallOutcome } from '../../../engine/call-model.ts'

/** Why a query is refused; `unknown` for what is not known here, which nothing is said of. */
export type Reason =
  'syntax' | 'type' | 'empty' | 'unknown' | 'parameter' | 'order' | 'noMatch' | 'rangeOfMatrix'

/** A query that is refused. */
export class Refusal extends Error {
  readonly reason: Reason
  readonly values: Readonly<Record<string, string | number>>

  constructor(reason: Reason, values: Readonly<Record<string, string | number>> = {}) {
    super(reason)
    this.reason = reason
    this.values = values
  }
}

/** How a server refuses queries that are not PromQL. */
export interface RefusalForm {
  readonly status: number
  readonly errorType: string
}

const TEXTS: Readonly<Record<Exclude<Reason, 'unknown'>, string>> = {
  syntax: 'invalid parameter "query": 1:{at}: parse error: unexpected input',
  type: 'invalid parameter "query": 1:1: parse error: expected type {expected}, got {found}',
  empty:
    'invalid parameter "query": 1:1: parse error: vector selector must contain at least one non-empty matcher',
  parameter: 'invalid parameter "{name}": cannot parse "{value}" to a valid {type}',
  order: 'invalid parameter "end": end timestamp must not be before start time',
  noMatch: 'no match[] parameter provided',
  rangeOfMatrix:
    'invalid parameter "query": invalid expression type "range vector" for range query, must be Scalar or instant Vector',
}

/** The answer to a refused query; `undefined` for one of which nothing is known. */
export function refused({ reason, values }: Refusal, form: RefusalForm | undefined): CallOutcome | undefined {
  if (reason === 'unknown') return undefined
  const { status, errorType } = form ?? { status: 400, errorType: 'bad_data' }
  const error = TEXTS[reason].replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ''))
  return { status, error: { status: 'error', errorType, error } }
}
