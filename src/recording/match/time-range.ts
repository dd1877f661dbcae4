import { isObject } from '../../engine/schema/schema.ts'

/** The range of time that a request names, in the unit that it names it in. */
export interface TimeRange {
  readonly start: number
  readonly end: number
  /** Between two moments; absent where the request does not say. */
  readonly step: number | undefined
}

const START = /^(start|from|since|after|min|begin)(_?(time|date|ts))?$/i
const END = /^(end|to|until|before|max)(_?(time|date|ts))?$/i
const STEP = /^(step|interval|resolution|period|granularity)$/i
const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
/** Seconds since 1970 that are not just large numbers, and what is milliseconds. */
const [EPOCH, MILLISECONDS] = [500_000_000, 100_000_000_000]
/** So many moments are more than a chart has. */
const MAX_MOMENTS = 11_000

/** The range of time that a request names by fields of its own; `undefined` where it names none. */
export function timeRangeOf(facts: Iterable<readonly [string, unknown]>): TimeRange | undefined {
  let [start, end, step] = [undefined, undefined, undefined] as (number | undefined)[]
  for (const [place, value] of facts) {
    const name = place.slice(place.lastIndexOf('/') + 1)
    if (!/^(query|body)\//.test(place)) continue
    if (START.test(name)) start ??= momentOf(value)
    else if (END.test(name)) end ??= momentOf(value)
    else if (STEP.test(name)) step ??= durationOf(value)
  }
  if (start === undefined || end === undefined || end < start) return undefined
  const inUnit = step !== undefined && start > MILLISECONDS ? step * 1000 : step
  return { start, end, step: inUnit === 0 ? undefined : inUnit }
}

/**
 * A list of moments, or of entries that each begin with one, made for another range of time: as many moments as that
 * asks for, with the recorded values in turn; `undefined` for what is no such list within the recorded range.
 */
export function inRange(list: readonly unknown[], from: TimeRange, to: TimeRange): unknown[] | undefined {
  const moments = list.map(momentIn)
  const isOurs = moments.every(
    (moment, index) =>
      moment !== undefined &&
      moment >= from.start - (from.step ?? 0) &&
      moment <= from.end + (from.step ?? 0) &&
      (index === 0 || moment > (moments[index - 1] ?? Infinity)),
  )
  const [first] = moments
  if (!isOurs || first === undefined) return undefined
  const recorded = moments.length > 1 ? (moments[1] ?? first) - first : undefined
  const step = to.step ?? recorded
  // What began later, or had no steps, only moves.
  if (step === undefined || from.step === undefined || Math.abs(first - from.start) > from.step)
    return list.map((entry, index) => withMoment(entry, (moments[index] ?? 0) - from.start + to.start))
  const count = Math.min(MAX_MOMENTS, Math.floor((to.end - to.start) / step + 1e-9) + 1)
  const offset = first - from.start
  return Array.from({ length: count }, (_, index) =>
    withMoment(list[index % list.length], to.start + offset + index * step),
  )
}

function momentIn(entry: unknown): number | undefined {
  const value: unknown = Array.isArray(entry) ? entry[0] : entry
  return typeof value === 'number' && value > EPOCH ? value : undefined
}

function withMoment(entry: unknown, moment: number): unknown {
  const rounded = Math.round(moment * 1000) / 1000
  return Array.isArray(entry) ? [rounded, ...(entry as readonly unknown[]).slice(1)] : rounded
}

function momentOf(value: unknown): number | undefined {
  const number = Number(value)
  if (value !== '' && number > EPOCH) return number
  const time = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? undefined : time / 1000
}

function durationOf(value: unknown): number | undefined {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)?$/.exec(String(value)) ?? []
  return number === undefined ? undefined : Number(number) * (UNITS[unit] ?? 1)
}

/** Whether a value is an answer's part that has entries by time. */
export function isSeries(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && !isObject(value[0]) && momentIn(value[0]) !== undefined
}
