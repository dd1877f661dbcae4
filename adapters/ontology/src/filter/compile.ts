import { textOf } from '../values/read.ts'
import { invalidArgument } from '../errors.ts'
import { isRecord } from '../values/kind.ts'
import { COMPARISONS } from './comparison.ts'
import { INTERVAL } from './interval.ts'
import { LOGIC } from './logic.ts'
import type { FilterContext, Operator, Predicate } from './operator.ts'
import { PATTERNS } from './patterns.ts'
import { PLACE_OPERATORS } from './places.ts'
import { RELATIVE_DATE } from './relative-date.ts'
import { TERMS } from './terms.ts'

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
export const MOST_LEVELS = 3

const compileAt = (where: unknown, context: FilterContext, level: number): Predicate => {
  if (!isRecord(where)) throw invalidArgument('a filter is an object with a `type`')
  const type = textOf(where['type'])
  const operator = OPERATORS.get(type)
  if (operator === undefined) {
    throw invalidArgument(`there is no filter "${type}"; there are ${FILTER_NAMES.join(', ')}`)
  }
  const depth = type in LOGIC ? level + 1 : level
  if (depth > MOST_LEVELS) throw invalidArgument(`filters are nested ${MOST_LEVELS} levels deep at most`)
  return operator(where, context, (inner) => compileAt(inner, context, depth))
}

/** The test that a filter makes of an object. */
export const compileFilter = (where: unknown, context: FilterContext): Predicate =>
  compileAt(where, context, 0)
