import type { Condition, Operand, Update } from './expressions.ts'
import { resolve } from './conditions.ts'
import { ERRORS, Refusal } from './refusal.ts'
import {
  addNumbers,
  type Attributes,
  stored,
  textIn,
  typeOf,
  type Value,
  valueAt,
  withValue,
} from './values.ts'

/**
 * An item with updates.
 * @throws Refusal where a value is not of the type that the update needs, or there is nothing at its path
 */
export function applyUpdates(item: Attributes, updates: readonly Update[]): Attributes {
  // All values are those from before, and of a list the last is removed first.
  const valued = updates.map(({ does, path, by }) => ({ does, path, value: by && valueOf(by, item) }))
  const removed = updates.filter(({ does }) => does === 'REMOVE').map(({ path }) => path)
  const changed = valued.reduce((now, { does, path, value }) => {
    if (value === undefined) return now
    if (does === 'SET') return withValue(now, path, stored(value))
    const before = valueAt(now, path)
    return withValue(now, path, does === 'ADD' ? added(before, value) : taken(before, value))
  }, item)
  return removed
    .toSorted((a, b) => Number(b.at(-1)) - Number(a.at(-1)) || 0)
    .reduce((now, path) => withValue(now, path, undefined), changed)
}

function valueOf(operand: Operand, item: Attributes): Value {
  if (!('does' in operand)) return resolve(operand, item) ?? refuse(ERRORS.noOperand)
  const [first, second] = operand.of
  if (operand.does === 'if_not_exists') return resolve(first, item) ?? valueOf(second as Operand, item)
  const [one, other] = [valueOf(first as Operand, item), valueOf(second as Operand, item)]
  if (operand.does === 'list_append') {
    if (!Array.isArray(one['L']) || !Array.isArray(other['L'])) return refuse(ERRORS.operand)
    return { L: [...(one['L'] as Value[]), ...(other['L'] as Value[])] }
  }
  if (one['N'] === undefined || other['N'] === undefined) return refuse(ERRORS.operand)
  return { N: addNumbers(textIn(one['N']), textIn(other['N']), operand.does === '-' ? -1n : 1n) }
}

function added(before: Value | undefined, value: Value): Value {
  const type = typeOf(value)
  if (before === undefined) return stored(value)
  if (typeOf(before) !== type) return refuse(ERRORS.operand)
  if (type === 'N') return { N: addNumbers(String(before['N']), String(value['N'])) }
  const [own, more] = [before[type], stored(value)[type]]
  if (!Array.isArray(own) || !Array.isArray(more)) return refuse(ERRORS.operand)
  return { [type]: [...(own as unknown[]), ...more.filter((each) => type === 'L' || !own.includes(each))] }
}

function taken(before: Value | undefined, value: Value): Value | undefined {
  const type = typeOf(value)
  if (before === undefined) return undefined
  const [own, less] = [before[type], stored(value)[type]]
  if (!Array.isArray(own) || !Array.isArray(less)) return refuse(ERRORS.operand)
  const left = own.filter((each) => !less.includes(each))
  return left.length === 0 ? undefined : { [type]: left }
}

function refuse(error: (typeof ERRORS)['operand' | 'noOperand']): never {
  throw new Refusal(error)
}

type Legacy = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** `AttributeUpdates`, the older way to say what an update does. */
export function legacyUpdates(updates: unknown): readonly Update[] {
  return Object.entries((updates ?? {}) as Legacy).map(([name, { Action = 'PUT', Value: value }]): Update => {
    const path = [name]
    const by = value === undefined ? undefined : { by: { value: value as Value } }
    if (Action === 'PUT') return { does: 'SET', path, ...by }
    if (Action === 'ADD') return { does: 'ADD', path, ...by }
    return { does: by === undefined ? 'REMOVE' : 'DELETE', path, ...by }
  })
}

const COMPARISONS: Readonly<Record<string, string>> = {
  ...{ EQ: '=', NE: '<>', LT: '<', LE: '<=', GT: '>', GE: '>=', BETWEEN: 'BETWEEN', IN: 'IN' },
  ...{ NOT_NULL: 'attribute_exists', NULL: 'attribute_not_exists', BEGINS_WITH: 'begins_with' },
  ...{ CONTAINS: 'contains', NOT_CONTAINS: 'NOT contains' },
}

/** `Expected`, `KeyConditions`, `QueryFilter` and `ScanFilter`, the older ways to say a condition. */
export function legacyCondition(conditions: unknown, operator: unknown): Condition | undefined {
  if (conditions === undefined) return undefined
  const parts = Object.entries(conditions as Legacy).map(([name, condition]): Condition => {
    const { ComparisonOperator, AttributeValueList, Value: value, Exists } = condition
    const isThere = Exists === false ? 'NULL' : 'EQ'
    const op = COMPARISONS[textIn(ComparisonOperator ?? isThere)] ?? ''
    const list = (AttributeValueList ?? (value === undefined ? [] : [value])) as readonly Value[]
    const of = [{ path: [name] }, ...list.map((each) => ({ value: each }))]
    return op.startsWith('NOT ') ? { op: 'NOT', parts: [{ op: op.slice(4), of }] } : { op, of }
  })
  return { op: operator === 'OR' ? 'OR' : 'AND', parts }
}
