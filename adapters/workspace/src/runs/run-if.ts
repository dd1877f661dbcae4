import type { Ending, Result } from './run.ts'
import { skipped } from './endings.ts'

/** What became of a dependency, as conditions see it. */
export type DependencyState = 'succeeded' | 'failed' | 'canceled' | 'excluded' | 'other-outcome'

const STATES: Readonly<Partial<Record<Result, DependencyState>>> = {
  SUCCESS: 'succeeded',
  SUCCESS_WITH_FAILURES: 'succeeded',
  CANCELED: 'canceled',
  UPSTREAM_CANCELED: 'canceled',
  EXCLUDED: 'excluded',
  DISABLED: 'excluded',
}

/** How conditions see a result. */
export function dependencyState(result: Result | undefined): DependencyState {
  return (result && STATES[result]) ?? 'failed'
}

/**
 * Whether a task may run once all of its dependencies have ended: `undefined` if so, or the end it comes to without
 * running. Excluded dependencies count as successes, but a task with none but those is excluded itself.
 */
export function skipReason(runIf: string, dependencies: readonly DependencyState[]): Ending | undefined {
  if (dependencies.length === 0) return undefined
  if (dependencies.every((each) => each === 'excluded' || each === 'other-outcome'))
    return skipped('EXCLUDED')
  const has = (state: DependencyState): boolean => dependencies.includes(state)
  const hasFailure = has('failed') || has('canceled')
  const upstream = skipped(has('failed') ? 'UPSTREAM_FAILED' : 'UPSTREAM_CANCELED')
  switch (runIf) {
    case 'ALL_DONE':
      return undefined
    case 'NONE_FAILED':
      return hasFailure ? upstream : undefined
    case 'AT_LEAST_ONE_SUCCESS':
      return has('succeeded') ? undefined : upstream
    case 'ALL_FAILED':
      return dependencies.every((each) => each === 'failed' || each === 'canceled')
        ? undefined
        : skipped('EXCLUDED')
    case 'AT_LEAST_ONE_FAILED':
      return hasFailure ? undefined : skipped('EXCLUDED')
    default:
      if (hasFailure) return upstream
      return has('other-outcome') ? skipped('EXCLUDED') : undefined
  }
}
