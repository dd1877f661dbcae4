import { readForm } from '../engine/bracket-names.ts'
import { compileLinear } from '../engine/linear-pattern.ts'
import { type Entries, isObject } from '../engine/schema/schema.ts'
import { literalPattern } from '../routing/path-template.ts'
import { memberAt } from '../engine/schema/member.ts'
import type { Query } from '../message.ts'
import { type FilterExpression, isSame, type ReadField } from './filter-functions.ts'
import { type Holds, OF_LISTS, OPERATORS } from './json-operators.ts'

type Test = (read: ReadField) => boolean

/**
 * Reads `{ "stars": { "gt": 2 }, "or": [{ "title": "Tea" }, …] }`: filters as JSON, with operators that are written `gt`,
 * `$gt` or `_gt`.
 * @returns `undefined` for another text
 */
export function readJsonFilter(text: string): FilterExpression | undefined {
  const value = objectIn(text)
  const fields: string[] = []
  const passes = value === undefined ? undefined : testOf(value, [], fields)
  return passes && { fields, passes }
}

/** Deeper filters are none. */
const MAX_DEPTH = 32

function testOf(
  filter: Readonly<Record<string, unknown>>,
  above: readonly string[],
  fields: string[],
): Test | undefined {
  const tests = Object.entries(filter).map(([name, value]) => {
    const word = wordOf(name)
    if (JOINS.has(word) && Array.isArray(value)) {
      const parts = value.map((part: unknown) => (isObject(part) ? testOf(part, above, fields) : undefined))
      return all(parts, (some) => JOINS.get(word)?.(some) as Test)
    }
    if (word === 'not' && isObject(value))
      return all(
        [testOf(value, above, fields)],
        ([test]) =>
          (read) =>
            test?.(read) === false,
      )
    const path = [...above, name]
    if (path.length > MAX_DEPTH) return undefined
    const operators = isObject(value) ? Object.entries(value) : []
    const areOperators = operators.length > 0 && operators.every(([key]) => isOperator(key))
    if (isObject(value) && !areOperators) return testOf(value, path, fields)
    const field = path.join('.')
    fields.push(field)
    if (!areOperators) return (read: ReadField) => [value].flat().some((each) => isSame(read(field), each))
    return all(
      operators.map(([key, wanted]) => testBy(key, wanted, path)),
      (some) => (read) => some.every((test) => test(read)),
    )
  })
  return all(tests, (some) => (read) => some.every((test) => test(read)))
}

function testBy(name: string, wanted: unknown, path: readonly string[]): Test | undefined {
  const word = wordOf(name)
  const field = path.join('.')
  const isOfAll = word === 'allmatch'
  if (isOfAll || word === 'elemmatch') {
    const test = isObject(wanted) ? entryTest(wanted, path) : undefined
    return test && ((read) => hasEntries(read(field), test, isOfAll))
  }
  const holds = OF_LISTS.get(name) ?? OPERATORS.get(word) ?? patternIn(wanted)
  return holds && ((read) => holds(read(field), wanted))
}

// What an entry of a list must be, or what it must have.
function entryTest(
  wanted: Readonly<Record<string, unknown>>,
  path: readonly string[],
): ((entry: unknown) => boolean) | undefined {
  const operators = Object.entries(wanted)
  const areOperators = operators.length > 0 && operators.every(([key]) => isOperator(key))
  if (!areOperators) {
    const start = path.join('.').length + 1
    const test = testOf(wanted, path, [])
    return test && ((entry) => test((name) => memberAt(entry, name.slice(start).split('.'))))
  }
  const own = all(
    operators.map(([key, value]) => testBy(key, value, path)),
    (tests) => (read) => tests.every((test) => test(read)),
  )
  return own && ((entry) => own(() => entry))
}

function hasEntries(value: unknown, test: (entry: unknown) => boolean, isOfAll: boolean): boolean {
  if (!Array.isArray(value) || value.length === 0) return false
  return isOfAll ? value.every(test) : value.some(test)
}

// Some write a pattern as JavaScript does, between slashes, and literal text in it between `\Q` and `\E`.
function patternIn(wanted: unknown): Holds | undefined {
  const source = String(wanted)
    .replace(/^\/(.+)\/$/s, '$1')
    .split('\\Q')
    .map((part, index) => (index === 0 ? part : withLiteral(part)))
    .join('')
  if (source.length > MAX_PATTERN) return undefined
  try {
    const pattern = compileLinear(source)
    return (value) => typeof value === 'string' && pattern.test(value)
  } catch {
    return undefined
  }
}

function withLiteral(part: string): string {
  const [literal = '', ...rest] = part.split('\\E')
  return literalPattern(literal) + rest.join('')
}

/** Longer patterns are none. */
const MAX_PATTERN = 1000

const OTHER_OPERATORS: ReadonlySet<string> = new Set(['regexp', 'regex', 'elemmatch', 'allmatch'])

function isOperator(name: string): boolean {
  const word = wordOf(name)
  return OF_LISTS.has(name) || OPERATORS.has(word) || OTHER_OPERATORS.has(word)
}

function all(tests: readonly (Test | undefined)[], join: (tests: readonly Test[]) => Test): Test | undefined {
  const known = tests.filter((test) => test !== undefined)
  return known.length === tests.length ? join(known) : undefined
}

// `$gt`, `_gt` and `gt` are one.
function wordOf(name: string): string {
  return name.replace(/^[$_]/, '').toLowerCase()
}

const JOINS: ReadonlyMap<string, (tests: readonly Test[]) => Test> = new Map([
  ['and', (tests) => (read) => tests.every((test) => test(read))],
  ['or', (tests) => (read) => tests.some((test) => test(read))],
  ['nor', (tests) => (read) => !tests.some((test) => test(read))],
])

/** What a JSON parameter may hold that is not a filter of fields itself. */
const PARTS = /^(where|filters?|limit|take|skip|offset|order(by)?|sort|fields|select|include|search)$/i

/** What may be written with brackets instead: `filter[where][stars]=3`. */
const IN_BRACKETS = /^(filter|query)\[(where|limit|skip|offset|order|fields|include)\]/

// What is ordered by has a direction; an order by itself is what is bought.
function isInBrackets([name, value]: readonly [string, Query[string]]): boolean {
  const [, , part] = IN_BRACKETS.exec(name) ?? []
  return part === 'order' ? /\s(asc|desc)$/i.test(String(value)) : part !== undefined
}

/** A query in whose place of `filter={"where":…,"limit":2}` are `filter.where` and `filter.limit`. */
export function withJsonParts(query: Query): Query {
  const entries = Object.entries(query)
  const bracketed = entries.filter(isInBrackets)
  const others = entries.filter((entry) => !bracketed.includes(entry))
  if (
    bracketed.length === 0 &&
    !others.some(([, value]) => typeof value === 'string' && value.startsWith('{'))
  )
    return query
  return Object.fromEntries([
    ...others.flatMap(([name, value]): [string, Query[string]][] => {
      const parts = Object.entries((typeof value === 'string' && objectIn(value)) || {})
      if (parts.length === 0 || !parts.every(([key]) => PARTS.test(key))) return [[name, value]]
      return parts.map(([key, part]) => [`${name}.${key}`, textOf(key, part)])
    }),
    ...partsInBrackets(bracketed),
  ])
}

function partsInBrackets(entries: readonly (readonly [string, Query[string]])[]): [string, string][] {
  if (entries.length === 0) return []
  const pairs = entries.flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  )
  return Object.entries(readForm(new URLSearchParams(pairs).toString())).flatMap(([name, parts]) =>
    Object.entries(parts as Entries).map(([key, part]): [string, string] => [
      `${name}.${key}`,
      textOf(key, part),
    ]),
  )
}

/**
 * What names with brackets after a name say of fields: `where[price][gt]=5&where[or][0][state]=new`; `undefined` where
 * that is nothing that can be read, or nothing of a field.
 */
export function readNestedFilter(
  name: string,
  given: Iterable<readonly [name: string, values: readonly string[]]>,
  isField: (field: string) => boolean,
): FilterExpression | undefined {
  const pairs = [...given].flatMap(([each, values]) =>
    values.map((value): [string, string] => [values.length > 1 ? `${each}[]` : each, value]),
  )
  const tree = readForm(new URLSearchParams(pairs).toString())[name]
  const parts = Object.entries(isObject(tree) ? tree : {}).flatMap(([key, part]) => {
    const fields: string[] = []
    const passes = testOf({ [key]: part }, [], fields)
    return passes !== undefined && fields.every(isField) ? [{ fields, passes }] : []
  })
  if (parts.length === 0) return undefined
  return {
    fields: parts.flatMap(({ fields }) => fields),
    passes: (read) => parts.every(({ passes }) => passes(read)),
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

// Names in a list, and those that an object has as true, stand between commas.
function textOf(key: string, part: unknown): string {
  if (Array.isArray(part)) return part.map(String).join(',')
  if (!isObject(part)) return String(part)
  const chosen = Object.entries(part).filter(([, isWanted]) => IS_WANTED.has(isWanted))
  const isNames = !/^(where|filters?)$/i.test(key) && chosen.length > 0
  return isNames && chosen.length === Object.keys(part).length
    ? chosen.map(([name]) => name).join(',')
    : JSON.stringify(part)
}

const IS_WANTED: ReadonlySet<unknown> = new Set([true, 1, 'true', '1'])
