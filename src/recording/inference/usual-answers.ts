import type { Folded } from './fold-paths.ts'
import { groupBy } from './group-by.ts'
import type { Sample } from './sample.ts'

/** What a route usually answers. */
export interface UsualAnswers {
  readonly status: number
  /** The exchanges that were answered so. */
  readonly answered: readonly Sample[]
  /** All that succeeded, with whatever status. */
  readonly fine: readonly Sample[]
  /** Whether nothing ever succeeded, so that a failure is what the route answers. */
  readonly isFailure: boolean
  /** Whether only items were asked for that a store does not have: it answers that by itself. */
  readonly isMissed: boolean
}

/** The status that most of what succeeded had; where nothing did, that of most failures. */
export function usualAnswers(method: string, { path, samples }: Folded, isStored: boolean): UsualAnswers {
  const fine = successesOf(samples)
  const isMissed = isStored && path.endsWith('}') && samples.every(({ status }) => status === 404)
  const isFailure = fine.length === 0 && !isMissed
  const usual = isFailure ? samples : fine
  const [status = method === 'DELETE' ? 204 : 200] = statusesOf(usual)
  return { status, answered: usual.filter((each) => each.status === status), fine, isFailure, isMissed }
}

/** Those that succeeded. A path that only ever redirected succeeds by that. */
export function successesOf(samples: readonly Sample[]): readonly Sample[] {
  const fine = samples.filter(({ status }) => status >= 200 && status < 300)
  return fine.length > 0
    ? fine
    : samples.filter(({ status }) => status >= 300 && status < 400 && status !== 304)
}

/** The statuses of exchanges, the most frequent first. */
export function statusesOf(samples: readonly Sample[]): readonly number[] {
  return [...groupBy(samples, ({ status }) => status)]
    .toSorted(([a, as], [b, bs]) => bs.length - as.length || a - b)
    .map(([status]) => status)
}
