import { groupBy } from '../grouping.ts'
import type { Call } from './link-calls.ts'

/** The wait before one retry. */
export interface Wait {
  /** Which retry of its call, counted from 1. */
  readonly retry: number
  readonly ms: number
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
        : [{ retry, ms: Math.max(0, attempt.arrived - before.ended), wanted: before.wanted }]
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
const IMMEDIATE_MS = 12
/** Differences that timers and the machine cause: so much, or such a share. */
const TIMER_MS = 4
const TIMER_SHARE = 0.05
/** Of the waits of one retry, where they are so many, this share is looked at: those that lie closest together. */
const MANY = 6
const DENSEST = 0.5
/** What share of waits has to be in such retries where there is no jitter. */
const NARROW = 0.35

/** What waits have in common. */
export function backoffOf(all: readonly Wait[]): Backoff {
  const byRetry = [...groupBy(all, ({ retry }) => retry).values()].map((waits) =>
    waits.map(({ ms }) => ms).toSorted((a, b) => a - b),
  )
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
  const hasJitter = differs(byRetry)
  // A few late ones say little where there are many.
  const several = byRetry.filter(({ length }) => length >= Math.max(3, (byRetry[0]?.length ?? 0) / 6))
  const typical = (several.length > 1 ? several : byRetry).map((sorted) => at(sorted, hasJitter ? 0.5 : 0.2))
  return { ...growthOf(typical), hasJitter, waits }
}

function growsFrom(byRetry: readonly (readonly number[])[]): boolean {
  const [first, last] = [byRetry[0] ?? [], byRetry.at(-1) ?? []]
  return byRetry.length > 1 && at(last, 0.5) > 3 * Math.max(IMMEDIATE_MS, at(first, 0.5))
}

// Lateness has a long tail and is not always there, jitter is in all waits: without it, many lie close together.
function differs(byRetry: readonly (readonly number[])[]): boolean {
  const many = byRetry.filter(({ length }) => length >= MANY)
  const some = many.length > 0 ? many : byRetry.filter(({ length }) => length >= MANY / 2)
  return some.length > 0 && some.filter(isNarrow).flat().length < NARROW * some.flat().length
}

function isNarrow(sorted: readonly number[]): boolean {
  const length = Math.max(2, Math.ceil(sorted.length * DENSEST))
  const widths = sorted.slice(length - 1).map((last, index) => last - (sorted[index] ?? 0))
  return Math.min(...widths) <= Math.max(TIMER_MS, TIMER_SHARE * at(sorted, 0.5))
}

// Waits may stop growing at a most.
function growthOf(waits: readonly number[]): Pick<Backoff, 'growth' | 'factor'> {
  const growing = waits.slice(0, lastGrowing(waits) + 1)
  if (waits.length < 2) return { growth: 'unknown' }
  if (growing.length < 2) return { growth: 'fixed' }
  const factors = growing.slice(1).map((ms, index) => ms / Math.max(1, growing[index] ?? 1))
  const factor = rounded(
    at(
      factors.toSorted((a, b) => a - b),
      0.5,
    ),
  )
  if (growing.length === 2) return { growth: factor < 1.4 ? 'fixed' : 'exponential', factor }
  const steps = growing.slice(1).map((ms, index) => ms - (growing[index] ?? 0))
  const isStraight = steps.every(
    (step, index) => index === 0 || step < (steps[index - 1] ?? 0) * 1.35 + TIMER_MS,
  )
  return isStraight ? { growth: 'linear' } : { growth: 'exponential', factor }
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
