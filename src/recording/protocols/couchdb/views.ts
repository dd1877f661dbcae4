import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../../engine/schema/schema.ts'
import { groupBy } from '../../../grouping.ts'
import { type Body, findDocument, shownDocument, type Store, type StoredDocument } from './databases.ts'
import { isFalse, isTrue, numberOf, valueOf } from './parameters.ts'
import type { Learned } from './known.ts'
import { readMapFunction } from './map-functions.ts'

interface Row {
  readonly id: string
  readonly key: unknown
  readonly value: unknown
  readonly document: StoredDocument
}

/**
 * A view of a design document; `undefined` where its functions are more than what can be read.
 * @throws Refusal where there is no such design document
 */
export function viewOf(
  store: Store,
  all: readonly StoredDocument[],
  { database, design, view }: { readonly database: string; readonly design: string; readonly view: string },
  given: Body,
  known: Pick<Learned, 'isIdFirst' | 'hasBareViews'>,
): unknown {
  const { views } = findDocument(store, database, `_design/${design}`).body
  const own = isObject(views) ? views[view] : undefined
  if (!isObject(own) || typeof own['map'] !== 'string') return undefined
  const map = readMapFunction(own['map'])
  const reduce = own['reduce']
  if (map === undefined) return undefined
  const rows = all
    .filter(({ isDeleted, id }) => !isDeleted && !id.startsWith('_design/'))
    .flatMap((document) =>
      map(shownDocument(document, known)).map(([key, value]): Row => ({
        ...{ id: document.id, key, value, document },
      })),
    )
    .toSorted((a, b) => compareKeys(a.key, b.key) || compareKeys(a.id, b.id))
  const within = inRange(rows, given)
  const skip = numberOf(given['skip']) ?? 0
  const part = <Each>(list: readonly Each[]): readonly Each[] =>
    list.slice(skip, skip + (numberOf(given['limit']) ?? Infinity))
  if (reduce === undefined || isFalse(given['reduce'])) {
    const shown = part(within).map(({ document, ...row }) => ({
      ...row,
      ...(isTrue(given['include_docs']) && { doc: shownDocument(document, known) }),
    }))
    return known.hasBareViews ? { rows: shown } : { total_rows: rows.length, offset: skip, rows: shown }
  }
  const run = typeof reduce === 'string' ? REDUCERS.get(reduce) : undefined
  if (run === undefined) return undefined
  const level = isTrue(given['group']) ? Infinity : (numberOf(given['group_level']) ?? 0)
  const groups = groupBy(within, ({ key }) => JSON.stringify(groupKey(key, level)))
  return {
    rows: part([...groups].map(([key, some]) => ({ key: JSON.parse(key) as unknown, value: run(some) }))),
  }
}

function groupKey(key: unknown, level: number): unknown {
  if (level === 0) return null
  return Array.isArray(key) && level !== Infinity ? key.slice(0, level) : key
}

const REDUCERS: ReadonlyMap<string, (rows: readonly Row[]) => unknown> = new Map<
  string,
  (rows: readonly Row[]) => unknown
>([
  ['_count', (rows) => rows.length],
  ['_sum', (rows) => sumOf(numbersIn(rows))],
  [
    '_stats',
    (rows) => {
      const numbers = numbersIn(rows)
      return {
        ...{
          sum: sumOf(numbers),
          count: numbers.length,
          min: Math.min(...numbers),
          max: Math.max(...numbers),
        },
        sumsqr: sumOf(numbers.map((each) => each * each)),
      }
    },
  ],
])

function numbersIn(rows: readonly Row[]): readonly number[] {
  return rows.map(({ value }) => Number(value))
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0)
}

function inRange(rows: readonly Row[], given: Body): readonly Row[] {
  const { key, keys, startkey, endkey, start_key: start = startkey, end_key: end = endkey } = given
  const wanted = valueOf(keys)
  if (Array.isArray(wanted))
    return wanted.flatMap((each: unknown) => rows.filter((row) => isDeepStrictEqual(row.key, each)))
  const isDescending = isTrue(given['descending'])
  const ordered = isDescending ? rows.toReversed() : rows
  const compare = (row: Row, other: unknown): number => {
    const by = compareKeys(row.key, valueOf(other))
    return isDescending ? -by : by
  }
  const isInclusive = !isFalse(given['inclusive_end'])
  return ordered.filter(
    (row) =>
      (key === undefined || isDeepStrictEqual(row.key, valueOf(key))) &&
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
