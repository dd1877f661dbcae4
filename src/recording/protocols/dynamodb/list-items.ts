import { hash } from 'node:crypto'
import { isObject } from '../../../engine/schema/schema.ts'
import { consumed, readUnits } from './capacity.ts'
import { holds } from './conditions.ts'
import type { Condition, Expressions, Operand } from './expressions.ts'
import { ERRORS, Refusal } from './refusal.ts'
import * as all from './tables.ts'
import type { Args, StoredItem, Table, Tables } from './tables.ts'
import { legacyCondition } from './updates.ts'
import {
  type Attributes,
  compareValues,
  type Path,
  shown,
  sizeOfItem,
  storedAttributes,
  type Value,
} from './values.ts'

/**
 * What a query answers where there is a condition, and a scan where there is none.
 * @param ranks where items are in a scan, by their ids; others come after them
 */
export function list(
  args: Args,
  service: Tables & { readonly ranks: ReadonlyMap<string, number> },
  expressions: Expressions,
  condition?: Condition,
): Args {
  const filter =
    expressions.condition('FilterExpression') ??
    legacyCondition(args['QueryFilter'] ?? args['ScanFilter'], args['ConditionalOperator'])
  const named = expressions.paths('ProjectionExpression')
  expressions.checkUse()
  const table = all.tableOf(service, args)
  const keyed = all.keyedOf(table, args)
  const names = all.keyNames(keyed)
  if (condition !== undefined) {
    checkKeyCondition(names, table, condition)
    const own = namesIn(filter).find((name) => names.includes(name))
    if (own !== undefined) throw new Refusal(ERRORS.keyFilter, { Name: own })
  }
  const rankOf = ({ id }: StoredItem): number => service.ranks.get(id) ?? service.ranks.size
  const able = all
    .itemsOf(service, table)
    .filter(({ item }) => names.every((name) => item[name] !== undefined) && holds(condition, item))
    .filter(({ item }) => isInSegment(item, names, args))
    .toSorted((a, b) => rankOf(a) - rankOf(b))
  const [, range] = names
  const byRange = (a: Attributes, b: Attributes): number =>
    range === undefined ? 0 : (compareValues(a[range] as Value, b[range] as Value) ?? 0)
  const partitions = [...new Set(able.map(({ item }) => partitionOf(item, names)))]
  const positionOf = ({ item }: StoredItem): number => partitions.indexOf(partitionOf(item, names))
  const sorted = able.toSorted((a, b) => positionOf(a) - positionOf(b) || byRange(a.item, b.item))
  if (args['ScanIndexForward'] === false) sorted.reverse()
  const rest = afterStart(sorted, args['ExclusiveStartKey'], table, byRange)
  const limit = Number(args['Limit'] ?? Infinity)
  const page = rest.slice(0, limit).map(({ item }) => item)
  const fitting = page.filter((item) => holds(filter, item))
  const last = page.length >= limit ? page.at(-1) : undefined
  const paths = named ?? (args['AttributesToGet'] as readonly string[] | undefined)?.map((name) => [name])
  const visible = paths ?? projectedBy(keyed, table, args)
  return {
    ...(args['Select'] !== 'COUNT' && { Items: fitting.map((item) => shown(item, visible)) }),
    ...{ Count: fitting.length, ScannedCount: page.length },
    ...(last !== undefined && {
      LastEvaluatedKey: all.pick(last, [...new Set([...all.keyNames(table), ...names])]),
    }),
    ...consumed(args, [page.reduce((total, item) => total + sizeOfItem(item), 0)], readUnits),
  }
}

function partitionOf(item: Attributes, [name = '']: readonly string[]): string {
  return JSON.stringify(item[name])
}

function isInSegment(item: Attributes, names: readonly string[], { Segment, TotalSegments }: Args): boolean {
  if (TotalSegments === undefined) return true
  const digits = hash('md5', partitionOf(item, names)).slice(0, 8)
  return Number.parseInt(digits, 16) % Number(TotalSegments) === Segment
}

// What is deleted since still says where a page begins, where items have an order.
function afterStart(
  sorted: readonly StoredItem[],
  start: unknown,
  table: Table,
  byRange: (a: Attributes, b: Attributes) => number,
): readonly StoredItem[] {
  if (!isObject(start)) return sorted
  const key = storedAttributes(start as Attributes)
  const id = all.idOf(table, key)
  const at = sorted.findIndex((each) => each.id === id)
  if (at >= 0) return sorted.slice(at + 1)
  const [first, last] = [sorted[0], sorted.at(-1)]
  const direction = first && last && byRange(first.item, last.item) > 0 ? -1 : 1
  return sorted.filter(({ item }) => byRange(item, key) * direction > 0)
}

function projectedBy(keyed: all.Keyed, table: Table, { Select }: Args): readonly Path[] | undefined {
  const { ProjectionType = 'ALL', NonKeyAttributes = [] } = keyed.Projection ?? {}
  if (ProjectionType === 'ALL' || Select === 'ALL_ATTRIBUTES') return undefined
  return [...all.keyNames(table), ...all.keyNames(keyed), ...NonKeyAttributes].map((name) => [name])
}

function checkKeyCondition(
  [partition = '', range]: readonly string[],
  table: Table,
  condition: Condition,
): void {
  const parts = 'parts' in condition ? condition.parts : [condition]
  const named = new Map(parts.map((part) => [namesIn(part)[0], part] as const))
  const own = named.get(partition)
  if (own === undefined) throw new Refusal(ERRORS.noKeyCondition, { Name: partition })
  const isKey = [...named.keys()].every((name) => name === partition || name === range)
  const isJoined = !('parts' in condition) || condition.op === 'AND'
  if (!('of' in own) || own.op !== '=' || !isKey || !isJoined) {
    const isMissed = range !== undefined && named.size > 1 && !named.has(range)
    if (isMissed) throw new Refusal(ERRORS.noKeyCondition, { Name: range })
    throw new Refusal(ERRORS.keyCondition)
  }
  for (const [name = '', part] of named)
    for (const operand of 'of' in part ? part.of : [])
      if ('value' in operand && !all.isOfType(table, name, operand.value))
        throw new Refusal(ERRORS.conditionType)
}

// The attributes that a condition is of.
function namesIn(condition: Condition | undefined): readonly string[] {
  if (condition === undefined) return []
  if ('parts' in condition) return condition.parts.flatMap(namesIn)
  const inOperand = (operand: Operand): readonly string[] => {
    if ('path' in operand) return [String(operand.path[0])]
    return 'does' in operand ? operand.of.flatMap(inOperand) : []
  }
  return condition.of.flatMap(inOperand)
}
