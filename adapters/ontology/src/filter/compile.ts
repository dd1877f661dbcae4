import { ApiError, type ErrorName, invalidArgument } from '../errors.ts'
import { isRecord, textOf } from '../values/value.ts'
import { COMPARISONS } from './comparison.ts'
import { INTERVAL } from './interval.ts'
import type { FilterContext, Operator, Predicate } from './operator.ts'
import { PATTERNS } from './patterns.ts'
import { PLACE_OPERATORS } from './places.ts'
import { RELATIVE_DATE } from './relative-date.ts'
import { TERMS } from './terms.ts'

const several =
  (empty: ErrorName, join: (tests: readonly Predicate[]) => Predicate): Operator =>
  ({ value }, _, inner) => {
    if (!Array.isArray(value) || value.length === 0)
      throw new ApiError(empty, {}, 'it needs at least one clause')
    return join(value.map(inner))
  }

/** The clauses made of clauses. */
const LOGIC: Readonly<Record<'and' | 'or' | 'not', Operator>> = {
  and: several('InvalidAndFilter', (tests) => (object) => tests.every((test) => test(object))),
  or: several('InvalidOrFilter', (tests) => (object) => tests.some((test) => test(object))),
  not: ({ value }, _, inner) => {
    if (!isRecord(value))
      throw new ApiError('Default:InvalidArgument', {}, '`not` takes one clause as its value')
    const test = inner(value)
    return (object) => !test(object)
  },
}

const OPERATORS: ReadonlyMap<string, Operator> = new Map(
  Object.entries({
    ...LOGIC,
    ...COMPARISONS,
    ...TERMS,
    ...PATTERNS,
    ...INTERVAL,
    ...RELATIVE_DATE,
    ...PLACE_OPERATORS,
  }),
)

/** The filters there are, by their names on the wire. */
export const FILTER_NAMES: readonly string[] = [...OPERATORS.keys()]

/** How deep `and`, `or` and `not` may be nested. */
const MAX_LEVELS = 3

const compileAt = (where: unknown, context: FilterContext, level: number): Predicate => {
  if (!isRecord(where)) throw invalidArgument('a filter is an object with a `type`')
  const type = textOf(where['type'])
  const operator = OPERATORS.get(type)
  if (operator === undefined) {
    throw invalidArgument(`there is no filter "${type}"; there are ${FILTER_NAMES.join(', ')}`)
  }
  const depth = type in LOGIC ? level + 1 : level
  if (depth > MAX_LEVELS) throw invalidArgument(`filters are nested ${MAX_LEVELS} levels deep at most`)
  return operator(where, context, (inner) => compileAt(inner, context, depth))
}

/** The test that a filter makes of an object. */
export const compileFilter = (where: unknown, context: FilterContext): Predicate =>
  compileAt(where, context, 0)
