import { compilePattern, fitsWithin } from './pattern.ts'
import { normalizeSql } from './normalize.ts'
import type { FixtureResult, StatementError } from './result.ts'
import type { StatementRequest } from './request.ts'

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
