import { isObject } from '../../../engine/schema/schema.ts'
import { type Fresh, freshLike } from '../../match/nearest-answer.ts'
import type { Item } from '../../calls/objects.ts'
import type { Labels, Matcher, Point } from './promql-types.ts'
import { type Entry, keyOf, labelOf, numberIn, type Row, type Source } from './values.ts'
import { Refusal } from './refusal.ts'

/** A series, and what of it is known. */
export interface Series {
  readonly metric: Labels
  /** In order of their times. */
  readonly points: readonly Point[]
  /** Whether these are all that there are; otherwise a server goes on to add some. */
  readonly isSent: boolean
}

/** What a recording shows of a server's series, apart from those. */
export interface KnownNames {
  /** The names of metrics that are there. */
  readonly names: readonly string[]
  /** Whether there are no others. */
  readonly areAll: boolean
  /** Names that nothing was found by. */
  readonly absent: readonly string[]
  /** The labels that all series have. */
  readonly common: Labels
}

/** For so many seconds the last point of a series is its value. */
const LOOKBACK = 300
/** As many samples a query may read, with the steps of its subqueries. */
const MAX_SAMPLES = 5_000_000
/** Metrics that servers have of themselves, and of what they scrape. */
const OWN = /^up$|^(go|process|prometheus|promhttp|scrape)_/

/** A series as a stored item. */
export function itemOf({ metric, points, isSent }: Series): Item {
  return { id: keyOf(metric), metric, points, ...(isSent && { isSent }) }
}

/** The series that a stored item is. */
export function seriesIn({ metric, points, isSent }: Item): Series {
  return { metric: metric as Labels, points: points as readonly Point[], isSent: isSent === true }
}

/** The labels of a metric in an answer; `undefined` for what is none. */
export function labelsIn(value: unknown): Labels | undefined {
  if (!isObject(value) || Object.values(value).some((each) => typeof each !== 'string')) return undefined
  return value as Labels
}

/** The points in an answer or an import. */
export function pointsIn(values: unknown): readonly Point[] {
  return Array.isArray(values)
    ? values.flatMap((each: unknown): Point[] =>
        Array.isArray(each) && typeof each[0] === 'number' ? [[each[0], numberIn(each[1])]] : [],
      )
    : []
}

/** Adds points to those of a series. */
export function withPoints(series: Series | undefined, added: Series): Series {
  if (series === undefined) return added
  const times = new Set(added.points.map(([time]) => time))
  const points = [...series.points.filter(([time]) => !times.has(time)), ...added.points]
  return { ...series, points: points.toSorted(([a], [b]) => a - b) }
}

export function fits(metric: Labels, matchers: readonly Matcher[]): boolean {
  return matchers.every(({ label, accepts }) => accepts(labelOf(metric, label)))
}

/**
 * Finds series by what selectors say.
 * @param fresh what values of series are made of that are there, though no answer shows them
 */
export function createSource(
  all: readonly Series[],
  known: KnownNames,
  fresh: Fresh,
): Source & {
  readonly find: (matchers: readonly Matcher[]) => readonly Series[]
} {
  let samples = 0
  const spend = (count: number): void => {
    samples += count
    if (samples > MAX_SAMPLES) throw new Refusal('tooMany')
  }
  const found = new Map<readonly Matcher[], readonly Series[]>()
  const search = (matchers: readonly Matcher[]): readonly Series[] => {
    spend(all.length)
    const seen = all.filter(({ metric }) => fits(metric, matchers))
    const unseen = seen.length > 0 ? undefined : unseenSeries(matchers, all, known, fresh)
    return unseen === undefined ? seen : [unseen]
  }
  const find = (matchers: readonly Matcher[]): readonly Series[] => {
    const series = found.get(matchers) ?? search(matchers)
    found.set(matchers, series)
    spend(series.length)
    return series
  }
  return {
    find,
    spend,
    at: ({ matchers }, time) =>
      find(matchers).flatMap((series): readonly Entry[] => {
        const value = valueAt(series, time)
        return value === undefined ? [] : [{ metric: series.metric, value }]
      }),
    within(select, time, seconds) {
      const rows = rowsWithin(find(select.matchers), time, seconds)
      for (const { points } of rows) spend(points.length)
      return rows
    },
  }
}

// A metric that is there without a series that was seen has the labels that all series have.
function unseenSeries(
  matchers: readonly Matcher[],
  all: readonly Series[],
  { names, areAll, absent, common }: KnownNames,
  fresh: Fresh,
): Series | undefined {
  const name = matchers.find(({ label }) => label === '__name__')?.value
  if (name === undefined || absent.includes(name)) return undefined
  if (all.some(({ metric }) => metric['__name__'] === name)) return undefined
  if (!names.includes(name) && (areAll || !OWN.test(name))) return undefined
  const named = matchers.flatMap(({ label, value }) =>
    value === undefined || value === '' || Object.hasOwn(common, label) ? [] : [[label, value] as const],
  )
  const metric = { ...common, ...Object.fromEntries(named), __name__: name }
  if (!fits(metric, matchers)) return undefined
  const value = Number(freshLike('15', { ...fresh, seed: `${fresh.seed} ${name}` }))
  return { metric, points: [[0, name === 'up' ? 1 : value]], isSent: false }
}

function valueAt({ points, isSent }: Series, time: number): number | undefined {
  const last = points[countUntil(points, time) - 1]
  if (!isSent) return (last ?? points[0])?.[1]
  return last !== undefined && last[0] > time - LOOKBACK ? last[1] : undefined
}

// How many are not after a time.
function countUntil(points: readonly Point[], time: number): number {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle]?.[0] ?? time) <= time) low = middle + 1
    else high = middle
  }
  return low
}

function rowsWithin(found: readonly Series[], time: number, seconds: number): readonly Row[] {
  return found.flatMap((series): readonly Row[] => {
    const start = time - seconds
    const points = series.points.slice(countUntil(series.points, start), countUntil(series.points, time))
    const value = valueAt(series, time)
    const isKnown = series.isSent || points.length > 1 || value === undefined
    if (isKnown) return points.length === 0 ? [] : [{ metric: series.metric, points }]
    return [
      {
        metric: series.metric,
        points: [
          [start, value],
          [time, value],
        ],
      },
    ]
  })
}
