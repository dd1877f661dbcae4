import type { Match, Matcher } from './matcher.ts'
import type { Disposition, Format, StatementRequest } from './request.ts'
import {
  bytesOfRows,
  createResult,
  type FixtureResult,
  type Result,
  type StatementAnswer,
  type StatementCallback,
  type StatementError,
} from './result.ts'

/** What a statement comes to, once it is executed. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'error'; readonly error: StatementError }

const MAX_INLINE = 25 * 1024 * 1024

/** What a statement comes to, by what matched it. Never throws: what goes wrong is the statement's failure. */
export async function outcomeOf(
  match: Match,
  request: StatementRequest,
  callbacks: ReadonlyMap<string, StatementCallback>,
): Promise<Outcome> {
  if (match.kind === 'none')
    return failure(
      'No matcher in `statements` of the fixture fits this statement, its parameters and its warehouse.',
    )
  const at = `/statements/${match.matcher.index}`
  if (match.kind === 'too-slow')
    return failure(
      `The pattern of the fixture at ${at} takes too long on this statement; write it without nested repetition.`,
    )
  const answer = await answerOf(match.matcher, request, callbacks, at)
  if ('error' in answer) return { kind: 'error', error: answer.error }
  const flaw = flawOf(answer)
  if (flaw !== undefined) return failure(`The result of the fixture's ${at} ${flaw}.`)
  const result = createResult(answer, request)
  if (request.disposition === 'INLINE' && bytesOfRows(result.rows) > MAX_INLINE)
    return failure(`The result is larger than ${MAX_INLINE} bytes; use the disposition EXTERNAL_LINKS.`)
  return { kind: 'result', result }
}

async function answerOf(
  { result, error, callback: name }: Matcher,
  request: StatementRequest,
  callbacks: ReadonlyMap<string, StatementCallback>,
  at: string,
): Promise<StatementAnswer> {
  if (error !== undefined) return { error }
  if (result !== undefined) return result
  const callback = callbacks.get(name ?? '')
  if (callback === undefined)
    return {
      error: { message: `The fixture's ${at} names '${name}', which is not among statementCallbacks.` },
    }
  const { statement, parameters, warehouseId, catalog, schema } = request
  try {
    return await callback({
      statement,
      parameters: Object.fromEntries(parameters),
      warehouseId,
      catalog,
      schema,
    })
  } catch (thrown) {
    return {
      error: {
        message: `The callback '${name}' threw: ${thrown instanceof Error ? thrown.message : 'no error'}`,
      },
    }
  }
}

// Fixtures are checked when they are loaded; callbacks are not.
function flawOf({ columns, rows = [], rowsPerChunk = 1 }: FixtureResult): string | undefined {
  if (!Array.isArray(columns) || !Array.isArray(rows)) return 'must have columns and rows'
  if (!Number.isInteger(rowsPerChunk) || rowsPerChunk < 1) return 'must have a rowsPerChunk of 1 or more'
  const index = rows.findIndex((row) => !Array.isArray(row) || row.length !== columns.length)
  return index < 0 ? undefined : `must have ${columns.length} values in row ${index}, as it has columns`
}

function failure(message: string): Outcome {
  return { kind: 'error', error: { message } }
}

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
