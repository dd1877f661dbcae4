type ReadField = (field: string) => unknown

/** A filter that is written as one text. */
export interface FilterExpression {
  /** The fields that it speaks of, with dots between the names of nested ones. */
  readonly fields: readonly string[]
  /** @param read gives the value of a field of what is to be tested */
  readonly passes: (read: ReadField) => boolean
}

/**
 * Reads `stock lt 20 and contains(title,'Raven')`: the filters of OData (URL Conventions 4.01, section 5.1.1, without
 * lambdas and arithmetic) and of SCIM (RFC 7644, section 3.4.2.2, without filters of members).
 * @returns `undefined` for another text
 */
export function readExpression(text: string): FilterExpression | undefined {
  const tokens = tokensOf(text)
  if (tokens === undefined || tokens.length === 0) return undefined
  const fields: string[] = []
  const parser = createParser(tokens, fields)
  const passes = parser.either()
  return passes === undefined || !parser.isAtEnd() ? undefined : { fields, passes }
}

type Test = (read: ReadField) => boolean
type Value = (read: ReadField) => unknown

const MAX_BRACKETS = 200
const TOKEN = /'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[(),]|[^\s(),'"]+|\s+/g

function tokensOf(text: string): readonly string[] | undefined {
  const tokens = text.match(TOKEN) ?? []
  // A quote without its end is in none of them.
  const isDeep = tokens.filter((token) => token === '(').length > MAX_BRACKETS
  return tokens.join('') === text && !isDeep ? tokens.filter((token) => token.trim() !== '') : undefined
}

interface Parser {
  either(): Test | undefined
  isAtEnd(): boolean
}

function createParser(tokens: readonly string[], fields: string[]): Parser {
  let at = 0
  const takes = (...words: readonly string[]): string | undefined => {
    const word = tokens[at]?.toLowerCase()
    if (word === undefined || !words.includes(word)) return undefined
    at++
    return word
  }
  const joined = (word: string, part: () => Test | undefined, join: Join): Test | undefined => {
    const first = part()
    if (first === undefined) return undefined
    const tests = [first]
    while (takes(word) !== undefined) {
      const next = part()
      if (next === undefined) return undefined
      tests.push(next)
    }
    return (read) => join(tests, read)
  }
  const either = (): Test | undefined => joined('or', both, (tests, read) => tests.some((test) => test(read)))
  const both = (): Test | undefined => joined('and', one, (tests, read) => tests.every((test) => test(read)))
  const one = (): Test | undefined => {
    if (takes('not') !== undefined) {
      const test = one()
      return test && ((read) => !test(read))
    }
    if (takes('(') === undefined) return comparison()
    const inner = either()
    return takes(')') === undefined ? undefined : inner
  }
  const comparison = (): Test | undefined => {
    const left = value()
    if (left === undefined) return undefined
    if (takes('pr') !== undefined) return (read) => isPresent(left(read))
    if (takes('in') !== undefined) {
      const values = takes('(') === undefined ? undefined : list()
      return values && ((read) => values.some((each) => isSame(left(read), each(read))))
    }
    const operator = takes(...Object.keys(OPERATIONS))
    if (operator === undefined) return (read) => left(read) === true
    const right = value()
    const holds = OPERATIONS[operator]
    return right && holds && ((read) => holds(left(read), right(read)))
  }
  const list = (): readonly Value[] | undefined => {
    const values: Value[] = []
    do {
      const next = value()
      if (next === undefined) return undefined
      values.push(next)
    } while (takes(',') !== undefined)
    return takes(')') === undefined ? undefined : values
  }
  const value = (): Value | undefined => {
    const token = tokens[at]
    if (token === undefined || /^[(),]$/.test(token)) return undefined
    at++
    const call = FUNCTIONS.get(token.toLowerCase())
    if (call !== undefined && takes('(') !== undefined) {
      const values = list()
      return values && ((read) => call(...values.map((each) => each(read))))
    }
    const literal = literalOf(token)
    if (literal !== undefined) return () => literal.value
    if (!/^[A-Za-z_@][\w./@-]*$/.test(token)) return undefined
    const field = token.replaceAll('/', '.')
    fields.push(field)
    return (read) => read(field)
  }
  return { either, isAtEnd: () => at === tokens.length }
}

type Join = (tests: readonly Test[], read: ReadField) => boolean

function literalOf(token: string): { readonly value: unknown } | undefined {
  if (token.startsWith("'")) return { value: token.slice(1, -1).replaceAll("''", "'") }
  if (token.startsWith('"')) return { value: token.slice(1, -1).replaceAll(/\\(.)/g, '$1') }
  if (/^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(token)) return { value: Number(token) }
  // Dates, times and UUIDs stand without quotes.
  if (/^\d{4}-\d\d-\d\d|^[\da-f]{8}-[\da-f]{4}-/i.test(token)) return { value: token }
  return WORDS.has(token) ? { value: WORDS.get(token) } : undefined
}

const WORDS = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

const OPERATIONS: Readonly<Record<string, (left: unknown, right: unknown) => boolean>> = {
  eq: isSame,
  ne: (left, right) => !isSame(left, right),
  gt: (left, right) => compare(left, right) > 0,
  ge: (left, right) => compare(left, right) >= 0,
  lt: (left, right) => compare(left, right) < 0,
  le: (left, right) => compare(left, right) <= 0,
  co: (left, right) => holds(left, right, 'includes'),
  sw: (left, right) => holds(left, right, 'startsWith'),
  ew: (left, right) => holds(left, right, 'endsWith'),
}

const FUNCTIONS = new Map<string, (...values: readonly unknown[]) => unknown>(
  Object.entries({
    contains: (text: unknown, part: unknown) => holds(text, part, 'includes'),
    substringof: (part: unknown, text: unknown) => holds(text, part, 'includes'),
    startswith: (text: unknown, part: unknown) => holds(text, part, 'startsWith'),
    endswith: (text: unknown, part: unknown) => holds(text, part, 'endsWith'),
    tolower: (text: unknown) => (typeof text === 'string' ? text.toLowerCase() : null),
    toupper: (text: unknown) => (typeof text === 'string' ? text.toUpperCase() : null),
    trim: (text: unknown) => (typeof text === 'string' ? text.trim() : null),
    length: (text: unknown) => (typeof text === 'string' ? text.length : null),
    concat: (some: unknown, other: unknown) => `${textOf(some)}${textOf(other)}`,
    indexof: (text: unknown, part: unknown) => textOf(text).indexOf(textOf(part)),
    year: (date: unknown) => Number(textOf(date).slice(0, 4)),
    month: (date: unknown) => Number(textOf(date).slice(5, 7)),
    day: (date: unknown) => Number(textOf(date).slice(8, 10)),
  }),
)

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

// One value of several is enough. What is not there is null.
function isSame(left: unknown, right: unknown): boolean {
  if (Array.isArray(left)) return left.some((each) => isSame(each, right))
  const [some, other] = [left ?? null, right ?? null]
  return some === other || (some !== null && other !== null && compare(some, other) === 0)
}

// Not a number where they cannot be compared.
function compare(left: unknown, right: unknown): number {
  const [some, other] = [left ?? null, right ?? null]
  if (some === null || other === null) return Number.NaN
  if (typeof some === 'number' || typeof other === 'number') return Number(some) - Number(other)
  const [one, two] = [textOf(some), textOf(other)]
  if (one === two) return 0
  return one < two ? -1 : 1
}

function holds(text: unknown, part: unknown, by: 'includes' | 'startsWith' | 'endsWith'): boolean {
  return isPresent(text) && textOf(text)[by](textOf(part))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}
