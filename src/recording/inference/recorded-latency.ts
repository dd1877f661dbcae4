import type { LatencyShape } from '../../engine/chaos-rule.ts'
import { essenceOf } from '../../media-type.ts'
import type { Exchange } from '../exchange.ts'

/** The times of exchanges, to be made one distribution. */
export interface Times {
  /** Milliseconds until all was there. */
  readonly whole: number[]
  /** Milliseconds of them all that passed between the first byte and the last. */
  receiving: number
}

/** No times yet. */
export function createTimes(): Times {
  return { whole: [], receiving: 0 }
}

/** Adds an exchange; of a stream of events, whose length says nothing of the server, the time until it began. */
export function addTime(times: Times, { timings, response }: Exchange): void {
  const { mimeType } = response.content
  const isStream = mimeType !== '' && essenceOf(mimeType) === 'text/event-stream'
  const receive = isStream || response._aborted === true ? 0 : Math.max(0, timings.receive)
  times.whole.push(Math.max(0, timings.send) + Math.max(0, timings.wait) + receive)
  times.receiving += receive
}

/** What takes less on average is not worth distinguishing. */
const MIN_BODY_MS = 2

/** The distribution of times: by percentile, as few as say it to 1 % or a tenth of a millisecond. */
export function latencyOf({ whole, receiving }: Times): LatencyShape {
  const sum = whole.reduce((total, ms) => total + ms, 0)
  const hasBody = receiving / whole.length >= MIN_BODY_MS
  return {
    distribution: 'percentiles',
    percentiles: percentilesOf(whole),
    ...(hasBody && { body: Math.round((receiving / sum) * 100) / 100 }),
  }
}

/** What people look at. */
const ALWAYS = [0, 50, 95, 99, 100]
const GRID = [...Array.from({ length: 100 }, (_each, percent) => percent), 99.5, 99.9, 100]

/** Values by percentile, from which the others follow in straight lines. */
export function percentilesOf(values: readonly number[]): Readonly<Record<string, number>> {
  const sorted = values.toSorted((a, b) => a - b)
  const grid = GRID.map((percent) => ({ percent, value: quantileOf(sorted, percent / 100) }))
  const kept = new Set(ALWAYS)
  const keepBetween = (first: number, last: number): void => {
    const [from, to] = [grid[first] as Point, grid[last] as Point]
    let [worst, most] = [-1, 1]
    for (let at = first + 1; at < last; at++) {
      const { percent, value } = grid[at] as Point
      const share = (percent - from.percent) / (to.percent - from.percent)
      const straight = from.value + share * (to.value - from.value)
      const off = Math.abs(straight - value) / Math.max(0.1, value / 100)
      if (off > most) [worst, most] = [at, off]
    }
    if (worst < 0) return
    kept.add((grid[worst] as Point).percent)
    keepBetween(first, worst)
    keepBetween(worst, last)
  }
  const ends = ALWAYS.map((percent) => GRID.indexOf(percent))
  for (const [index, end] of ends.entries()) if (index > 0) keepBetween(ends[index - 1] as number, end)
  const points = grid.filter(({ percent }) => kept.has(percent))
  return Object.fromEntries(points.map(({ percent, value }) => [percent, Math.round(value * 100) / 100]))
}

interface Point {
  readonly percent: number
  readonly value: number
}

function quantileOf(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0]
  return low + (at - Math.floor(at)) * (high - low)
}
