import { createWindows, type Windows } from '../../plugins/rate-limit.ts'
import { createCounters, type Counters } from '../state/counters.ts'

/** What the plugins remember of the requests of one session. */
export interface ChainState {
  /** How many requests of each route took a step of its scenario. */
  readonly scenarios: Counters
  /** The requests that rate limits admitted of late. */
  readonly windows: Windows
}

/** A state in which nothing was counted yet. */
export function createChainState(): ChainState {
  return { scenarios: createCounters(), windows: createWindows() }
}
