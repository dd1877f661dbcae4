import { averageOf, greatestOf, leastOf, sumOf, varianceOf } from '../../../statistics.ts'
import type { Point } from './promql-types.ts'
import { Refusal } from './refusal.ts'
import { type Value, withoutName } from './values.ts'

/** A range vector. */
type Matrix = Value & { readonly type: 'matrix' }

const OVER_TIME: Readonly<Record<string, (values: readonly number[]) => number>> = {
  avg: averageOf,
  min: leastOf,
  max: greatestOf,
  sum: sumOf,
  count: (values) => values.length,
  present: () => 1,
  stddev: (values) => Math.sqrt(varianceOf(values)),
  stdvar: varianceOf,
}

/** What a function that ends in `_over_time` makes of each series. */
export function overTime(name: string, matrix: Matrix): Value {
  const operation = OVER_TIME[name.slice(0, -'_over_time'.length)]
  const { rows } = matrix
  if (name === 'last_over_time' || name === 'first_over_time')
    return {
      type: 'vector',
      entries: rows.map(({ metric, points }) => ({
        metric,
        value: points.at(name === 'last_over_time' ? -1 : 0)?.[1] ?? NaN,
      })),
    }
  return perRow(matrix, (points) => operation?.(points.map(([, value]) => value)))
}

/** What a function gives that is about changes of counters and gauges. @throws Refusal for one that is not known */
export function changed(name: string, matrix: Matrix): Value {
  const { seconds } = matrix
  switch (name) {
    case 'rate':
      return perRow(matrix, (points) => increaseOf(points, seconds) / seconds, 2)
    case 'increase':
      return perRow(matrix, (points) => increaseOf(points, seconds), 2)
    case 'delta':
      return perRow(matrix, (points) => extrapolated(points, seconds, differenceOf(points)), 2)
    case 'irate':
      return perRow(matrix, (points) => increaseOf(points.slice(-2)) / spanOf(points.slice(-2)), 2)
    case 'idelta':
      return perRow(matrix, (points) => differenceOf(points.slice(-2)), 2)
    case 'deriv':
      return perRow(matrix, (points) => slopeOf(points), 2)
    case 'changes':
      return perRow(
        matrix,
        (points) => points.filter(([, value], at) => at > 0 && value !== points[at - 1]?.[1]).length,
      )
    case 'resets':
      return perRow(
        matrix,
        (points) => points.filter(([, value], at) => value < (points[at - 1]?.[1] ?? value)).length,
      )
    default:
      throw new Refusal('unknown')
  }
}

/** One value of each series, of those with enough points. @throws Refusal for what is not a range vector */
export function perRow(
  matrix: Value | undefined,
  make: (points: readonly Point[]) => number | undefined,
  least = 1,
): Value {
  if (matrix?.type !== 'matrix') throw new Refusal('unknown')
  const entries = matrix.rows.flatMap(({ metric, points }) => {
    const value = points.length < least ? undefined : make(points)
    return value === undefined ? [] : [{ metric: withoutName(metric), value }]
  })
  return { type: 'vector', entries }
}

function differenceOf(points: readonly Point[]): number {
  return (points.at(-1)?.[1] ?? NaN) - (points[0]?.[1] ?? NaN)
}

function spanOf(points: readonly Point[]): number {
  return (points.at(-1)?.[0] ?? NaN) - (points[0]?.[0] ?? NaN)
}

// A counter that is less than before began anew.
function increaseOf(points: readonly Point[], seconds?: number): number {
  let sum = 0
  for (const [at, [, value]] of points.entries()) {
    const before = points[at - 1]?.[1]
    if (before !== undefined) sum += value < before ? value : value - before
  }
  return seconds === undefined ? sum : extrapolated(points, seconds, sum)
}

// As if the points were as far apart up to both ends of the time.
function extrapolated(points: readonly Point[], seconds: number, change: number): number {
  const span = spanOf(points)
  const between = span / (points.length - 1)
  const covered = Math.min(seconds, span + between)
  return span === 0 ? 0 : change * (covered / span)
}

function slopeOf(points: readonly Point[]): number {
  const times = averageOf(points.map(([time]) => time))
  const values = averageOf(points.map(([, value]) => value))
  const both = sumOf(points.map(([time, value]) => (time - times) * (value - values)))
  return both / sumOf(points.map(([time]) => (time - times) ** 2))
}

/** What the line through the points comes to at a time. */
export function predicted(points: readonly Point[], at: number): number {
  const times = averageOf(points.map(([time]) => time))
  return averageOf(points.map(([, value]) => value)) + slopeOf(points) * (at - times)
}
