import { invalid, workspaceError } from '../errors.ts'
import { type Body, optionalInteger, optionalObjects, optionalText, requiredText } from '../fields.ts'

const QUOTES = new Set(["'", '"', '`'])
const WORD = /[^\s'"`/-]/

/**
 * A statement as normalized matchers compare it: without comments, final semicolons and superfluous blanks, and in
 * lower case outside of quotes. Reads each character once.
 */
export function normalizeSql(text: string): string {
  const parts: string[] = []
  let isBlankDue = false
  const push = (part: string): void => {
    parts.push(isBlankDue && parts.length > 0 ? ` ${part}` : part)
    isBlankDue = false
  }
  for (let at = 0; at < text.length;) {
    const end = endOfBlank(text, at)
    if (end > at) {
      isBlankDue = true
      at = end
      continue
    }
    const next = QUOTES.has(text.charAt(at)) ? endOfQuote(text, at) : endOfWord(text, at)
    const part = text.slice(at, next)
    push(QUOTES.has(part.charAt(0)) ? part : part.toLowerCase())
    at = next
  }
  return withoutEnd(parts.join(''))
}

function endOfBlank(text: string, at: number): number {
  if (/\s/.test(text.charAt(at))) return at + 1
  if (text.startsWith('--', at)) return orEnd(text, text.indexOf('\n', at))
  if (text.startsWith('/*', at)) return orEnd(text, text.indexOf('*/', at + 2), 2)
  return at
}

// A quote is doubled or escaped within itself; doubled ones read as two quotes side by side, which is the same here.
function endOfQuote(text: string, at: number): number {
  const quote = text.charAt(at)
  for (let next = at + 1; next < text.length; next += 1) {
    if (text.charAt(next) === '\\' && quote !== '`') next += 1
    else if (text.charAt(next) === quote) return next + 1
  }
  return text.length
}

function endOfWord(text: string, at: number): number {
  let next = at + 1
  while (next < text.length && WORD.test(text.charAt(next))) next += 1
  return next
}

function orEnd(text: string, found: number, length = 0): number {
  return found < 0 ? text.length : found + length
}

function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' ;'.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** A statement to execute, as its client requests it. */
export interface StatementRequest {
  readonly statement: string
  /** The statement without what normalized matchers overlook. */
  normalized(): string
  readonly warehouseId: string
  readonly parameters: ReadonlyMap<string, string | null>
  readonly catalog: string | undefined
  readonly schema: string | undefined
  readonly waitMs: number
  readonly cancelsOnTimeout: boolean
  readonly disposition: Disposition
  readonly format: Format
  readonly rowLimit: number
  readonly byteLimit: number
}

/** Where results go: into the answer, or behind links. */
export type Disposition = 'INLINE' | 'EXTERNAL_LINKS'

/** How results are written. */
export type Format = 'JSON_ARRAY' | 'CSV'

const MAX_STATEMENT = 16 * 1024 * 1024

/** Reads a request. */
export function readRequest(body: Body): StatementRequest {
  const statement = requiredText(body, 'statement')
  if (Buffer.byteLength(statement) > MAX_STATEMENT)
    throw invalid(`The statement must have at most ${MAX_STATEMENT} bytes.`)
  let normalized: string | undefined
  const disposition = oneOf(body, 'disposition', ['INLINE', 'EXTERNAL_LINKS'])
  return {
    statement,
    normalized: () => (normalized ??= normalizeSql(statement)),
    warehouseId: requiredText(body, 'warehouse_id'),
    parameters: readParameters(body),
    catalog: optionalText(body, 'catalog'),
    schema: optionalText(body, 'schema'),
    waitMs: readWait(optionalText(body, 'wait_timeout') ?? '10s'),
    cancelsOnTimeout: oneOf(body, 'on_wait_timeout', ['CONTINUE', 'CANCEL']) === 'CANCEL',
    disposition,
    format: readFormat(body, disposition),
    rowLimit: limitOf(body, 'row_limit'),
    byteLimit: limitOf(body, 'byte_limit'),
  }
}

function readWait(text: string): number {
  const seconds = Number(/^(\d{1,2})s$/.exec(text)?.[1])
  if (seconds === 0 || (seconds >= 5 && seconds <= 50)) return seconds * 1000
  throw invalid(`wait_timeout must be 0s, or from 5s to 50s, not '${text.slice(0, 100)}'.`)
}

function readFormat(body: Body, disposition: Disposition): Format {
  const format = oneOf(body, 'format', ['JSON_ARRAY', 'ARROW_STREAM', 'CSV'])
  if (disposition === 'INLINE' && format !== 'JSON_ARRAY')
    throw invalid('The format field must be JSON_ARRAY when the disposition field is INLINE.')
  if (format === 'ARROW_STREAM')
    throw invalid('The format ARROW_STREAM is not simulated here; use JSON_ARRAY or CSV.')
  return format
}

function readParameters(body: Body): ReadonlyMap<string, string | null> {
  const parameters = new Map<string, string | null>()
  for (const parameter of optionalObjects(body, 'parameters') ?? []) {
    const name = requiredText(parameter, 'name')
    if (parameters.has(name)) throw invalid(`The parameter '${name}' is given twice.`)
    parameters.set(name, optionalText(parameter, 'value') ?? null)
  }
  return parameters
}

function limitOf(body: Body, name: string): number {
  const limit = optionalInteger(body, name)
  if (limit !== undefined && limit <= 0)
    throw workspaceError('INVALID_PARAMETER_VALUE', `${name} must be positive.`)
  return limit ?? Number.POSITIVE_INFINITY
}

function oneOf<Value extends string>(body: Body, name: string, values: readonly [Value, ...Value[]]): Value {
  const text = optionalText(body, name) ?? values[0]
  const value = values.find((each) => each === text)
  if (value !== undefined) return value
  throw invalid(`${name} must be one of ${values.join(', ')}.`)
}
