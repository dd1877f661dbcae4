import { remembered } from '../../../engine/lazy.ts'
import { averageOf, greatestOf, leastOf, quantileOf, sumOf, varianceOf } from '../../../statistics.ts'
import { type Entry, formatNumber, keyOf, onlyLabels, type Value, withoutLabels } from './values.ts'
import { groupBy } from '../../../grouping.ts'
import type { Aggregate, Labels } from './promql-types.ts'

const BY_VALUES: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: sumOf,
  avg: averageOf,
  count: (values) => values.length,
  min: leastOf,
  max: greatestOf,
  group: () => 1,
  stddev: (values) => Math.sqrt(varianceOf(values)),
  stdvar: varianceOf,
}

// The same objects for the same labels, since each step of a range asks for them.
const labelsBy = remembered(
  ({ labels, isWithout }: Aggregate) =>
    remembered(
      (metric: Labels) =>
        isWithout ? withoutLabels(metric, [...labels, '__name__']) : onlyLabels(metric, labels),
      new WeakMap<Labels, Labels>(),
    ),
  new WeakMap<Aggregate, (metric: Labels) => Labels>(),
)

/** What an aggregation makes of a vector. */
export function aggregated(
  aggregate: Aggregate,
  entries: readonly Entry[],
  parameter: Value | undefined,
): Value {
  const { name } = aggregate
  const labelsFor = labelsBy(aggregate)
  const labelsOf = ({ metric }: Entry): Labels => labelsFor(metric)
  const groups = [...groupBy(entries, (entry) => keyOf(labelsOf(entry))).values()]
  const number = parameter?.type === 'scalar' ? parameter.value : 0
  return {
    type: 'vector',
    entries: groups.flatMap((group): readonly Entry[] => {
      const [first] = group
      if (first === undefined) return []
      const metric = labelsOf(first)
      const values = group.map(({ value }) => value)
      if (name === 'topk' || name === 'bottomk')
        return group
          .toSorted((a, b) => (name === 'topk' ? b.value - a.value : a.value - b.value))
          .slice(0, Math.max(0, number))
      if (name === 'quantile') return [{ metric, value: quantileOf(values, number) }]
      if (name === 'count_values') {
        const label = parameter?.type === 'string' ? parameter.value : ''
        return [...groupBy(values, String).values()].map((same) => ({
          metric: { ...metric, [label]: formatNumber(same[0] ?? NaN) },
          value: same.length,
        }))
      }
      return [{ metric, value: BY_VALUES[name]?.(values) ?? NaN }]
    }),
  }
}
