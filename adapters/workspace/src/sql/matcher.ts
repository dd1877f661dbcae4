import { createContext, Script } from 'node:vm'
import { objectOf, objectsOf, type ReportProblem } from 'sim-gateway/adapter'
import type { WorkspaceFixture } from '../part.ts'
import { normalizeSql, type StatementRequest } from './request.ts'
import type { FixtureResult, StatementError } from './result.ts'

const sandbox = createContext(Object.create(null) as object, {
  codeGeneration: { strings: false, wasm: false },
})
const test = new Script('pattern.test(text)')

/** The expression of a fixture's pattern: it fits whole statements, whatever their case. */
export function compilePattern(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`, 'is')
}

/** Whether an expression fits a text; `undefined` when that cannot be found out within `timeoutMs`, as with runaway backtracking. */
export function fitsWithin(expression: RegExp, text: string, timeoutMs: number): boolean | undefined {
  Object.assign(sandbox, { pattern: expression, text })
  try {
    return test.runInContext(sandbox, { timeout: timeoutMs }) as boolean
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  } finally {
    Object.assign(sandbox, { pattern: undefined, text: undefined })
  }
}

/** What statements a fixture answers, and how. */
export interface FixtureMatcher {
  /** Fits a statement that is this text, character by character. */
  readonly text?: string
  /** Fits a statement that is this one but for comments, blanks, case outside of quotes and final semicolons. */
  readonly sql?: string
  /** A regular expression that fits whole statements, whatever their case. */
  readonly pattern?: string
  readonly parameters?: Readonly<Record<string, string | number | boolean | null>>
  readonly warehouse?: string
  readonly catalog?: string
  readonly schema?: string
  /** How many statements it answers before it steps back for those after it. */
  readonly times?: number
  readonly durationMs?: number
  readonly result?: FixtureResult
  readonly error?: StatementError
  readonly callback?: string
}

/** A matcher, and where it stands in the fixture. */
export interface Matcher extends FixtureMatcher {
  readonly index: number
}

/** What matching a statement came to. */
export type Match =
  | { readonly kind: 'found'; readonly matcher: Matcher }
  | { readonly kind: 'none' }
  | { readonly kind: 'too-slow'; readonly matcher: Matcher }

type Fits = (request: StatementRequest, budgetMs: number) => boolean | undefined

const PATTERN_BUDGET_MS = 1000

/** Finds the first matcher that fits a statement; patterns have a second for all of them together. */
export function createFinder(
  matchers: readonly FixtureMatcher[],
): (request: StatementRequest, isUsedUp: (matcher: Matcher) => boolean) => Match {
  const prepared = matchers.map((matcher, index) => ({
    matcher: { ...matcher, index },
    fits: fitOf(matcher),
  }))
  return (request, isUsedUp) => {
    const end = performance.now() + PATTERN_BUDGET_MS
    for (const { matcher, fits } of prepared) {
      if (isUsedUp(matcher) || !fitsContext(matcher, request)) continue
      const isFit = fits(request, Math.max(1, Math.ceil(end - performance.now())))
      if (isFit === undefined) return { kind: 'too-slow', matcher }
      if (isFit) return { kind: 'found', matcher }
    }
    return { kind: 'none' }
  }
}

function fitOf({ text, sql, pattern }: FixtureMatcher): Fits {
  if (text !== undefined) return ({ statement }) => statement === text
  if (sql !== undefined) {
    const normalized = normalizeSql(sql)
    return (request) => request.normalized() === normalized
  }
  const expression = compilePattern(pattern ?? '')
  return ({ statement }, budgetMs) => fitsWithin(expression, statement.trim(), budgetMs)
}

function fitsContext(matcher: FixtureMatcher, request: StatementRequest): boolean {
  const { parameters = {}, warehouse, catalog, schema } = matcher
  return (
    (warehouse ?? request.warehouseId) === request.warehouseId &&
    (catalog ?? request.catalog) === request.catalog &&
    (schema ?? request.schema) === request.schema &&
    Object.entries(parameters).every(([name, value]) => {
      const given = request.parameters.get(name)
      return given !== undefined && given === (value === null ? null : String(value))
    })
  )
}

const text = { type: 'string', minLength: 1 }

export const statementsSchema = objectsOf(
  [],
  {
    text: { ...text, description: 'Fits a statement that is this text, character by character.' },
    sql: {
      ...text,
      description:
        'Fits a statement that is this but for comments, blanks, case outside of quotes and final semicolons.',
    },
    pattern: {
      ...text,
      description: 'A regular expression that fits whole statements, whatever their case.',
    },
    parameters: {
      type: 'object',
      description: 'Values that parameters of the statement must have; null for NULL.',
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    },
    warehouse: { ...text, description: 'The id of the only warehouse whose statements it fits.' },
    catalog: text,
    schema: text,
    times: { type: 'integer', minimum: 1, description: 'How many statements it answers. Default: all.' },
    durationMs: {
      type: 'integer',
      minimum: 0,
      description: 'How long they run on the virtual clock. Default: 0.',
    },
    result: objectOf(['columns'], {
      columns: objectsOf(['name', 'type'], {
        name: { type: 'string' },
        type: { ...text, description: 'A SQL type, e.g. BIGINT or DECIMAL(10,2).' },
      }),
      rows: { type: 'array', items: { type: 'array' } },
      rowsPerChunk: { type: 'integer', minimum: 1, description: 'Default: all rows in one chunk.' },
    }),
    error: objectOf(['message'], {
      code: { ...text, description: 'Default: BAD_REQUEST.' },
      message: { type: 'string' },
      sqlState: { type: 'string', description: 'E.g. 42P01.' },
    }),
    callback: {
      ...text,
      description: 'The name of a callback of the configuration: `statementCallbacks`.',
    },
  },
  {
    description:
      'What SQL statements come to. The first that fits a statement answers it; there is no SQL engine.',
  },
)

/** Reports matchers that do not say what they fit or answer, and patterns and rows that cannot be. */
export function checkStatements(fixture: WorkspaceFixture, report: ReportProblem): void {
  const matchers = (fixture['statements'] ?? []) as readonly FixtureMatcher[]
  for (const [index, matcher] of matchers.entries()) {
    const at = ['statements', index]
    requireOne(matcher, ['text', 'sql', 'pattern'], at, report)
    requireOne(matcher, ['result', 'error', 'callback'], at, report)
    if (matcher.pattern !== undefined && !isPattern(matcher.pattern))
      report([...at, 'pattern'], 'must be a regular expression')
    const { columns = [], rows = [] } = matcher.result ?? {}
    for (const [row, values] of rows.entries())
      if (values.length !== columns.length)
        report([...at, 'result', 'rows', row], `must have ${columns.length} values, as there are columns`)
  }
}

function requireOne(
  matcher: FixtureMatcher,
  keys: readonly (keyof FixtureMatcher)[],
  at: readonly (string | number)[],
  report: ReportProblem,
): void {
  if (keys.filter((key) => matcher[key] !== undefined).length !== 1)
    report(at, `must have exactly one of ${keys.join(', ')}`)
}

function isPattern(pattern: string): boolean {
  try {
    return compilePattern(pattern) instanceof RegExp
  } catch {
    return false
  }
}
