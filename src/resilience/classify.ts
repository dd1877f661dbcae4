import type { Attempt, Call } from './attempts.ts'
import { backoffOf, waitsOf, type Backoff, type Wait } from './waits.ts'

/**
 * What a client does when a request fails, in a word. `as-requested`: it waits as answers request it. `unclear`: it may
 * retry or not, as what follows failures differs too little from what follows other answers.
 */
export type Behaviour =
  | 'none'
  | 'fixed'
  | 'linear'
  | 'exponential'
  | 'jittered'
  | 'as-requested'
  | 'storm'
  | 'header-ignoring'
  | 'unknown'
  | 'unclear'

/** Whether waits that answers requested for were waited. */
export interface Heeding {
  readonly requested: number
  readonly heeded: number
  readonly ignored: number
}

/** What one client does. */
export interface Classified {
  readonly behaviour: Behaviour
  readonly backoff: Backoff
  readonly headers: Heeding
}

/** Timers and the whole seconds of dates allow so much. */
const EARLY = 0.9
const EARLY_MS = 30
/** Retries of one call that make a storm where none of them waits. */
const STORM_RETRIES = 2

/** What a client does, from its calls. */
export function classify(calls: readonly Call[]): Classified {
  const waits = waitsOf(calls)
  const requested = waits.filter(({ wanted }) => wanted !== undefined)
  const heeded = requested.filter(isHeeded).length
  const headers = { requested: requested.length, heeded, ignored: requested.length - heeded }
  const isHeeding = heeded > headers.ignored
  const own = isHeeding ? waits.filter((wait) => !isHeeded(wait) || wait.wanted === undefined) : waits
  const backoff = backoffOf(own, areAlike(calls))
  return { behaviour: behaviourOf(calls, backoff, headers, isHeeding), backoff, headers }
}

// Whether calls have requests that other calls could have made.
function areAlike(calls: readonly Call[]): boolean {
  const names = calls.map(([first]) => `${first?.alike}\n${first?.call ?? ''}`)
  return new Set(names).size < names.length
}

function isHeeded({ ms, wanted = 0 }: Wait): boolean {
  return ms >= wanted * EARLY - EARLY_MS
}

function behaviourOf(
  calls: readonly Call[],
  { growth, hasJitter }: Backoff,
  headers: Heeding,
  isHeeding: boolean,
): Behaviour {
  if (calls.every(({ length }) => length === 1)) return 'none'
  if (growth === 'immediate' && isStorm(calls)) return 'storm'
  if (headers.ignored > headers.heeded) return 'header-ignoring'
  if (growth === 'none' && isHeeding) return 'as-requested'
  if (growth === 'immediate') return 'fixed'
  if (hasJitter) return 'jittered'
  return growth === 'none' ? 'unknown' : growth
}

function isStorm(calls: readonly Call[]): boolean {
  return calls.some(({ length }) => length > STORM_RETRIES)
}

/** The last attempt of a call that has failed. */
export function givenUp(call: Call): Attempt | undefined {
  const last = call.at(-1)
  return last?.hasFailed === true ? last : undefined
}
