import { isObject } from '../engine/schema/schema.ts'
import { readJsonFilter } from './json-filter.ts'
import {
  type FilterExpression,
  FUNCTIONS,
  isPresent,
  isSame,
  OPERATIONS,
  type ReadField,
  SIGNS,
} from './filter-functions.ts'

/**
 * Reads `stock lt 20 and contains(title,'Raven')`: the filters of OData (URL Conventions 4.01, section 5.1.1) and of
 * SCIM (RFC 7644, section 3.4.2.2, without filters of members), or as JSON, such as `{ "stock": { "lt": 20 } }`.
 * @returns `undefined` for another text
 */
export function readExpression(text: string): FilterExpression | undefined {
  const asJson = readJsonFilter(text)
  if (asJson !== undefined) return asJson
  return readWith(text, (parser, fields) => {
    const passes = parser.either()
    return passes && { fields, passes }
  })
}

/**
 * Reads what stands at one side of a comparison, such as `price mul 2` or `tolower(author/name)`.
 * @returns what gives its value; `undefined` for another text
 */
export function readOperand(text: string): ((read: ReadField) => unknown) | undefined {
  return readWith(text, (parser) => parser.value())
}

function readWith<Found>(
  text: string,
  read: (parser: Parser, fields: string[]) => Found | undefined,
): Found | undefined {
  const tokens = tokensOf(text)
  if (tokens === undefined || tokens.length === 0) return undefined
  const fields: string[] = []
  const parser = createParser([...tokens], fields)
  const found = read(parser, fields)
  return parser.isAtEnd() ? found : undefined
}

type Test = (read: ReadField) => boolean
type Value = (read: ReadField) => unknown

const MAX_BRACKETS = 200
const TOKEN = /'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[(),]|[^\s(),'"]+|\s+/gy

function tokensOf(text: string): readonly string[] | undefined {
  const tokens = text.match(TOKEN) ?? []
  // A quote without its end is in none of them, and nothing after it.
  const isDeep = tokens.filter((token) => token === '(').length > MAX_BRACKETS
  return tokens.join('') === text && !isDeep ? tokens.filter((token) => token.trim() !== '') : undefined
}

interface Parser {
  either(): Test | undefined
  value(): Value | undefined
  isAtEnd(): boolean
}

function createParser(tokens: string[], fields: string[]): Parser {
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
    let left = operand()
    for (let sign = takes(...Object.keys(SIGNS)); sign !== undefined; sign = takes(...Object.keys(SIGNS))) {
      const [before, right, compute] = [left, operand(), SIGNS[sign]]
      if (before === undefined || right === undefined || compute === undefined) return undefined
      left = (read) => compute(Number(before(read)), Number(right(read)))
    }
    return left
  }
  // `orders/any(o:o/amount gt 5)`, and `orders/any()` for any at all.
  const lambda = (list: string, isAny: boolean): Value | undefined => {
    fields.push(list)
    const itemsOf = (read: ReadField): readonly unknown[] => [read(list) ?? []].flat()
    if (isAny && takes(')') !== undefined) return (read) => itemsOf(read).length > 0
    const [, name, rest = ''] = /^([A-Za-z_]\w*):(.*)$/s.exec(tokens[at] ?? '') ?? []
    if (name === undefined) return undefined
    if (rest === '') at++
    else tokens[at] = rest
    const before = fields.length
    const test = either()
    fields.splice(before)
    if (test === undefined || takes(')') === undefined) return undefined
    const holds = (item: unknown, read: ReadField): boolean =>
      test((field) => (field === name || field.startsWith(`${name}.`) ? memberOf(item, field) : read(field)))
    return (read) =>
      isAny
        ? itemsOf(read).some((item) => holds(item, read))
        : itemsOf(read).every((item) => holds(item, read))
  }
  const operand = (): Value | undefined => {
    const token = tokens[at]
    if (token === undefined || /^[(),]$/.test(token)) return undefined
    at++
    const call = FUNCTIONS.get(token.toLowerCase())
    if (call !== undefined && takes('(') !== undefined) {
      const values = list()
      return values && ((read) => call(...values.map((each) => each(read))))
    }
    const [, listed, which] = /^([\w/.@-]+)\/(any|all)$/.exec(token) ?? []
    if (listed !== undefined && takes('(') !== undefined)
      return lambda(listed.replaceAll('/', '.'), which === 'any')
    const literal = literalOf(token)
    if (literal !== undefined) return () => literal.value
    if (!/^[A-Za-z_@][\w./@-]*$/.test(token)) return undefined
    const field = token.replaceAll('/', '.')
    fields.push(field)
    return (read) => read(field)
  }
  return { either, value, isAtEnd: () => at === tokens.length }
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

// What a variable's path leads to within the item that it stands for.
function memberOf(item: unknown, field: string): unknown {
  const [, ...names] = field.split('.')
  return names.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), item)
}
