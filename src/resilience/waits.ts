import { groupBy } from '../grouping.ts'
import type { Call } from './attempts.ts'

/** The wait before one retry. */
export interface Wait {
  /** Which retry of its call, counted from 1. */
  readonly retry: number
  readonly ms: number
  /** When the attempt that it ended with came. */
  readonly until: number
  /** How long the answer before it requested to wait. */
  readonly wanted: number | undefined
}

/** The waits of calls. */
export function waitsOf(calls: readonly Call[]): readonly Wait[] {
  return calls.flatMap((call) =>
    call.flatMap((attempt, retry) => {
      const before = call[retry - 1]
      return before === undefined
        ? []
        : [
            {
              ...{ retry, until: attempt.arrived, wanted: before.wanted },
              ms: Math.max(0, attempt.arrived - before.ended),
            },
          ]
    }),
  )
}

/** How waits grow from retry to retry. `unknown` where there are too few to say. */
export type Growth = 'none' | 'immediate' | 'fixed' | 'linear' | 'exponential' | 'unknown'

/** How a client waits of its own accord. */
export interface Backoff {
  readonly growth: Growth
  /** Whether waits of the same retry differ by more than timers do. */
  readonly hasJitter: boolean
  /** By what a wait is multiplied from retry to retry; where it grows so. */
  readonly factor?: number
  /** Milliseconds before each retry, in order. */
  readonly waits: readonly {
    readonly median: number
    readonly least: number
    readonly most: number
    readonly count: number
  }[]
}

/** A wait that is shorter than this is none. */
export const IMMEDIATE_MS = 20
/** Differences that timers and the machine cause: so much, or such a share. */
const TIMER_MS = 6
const TIMER_SHARE = 0.01
/**
 * Of the waits of one retry, where they are so many, this share is looked at: those that lie closest together. It is more
 * of those that are estimated, since what makes them alike is what they are estimated by.
 */
const MANY = 6
const DENSEST = 0.5
const DENSEST_ESTIMATED = 0.6
/** Gaps between retries that a machine has held up are small but for a few: the middle one is this share of the mean. */
const BUNCHED = 0.13
/** Waits that began next to each other are less than this share as far apart as any two. */
const ALIKE = 0.25
/** What share of waits has to be in such retries where there is no jitter. */
const NARROW = 0.5
/** Waits that have grown by so much are not cut by a most, which leaves nothing to be drawn. */
const GROWN = 2
/** Lateness does not make waits so many times as long and so much longer besides. */
const LATEST = 2
const LATEST_MS = 150
/** What is less likely by chance is not chance. */
const RARE = 0.02
/** By what a step may be longer than the one before where waits grow by the same. Squares from the second on: 1.4, 1.29. */
const STRAIGHT = 1.2
/** A wait of less than this share of the first was cut. */
const CUT = 0.85
/** Waits that are late are longer: this share of them is shorter than the one that stands for all. */
const EARLY = 0.1

/**
 * What waits have in common.
 * @param areEstimated whether requests do not show which of them are retries of which
 */
export function backoffOf(all: readonly Wait[], areEstimated: boolean): Backoff {
  const groups = [...groupBy(all, ({ retry }) => retry).values()]
  const byRetry = groups.map((waits) => waits.map(({ ms }) => ms).toSorted((a, b) => a - b))
  const waits = byRetry.map((sorted) => ({
    median: rounded(at(sorted, 0.5)),
    least: rounded(at(sorted, 0)),
    most: rounded(at(sorted, 1)),
    count: sorted.length,
  }))
  if (all.length === 0) return { growth: 'none', hasJitter: false, waits }
  const every = all.map(({ ms }) => ms).toSorted((a, b) => a - b)
  // A busy machine makes retries late, but none early.
  const isSoon = byRetry.some((sorted) => sorted.length >= 3 && at(sorted, 0.5) < IMMEDIATE_MS)
  if ((isSoon || at(every, 0.25) < IMMEDIATE_MS) && at(every, 0.5) < 4 * IMMEDIATE_MS && !growsFrom(byRetry))
    return { growth: 'immediate', hasJitter: false, waits }
  const hasJitter = differs(groups, areEstimated ? DENSEST_ESTIMATED : DENSEST)
  // A few late ones say little where there are many.
  const several = byRetry.filter(({ length }) => length >= Math.max(3, (byRetry[0]?.length ?? 0) / 6))
  // Of those that are estimated, some are of other retries.
  const stands = (sorted: readonly number[]): number =>
    areEstimated && sorted.length >= MANY ? (densestOf(sorted, DENSEST)[0] ?? 0) : at(sorted, EARLY)
  const typical = (several.length > 1 ? several : byRetry).map((sorted) =>
    hasJitter ? at(sorted, 0.5) : stands(sorted),
  )
  const [first = []] = byRetry
  const isFirstLate = at(first, 0.9) - at(first, 0.1) > TIMER_MS
  return { ...growthOf(typical, isFirstLate), hasJitter, waits }
}

function growsFrom(byRetry: readonly (readonly number[])[]): boolean {
  const [first, last] = [byRetry[0] ?? [], byRetry.at(-1) ?? []]
  return byRetry.length > 1 && at(last, 0.5) > 3 * Math.max(IMMEDIATE_MS, at(first, 0.5))
}

// Lateness has a long tail and is not always there, jitter is in all waits: without it, many lie close together.
function differs(byRetry: readonly (readonly Wait[])[], densest: number): boolean {
  // Where a client waits at all, a retry that it hardly waits for shows how late things are, and no jitter.
  const waiting = byRetry.filter((waits) => middle(waits.map(({ ms }) => ms)) >= IMMEDIATE_MS)
  const shown = waiting.length > 0 ? waiting : byRetry
  const many = shown.filter(({ length }) => length >= MANY)
  const some = many.length > 0 ? many : shown.filter(({ length }) => length >= MANY / 2)
  const narrow = some.filter((waits) => isNarrow(waits, densest) || isBunched(waits))
  return some.length > 0 && narrow.flat().length < NARROW * some.flat().length && !isLate(some)
}

// Waits that lie together beside much shorter ones were drawn, and cut at a most.
function isNarrow(waits: readonly Wait[], densest: number): boolean {
  const sorted = sortedMs(waits)
  const [least, most] = densestOf(sorted, densest)
  const drawn = sorted.filter((ms) => ms * LATEST + LATEST_MS < least).length
  return most - least <= Math.max(TIMER_MS, TIMER_SHARE * at(sorted, 0.5)) && drawn <= EARLY * sorted.length
}

// The least and the most of that share of sorted waits that lie closest together.
function densestOf(sorted: readonly number[], share: number): readonly [least: number, most: number] {
  const length = Math.max(2, Math.ceil(sorted.length * share))
  let best: readonly [number, number] = [-Infinity, Infinity]
  for (const [index, most] of sorted.slice(length - 1).entries()) {
    const least = sorted[index] as number
    if (most - least < best[1] - best[0]) best = [least, most]
  }
  return best
}

// What is drawn grows with waits or stays, and no wait shrinks: the first were late where longer waits lie closer together, by
// more than chance, and where shorter ones do.
function isLate(byRetry: readonly (readonly Wait[])[]): boolean {
  const [first, ...others] = byRetry.map(sortedMs) as [readonly number[], ...(readonly number[])[]]
  const width = (sorted: readonly number[]): number => at(sorted, 1) - at(sorted, 0)
  if (at(first, 0.9) > LATEST * at(first, EARLY) + LATEST_MS) return false
  return others.some((sorted) => {
    const share = width(sorted) / width(first)
    const isLonger = at(sorted, 0.5) >= GROWN * at(first, 0.5)
    const isShorter = at(sorted, 1) < at(first, 0)
    return (isLonger && sorted.length * share ** (sorted.length - 1) < RARE) || (isShorter && share < 1)
  })
}

function sortedMs(waits: readonly Wait[]): readonly number[] {
  return waits.map(({ ms }) => ms).toSorted((a, b) => a - b)
}

// A machine that is busy holds up all that is due, and then lets it go at once: calls that failed together are retried together.
function isBunched(waits: readonly Wait[]): boolean {
  const gaps = gapsOf(waits.map(({ until }) => until))
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const inOrder = waits.toSorted((a, b) => a.until - a.ms - (b.until - b.ms))
  const apart = (one: Wait, other: Wait): number =>
    Math.min(Math.abs(one.ms - other.ms), Math.abs(one.until - other.until))
  const next = middle(inOrder.slice(1).map((wait, index) => apart(wait, inOrder[index] as Wait)))
  const any = middle(
    inOrder.flatMap((wait, index) => inOrder.slice(index + 1).map((other) => apart(wait, other))),
  )
  return middle(gaps) < BUNCHED * mean && next <= TIMER_MS && next < ALIKE * any
}

function gapsOf(moments: readonly number[]): readonly number[] {
  const sorted = moments.toSorted((a, b) => a - b)
  return sorted.slice(1).map((moment, index) => moment - (sorted[index] ?? 0))
}

function middle(values: readonly number[]): number {
  return at(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}

// Waits may stop growing at a most. None shrinks: what is longer than a later one was late, and what is shorter than the
// first was cut by a limit of the whole time, where others were not.
function growthOf(all: readonly number[], isFirstLate: boolean): Pick<Backoff, 'growth' | 'factor'> {
  const uncut = all.slice(0, all.findLastIndex((ms) => ms >= CUT * (all[0] ?? 0)) + 1)
  const whole = uncut.length < 2 ? all : uncut
  const waits = whole.map((_, index) => Math.min(...whole.slice(index)))
  const growing = waits.slice(0, lastGrowing(waits) + 1)
  if (waits.length < 2) return { growth: 'unknown' }
  if (growing.length < 2) return { growth: 'fixed' }
  const factors = growing.slice(1).map((ms, index) => ms / Math.max(1, growing[index] ?? 1))
  const factor = rounded(middle(factors))
  if (growing.length === 2) return { growth: factor < 1.4 ? 'fixed' : 'exponential', factor }
  const steps = growing.slice(1).map((ms, index) => ms - (growing[index] ?? 0))
  const isStraight = goOn(steps) || (isFirstLate && leadBack(growing, steps))
  return isStraight ? { growth: 'linear' } : { growth: 'exponential', factor }
}

function goOn(steps: readonly number[]): boolean {
  return steps.slice(1).every((step, index) => step < (steps[index] as number) * STRAIGHT + TIMER_MS)
}

// Whether all steps but the first are alike, and lead back to a first wait that is shorter than the one that came late.
function leadBack([first = 0, second = 0]: readonly number[], [, ...others]: readonly number[]): boolean {
  const due = second - (others[0] ?? 0)
  return others.length > 1 && goOn(others) && goOn(others.toReversed()) && due > first / 2 && due < first
}

function lastGrowing(waits: readonly number[]): number {
  for (let index = waits.length - 1; index > 0; index--)
    if ((waits[index] ?? 0) > 1.18 * (waits[index - 1] ?? 0) + 2) return index
  return 0
}

/** The number at a share of the way through sorted ones. */
export function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}
