import { entryOf } from '../values/read.ts'
import type { Field } from '../ontology/scope.ts'
import type { DataType } from '../values/data-type.ts'
import { compare, kindOf } from '../values/kinds.ts'

type Made = Omit<Field, 'name'>
type Define = (definition: unknown) => Made
type Expression = (definition: Readonly<Record<string, unknown>>, define: Define) => Made | string

const DOUBLE: DataType = { type: 'double' }
const INTEGER: DataType = { type: 'integer' }

const isNumeric = ({ type }: Made): boolean => kindOf(type).isNumber === true

/** A calculation of numbers; absent as soon as one of them is. */
const calculate = (parts: readonly Made[], join: (numbers: readonly number[]) => number): Made | string => {
  if (!parts.every(isNumeric)) return 'only numbers can be calculated with'
  return {
    type: DOUBLE,
    read: (object) => {
      const values = parts.map(({ read }) => read(object))
      if (values.some((value) => value === undefined || value === null)) return undefined
      const result = join(values.map(Number))
      return Number.isFinite(result) ? result : undefined
    },
  }
}

const listed =
  (join: (left: number, right: number) => number): Expression =>
  ({ properties }, define) =>
    Array.isArray(properties) && properties.length > 0
      ? calculate(properties.map(define), (numbers) => numbers.reduce(join))
      : 'it needs `properties`, at least one'

const paired =
  (join: (left: number, right: number) => number): Expression =>
  ({ left, right }, define) =>
    calculate([define(left), define(right)], ([first = 0, second = 0]) => join(first, second))

const single =
  (change: (value: number) => number): Expression =>
  ({ property }, define) =>
    calculate([define(property)], ([value = 0]) => change(value))

/** The greatest or the least value of several, of those that are there. */
const extreme =
  (sign: 1 | -1): Expression =>
  ({ properties }, define) => {
    if (!Array.isArray(properties) || properties.length === 0) return 'it needs `properties`, at least one'
    const parts: Made[] = properties.map(define)
    const [first] = parts
    const comparable = first && kindOf(first.type).comparable
    if (first === undefined || comparable === undefined) return 'values of this type have no order'
    return {
      type: first.type,
      read: (object) =>
        parts
          .map(({ read }) => read(object))
          .filter((value) => value !== undefined && value !== null)
          .toSorted((left, right) => compare(comparable(left), comparable(right)) * sign)[0],
    }
  }

const PARTS: Readonly<Record<string, (date: Date) => number>> = {
  DAYS: (date) => date.getUTCDate(),
  MONTHS: (date) => date.getUTCMonth() + 1,
  QUARTERS: (date) => Math.floor(date.getUTCMonth() / 3) + 1,
  YEARS: (date) => date.getUTCFullYear(),
}

const extract: Expression = ({ property, part }, define) => {
  const source = define(property)
  const take = entryOf(PARTS, part)
  if (take === undefined) return `\`part\` is one of ${Object.keys(PARTS).join(', ')}`
  if (kindOf(source.type).isInstant !== true) return 'a part can only be taken of a date or a timestamp'
  return {
    type: INTEGER,
    read: (object) => {
      const value = source.read(object)
      return typeof value === 'string' ? take(new Date(value)) : undefined
    },
  }
}

/** The expressions over other definitions, by their names on the wire. A refusal is answered as a reason. */
export const EXPRESSIONS: Readonly<Record<string, Expression>> = {
  add: listed((left, right) => left + right),
  multiply: listed((left, right) => left * right),
  subtract: paired((left, right) => left - right),
  divide: paired((left, right) => left / right),
  negate: single((value) => -value),
  absoluteValue: single(Math.abs),
  greatest: extreme(-1),
  least: extreme(1),
  extract,
}
