import type { ReportProblem } from 'sim-gateway/adapter'
import type { WorkspaceFixture } from '../part.ts'
import type { FixtureMatcher } from './matcher.ts'
import { compilePattern } from './pattern.ts'

const text = { type: 'string', minLength: 1 }

/** JSON Schema of the fixture's `statements`. */
export const statementsSchema = {
  type: 'array',
  description:
    'What SQL statements come to. The first that fits a statement answers it; there is no SQL engine.',
  items: {
    type: 'object',
    properties: {
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
      result: {
        type: 'object',
        required: ['columns'],
        properties: {
          columns: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name', 'type'],
              properties: {
                name: { type: 'string' },
                type: { ...text, description: 'A SQL type, e.g. BIGINT or DECIMAL(10,2).' },
              },
            },
          },
          rows: { type: 'array', items: { type: 'array' } },
          rowsPerChunk: { type: 'integer', minimum: 1, description: 'Default: all rows in one chunk.' },
        },
      },
      error: {
        type: 'object',
        required: ['message'],
        properties: {
          code: { ...text, description: 'Default: BAD_REQUEST.' },
          message: { type: 'string' },
          sqlState: { type: 'string', description: 'E.g. 42P01.' },
        },
      },
      callback: {
        ...text,
        description: 'The name of a callback of the configuration: `statementCallbacks`.',
      },
    },
  },
}

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
