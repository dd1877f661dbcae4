import type { Condition, Operand } from './expressions.ts'
import { areEqual, compareValues, type Attributes, sizeOf, typeOf, type Value, valueAt } from './values.ts'

/** The value of an operand; `undefined` where an item does not have it. */
export function resolve(operand: Operand | undefined, item: Attributes): Value | undefined {
  if (operand === undefined) return undefined
  if ('path' in operand) return valueAt(item, operand.path)
  if ('value' in operand) return operand.value
  const [value] = operand.of.map((each) => resolve(each, item))
  if (operand.does !== 'size' || value === undefined) return undefined
  const own = value[typeOf(value)]
  const length = Array.isArray(own) || (typeof own === 'object' && own !== null)
  return { N: String(length ? Object.keys(own as object).length : sizeOf(value)) }
}

/** Whether a condition holds for an item, which is empty where there is none. */
export function holds(condition: Condition | undefined, item: Attributes): boolean {
  if (condition === undefined) return true
  if ('parts' in condition) {
    const { op, parts } = condition
    if (op === 'NOT') return !parts.every((part) => holds(part, item))
    return op === 'AND' ? parts.every((part) => holds(part, item)) : parts.some((part) => holds(part, item))
  }
  const [one, ...others] = condition.of.map((each) => resolve(each, item))
  return TEST[condition.op]?.(one, others) ?? false
}

type Others = readonly (Value | undefined)[]

const ordered =
  (isSo: (order: number) => boolean) =>
  (one: Value | undefined, [other]: Others): boolean => {
    const order = one && other && compareValues(one, other)
    return order !== undefined && isSo(order)
  }

const same = (one: Value | undefined, other: Value | undefined): boolean =>
  one !== undefined && other !== undefined && areEqual(one, other)

const TEST: Readonly<Record<string, (one: Value | undefined, others: Others) => boolean>> = {
  '=': (one, [other]) => same(one, other),
  '<>': (one, [other]) => !same(one, other),
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  '>': ordered((order) => order > 0),
  '>=': ordered((order) => order >= 0),
  BETWEEN: (one, [from, to]) =>
    ordered((order) => order >= 0)(one, [from]) && ordered((order) => order <= 0)(one, [to]),
  IN: (one, others) => others.some((other) => same(one, other)),
  attribute_exists: (one) => one !== undefined,
  attribute_not_exists: (one) => one === undefined,
  attribute_type: (one, [type]) => one !== undefined && typeOf(one) === type?.['S'],
  begins_with: (one, [start]) => {
    const type = one && start && typeOf(start)
    return (
      type !== undefined && typeof one?.[type] === 'string' && one[type].startsWith(String(start?.[type]))
    )
  },
  contains: (one, [part]) => {
    if (one === undefined || part === undefined) return false
    const [type, wanted] = [typeOf(one), part[typeOf(part)]]
    const own = one[type]
    if (type === 'L') return (own as Value[]).some((each) => areEqual(each, part))
    if (Array.isArray(own))
      return type === `${typeOf(part)}S` && own.some((each) => same({ [typeOf(part)]: each }, part))
    return typeOf(part) === type && String(own).includes(String(wanted))
  },
}
