import { ApiError, invalidArgument } from '../errors.ts'
import type { ObjectSet } from '../object-set/object-set.ts'
import type { OntologyObject } from '../ontology/model.ts'
import type { Scope } from '../ontology/scope.ts'
import { compare } from '../values/kinds.ts'
import { isRecord, textOf } from '../values/value.ts'
import { type Group, type Grouping, groupingOf } from './group-by.ts'
import { type Metric, metricOf } from './metrics.ts'

const MAX_GROUPS = 10_000

interface Bucket {
  readonly groups: readonly Group[]
  readonly objects: readonly OntologyObject[]
}

interface NamedMetric {
  readonly name: string
  readonly direction: 'ASC' | 'DESC' | undefined
  readonly make: Metric
}

const listOf = (value: unknown, key: string): readonly unknown[] => {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw invalidArgument(`\`${key}\` is a list`)
  return value
}

const nameOf = (clause: Readonly<Record<string, unknown>>): string => {
  const { name, type, field } = clause
  if (typeof name === 'string') return name
  return typeof field === 'string' && type !== 'count' ? `${field}.${textOf(type)}` : textOf(type)
}

const metricsOf = (aggregation: unknown, scope: Scope): NamedMetric[] =>
  listOf(aggregation, 'aggregation').map((clause) => {
    const make = metricOf(clause, scope)
    const { direction, ...rest } = isRecord(clause) ? clause : {}
    if (direction !== undefined && direction !== 'ASC' && direction !== 'DESC') {
      throw new ApiError('InvalidSortOrder', { invalidSortOrder: direction })
    }
    return { name: nameOf(rest), direction, make }
  })

const groupingsOf = (groupBy: unknown, scope: Scope): Grouping[] => {
  const groupings = listOf(groupBy, 'groupBy').map((clause) => groupingOf(clause, scope))
  const names = groupings.map(({ name }) => name)
  const duplicateFields = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
  if (duplicateFields.length > 0)
    throw new ApiError('MultipleGroupByOnFieldNotSupported', { duplicateFields })
  return groupings
}

const checkOrder = (metrics: readonly NamedMetric[], groupings: readonly Grouping[]): void => {
  if (metrics.every(({ direction }) => direction === undefined)) return
  if (groupings.length !== 1) throw new ApiError('InvalidAggregationOrdering')
  if (groupings[0]?.allowsNull === true) throw new ApiError('InvalidAggregationOrderingWithNullValues')
}

/** Divides each bucket by one more grouping, in the grouping's order, and cut to its number of groups. */
const divide = (buckets: readonly Bucket[], grouping: Grouping): { buckets: Bucket[]; excluded: number } => {
  let excluded = 0
  const divided = buckets.flatMap(({ groups, objects }) => {
    const found = new Map<unknown, { group: Group; objects: OntologyObject[] }>()
    for (const object of objects) {
      for (const group of grouping.groupsOf(object)) {
        const entry = found.get(group.order)
        if (entry === undefined) found.set(group.order, { group, objects: [object] })
        else entry.objects.push(object)
      }
    }
    const sorted = [...found.values()].toSorted(
      (left, right) =>
        (grouping.isByCount ? right.objects.length - left.objects.length : 0) ||
        compare(left.group.order, right.group.order),
    )
    const kept = sorted.slice(0, grouping.most ?? sorted.length)
    for (const dropped of sorted.slice(kept.length)) excluded += dropped.objects.length
    return kept.map((entry) => ({ groups: [...groups, entry.group], objects: entry.objects }))
  })
  return { buckets: divided, excluded }
}

/** The answer to an aggregation over a set. */
export const aggregate = (
  { scope, objects }: ObjectSet,
  { aggregation, groupBy }: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const metrics = metricsOf(aggregation, scope)
  const groupings = groupingsOf(groupBy, scope)
  checkOrder(metrics, groupings)
  let buckets: Bucket[] = [{ groups: [], objects }]
  let excludedItems = 0
  for (const grouping of groupings) {
    const next = divide(buckets, grouping)
    buckets = next.buckets
    excludedItems += next.excluded
  }
  if (buckets.length > MAX_GROUPS) {
    throw new ApiError('AggregationGroupCountExceededLimit', {
      groupsCount: buckets.length,
      groupsLimit: MAX_GROUPS,
    })
  }
  const rows = buckets.map((bucket) => {
    const figures = metrics.map(({ name, make }) => ({ name, value: make(bucket.objects) }))
    const named = bucket.groups.flatMap(({ value }, index) =>
      value === undefined ? [] : [[groupings[index]?.name ?? '', value] as const],
    )
    return { group: Object.fromEntries(named), metrics: figures }
  })
  for (const [index, { direction }] of [...metrics.entries()].toReversed()) {
    if (direction === undefined) continue
    const sign = direction === 'ASC' ? 1 : -1
    rows.sort((left, right) => compareFigures(left.metrics[index]?.value, right.metrics[index]?.value) * sign)
  }
  return { accuracy: 'ACCURATE', data: rows, ...(excludedItems > 0 && { excludedItems }) }
}

/** Numbers before texts, and what is absent last. */
const compareFigures = (left: unknown, right: unknown): number => {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'string' && typeof right === 'string') return compare(left, right)
  return typeof left === 'number' || (typeof left === 'string' && right === undefined) ? -1 : 1
}
