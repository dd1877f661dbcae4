import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../../engine/schema/schema.ts'
import { groupBy } from '../../../grouping.ts'
import { greatestOf, leastOf, sumOf } from '../../../statistics.ts'
import { type Body, findDocument, shownDocument, type Store, type StoredDocument } from './databases.ts'
import { compareKeys, inRange, rangeOf } from './key-range.ts'
import { isFalse, isTrue, numberOf, partOf, valueOf } from './parameters.ts'
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
  const wanted = valueOf(given['keys'])
  const within = Array.isArray(wanted)
    ? wanted.flatMap((key: unknown) => rows.filter((row) => isDeepStrictEqual(row.key, key)))
    : inRange(rows, rangeOf(given))
  if (reduce === undefined || isFalse(given['reduce'])) {
    const shown = partOf(within, given).map(({ document, ...row }) => ({
      ...row,
      ...(isTrue(given['include_docs']) && { doc: shownDocument(document, known) }),
    }))
    const offset = numberOf(given['skip']) ?? 0
    return known.hasBareViews ? { rows: shown } : { total_rows: rows.length, offset, rows: shown }
  }
  const run = typeof reduce === 'string' ? REDUCERS.get(reduce) : undefined
  if (run === undefined) return undefined
  const level = isTrue(given['group']) ? Infinity : (numberOf(given['group_level']) ?? 0)
  const groups = groupBy(within, ({ key }) => JSON.stringify(groupKey(key, level)))
  const reduced = [...groups].map(([key, some]) => ({ key: JSON.parse(key) as unknown, value: run(some) }))
  return { rows: partOf(reduced, given) }
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
          min: leastOf(numbers),
          max: greatestOf(numbers),
        },
        sumsqr: sumOf(numbers.map((each) => each * each)),
      }
    },
  ],
])

function numbersIn(rows: readonly Row[]): readonly number[] {
  return rows.map(({ value }) => Number(value))
}
