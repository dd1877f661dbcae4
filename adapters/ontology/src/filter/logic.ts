import { ApiError, type ErrorName } from '../errors.ts'
import { isRecord } from '../values/kind.ts'
import type { Operator, Predicate } from './operator.ts'

const several =
  (empty: ErrorName, join: (tests: readonly Predicate[]) => Predicate): Operator =>
  ({ value }, _, inner) => {
    if (!Array.isArray(value) || value.length === 0)
      throw new ApiError(empty, {}, 'it needs at least one clause')
    return join(value.map(inner))
  }

/** The clauses made of clauses. */
export const LOGIC: Readonly<Record<'and' | 'or' | 'not', Operator>> = {
  and: several('InvalidAndFilter', (tests) => (object) => tests.every((test) => test(object))),
  or: several('InvalidOrFilter', (tests) => (object) => tests.some((test) => test(object))),
  not: ({ value }, _, inner) => {
    if (!isRecord(value))
      throw new ApiError('Default:InvalidArgument', {}, '`not` takes one clause as its value')
    const test = inner(value)
    return (object) => !test(object)
  },
}
