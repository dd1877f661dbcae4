import { invalidArgument } from '../errors.ts'
import { type Field, fieldOf } from '../ontology/scope.ts'
import { kindOf } from '../values/kinds.ts'
import { type Comparable, elementType } from '../values/value.ts'
import {
  type Clause,
  type FilterContext,
  notSupported,
  operand,
  type Operator,
  someValue,
} from './operator.ts'

/** How values of the clause's property compare, and how its operand is read. */
const comparing = (clause: Clause, { scope }: FilterContext) => {
  const field = fieldOf(scope, clause)
  const type = elementType(field.type)
  const { comparable } = kindOf(type)
  if (comparable === undefined) throw notSupported(clause, field)
  return { field, comparable, read: (value: unknown): Comparable => comparable(operand(field, type, value)) }
}

const ordered =
  (holds: (value: Comparable, bound: Comparable) => boolean): Operator =>
  (clause, context) => {
    const { field, comparable, read } = comparing(clause, context)
    if (elementType(field.type).type === 'boolean') throw notSupported(clause, field)
    const bound = read(clause['value'])
    return someValue(field, (value) => holds(comparable(value), bound))
  }

const equal: Operator = (clause, context) => {
  const { field, comparable, read } = comparing(clause, context)
  const wanted = read(clause['value'])
  return someValue(field, (value) => comparable(value) === wanted)
}

const isList = ({ type }: Field): boolean => type.type === 'array'

/** The clauses that compare a property with values. */
export const COMPARISONS: Readonly<Record<string, Operator>> = {
  eq: equal,
  lt: ordered((value, bound) => value < bound),
  lte: ordered((value, bound) => value <= bound),
  gt: ordered((value, bound) => value > bound),
  gte: ordered((value, bound) => value >= bound),
  in: (clause, context) => {
    const { field, comparable, read } = comparing(clause, context)
    const { value } = clause
    if (!Array.isArray(value)) throw invalidArgument('`in` takes a list of values')
    // As documented, no values at all let every object pass.
    if (value.length === 0) return () => true
    const wanted = new Set(value.map(read))
    return someValue(field, (each) => wanted.has(comparable(each)))
  },
  contains: (clause, context, inner) => {
    const field = fieldOf(context.scope, clause)
    if (!isList(field)) throw notSupported(clause, field)
    return equal(clause, context, inner)
  },
  isNull: (clause, { scope }) => {
    const { read } = fieldOf(scope, clause)
    const { value } = clause
    if (typeof value !== 'boolean') throw invalidArgument('`isNull` takes true or false')
    return (object) => {
      const found = read(object)
      return (found === undefined || found === null) === value
    }
  },
}
