import type { CallOutcome } from '../../../engine/call-model.ts'

/** Why a query is refused; `unknown` for what is not known here, which nothing is said of. */
export type Reason = keyof typeof TEXTS | 'unknown'

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
  /** What is said where there is no query. */
  readonly noQuery?: string
}

const TEXTS = {
  none: 'invalid parameter "query": unknown position: parse error: no expression found in input',
  syntax: 'invalid parameter "query": 1:{at}: parse error: unexpected input',
  type: 'invalid parameter "query": 1:1: parse error: expected type {expected}, got {found}',
  empty:
    'invalid parameter "query": 1:1: parse error: vector selector must contain at least one non-empty matcher',
  parameter: 'invalid parameter "{name}": cannot parse "{value}" to a valid {type}',
  order: 'invalid parameter "end": end timestamp must not be before start time',
  noMatch: 'no match[] parameter provided',
  rangeOfMatrix:
    'invalid parameter "query": invalid expression type "range vector" for range query, must be Scalar or instant Vector',
  regexp: 'invalid parameter "query": 1:1: parse error: error parsing regexp: `^(?:{source})$`',
  step: 'invalid parameter "step": zero or negative query resolution step widths are not accepted. Try a positive integer',
  points:
    'exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)',
  label: 'invalid label name: "{name}"',
  tooMany: 'query processing would load too many samples into memory in query execution',
  manyToMany:
    'found duplicate series for the match group on the {side} hand-side of the operation;many-to-many matching not allowed: matching labels must be unique on one side',
  manyToOne: 'multiple matches for labels: many-to-one matching must be explicit (group_left/group_right)',
}

const OF_EXECUTION: ReadonlySet<Reason> = new Set(['tooMany', 'manyToMany', 'manyToOne'])
const BAD_DATA: RefusalForm = { status: 400, errorType: 'bad_data' }

/** The answer to a refused query; `undefined` for one of which nothing is known. @param accepted what the server does not refuse */
export function refused(
  { reason, values }: Refusal,
  form: RefusalForm | undefined,
  accepted: readonly Reason[],
): CallOutcome | undefined {
  if (reason === 'unknown' || accepted.includes(reason)) return undefined
  const { status, errorType } =
    OF_EXECUTION.has(reason) && (form ?? BAD_DATA).errorType === BAD_DATA.errorType
      ? { status: 422, errorType: 'execution' }
      : (form ?? BAD_DATA)
  const text = reason === 'none' ? (form?.noQuery ?? TEXTS.none) : TEXTS[reason]
  const error = text.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ''))
  return { status, error: { status: 'error', errorType, error } }
}
