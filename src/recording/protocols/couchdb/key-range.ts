import { isDeepStrictEqual } from 'node:util'
import type { Body } from './databases.ts'
import { isFalse, isTrue, valueOf } from './parameters.ts'

/** Which keys a list is wanted of; a bound that is `undefined` is none. */
export interface KeyRange {
  readonly key: unknown
  readonly start: unknown
  readonly end: unknown
  readonly isInclusive: boolean
  readonly isDescending: boolean
}

/** The range that parameters name. */
export function rangeOf(given: Body): KeyRange {
  const { key, start_key: first, end_key: last, startkey: start = first, endkey: end = last } = given
  return {
    ...{ key: valueOf(key), start: valueOf(start), end: valueOf(end) },
    isInclusive: !isFalse(given['inclusive_end']),
    isDescending: isTrue(given['descending']),
  }
}

/** The rows of a range, from its start to its end. @param rows in the order of their keys */
export function inRange<Row extends { readonly key: unknown }>(
  rows: readonly Row[],
  { key, start, end, isInclusive, isDescending }: KeyRange,
): readonly Row[] {
  const compare = (row: Row, other: unknown): number => {
    const by = compareKeys(row.key, other)
    return isDescending ? -by : by
  }
  return (isDescending ? rows.toReversed() : rows).filter(
    (row) =>
      (key === undefined || isDeepStrictEqual(row.key, key)) &&
      (start === undefined || compare(row, start) >= 0) &&
      (end === undefined || compare(row, end) < 0 || (isInclusive && compare(row, end) === 0)),
  )
}

/** Orders keys as views are: null, false, true, numbers, texts, lists, objects. */
export function compareKeys(a: unknown, b: unknown): number {
  const [rank, other] = [rankOf(a), rankOf(b)]
  if (rank !== other) return rank - other
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b)
  if (Array.isArray(a) && Array.isArray(b)) {
    for (const [at, part] of (a as unknown[]).entries()) {
      if (at >= b.length) return 1
      const by = compareKeys(part, b[at])
      if (by !== 0) return by
    }
    return a.length - b.length
  }
  return 0
}

function rankOf(value: unknown): number {
  if (value === null || value === undefined) return 0
  if (typeof value === 'boolean') return value ? 2 : 1
  if (Array.isArray(value)) return 5
  return { number: 3, string: 4 }[typeof value as string] ?? 6
}
