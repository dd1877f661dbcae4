import type { Awaitable } from '../message.ts'
import { createCounters, type Counters, type MemoryCounters } from './counters.ts'
import { createLimiter, type Limiter, type MemoryLimiter } from './limiter.ts'
import { createReplays, type Replays } from './replays.ts'
import type { Store } from './store.ts'

/** What the requests of one session count and store. */
export interface SessionState {
  /** Whether other gateways read and change it as well. */
  readonly isShared: boolean
  /** The requests of each route, or of each method and path that is forwarded. */
  readonly requestCounts: Counters
  /** The steps that scenarios have taken, by route. */
  readonly scenarios: Counters
  readonly limiter: Limiter
  /**
   * Runs work that reads and changes the store: in memory once and at once. Where the state is shared, the work sees
   * what has been loaded, and runs again once what else it needs is loaded, or when another gateway has changed what
   * it saw. What it changes is stored when it is done. It must do nothing else than that, and the same each time.
   * @throws whatever the work throws
   */
  transact<Result>(work: (store: Store) => Awaitable<Result>): Awaitable<Result>
  /** Runs work that reads and changes what the session was given of a recording; again as `transact` does. */
  replay<Result>(work: (replays: Replays) => Promise<Result>): Promise<Result>
  /** Forgets what was counted, admitted and replayed. */
  reset(): Awaitable<void>
}

/** What one session counts and stores in this process alone. */
export interface MemoryState extends SessionState {
  readonly requestCounts: MemoryCounters
  readonly scenarios: MemoryCounters
  readonly limiter: MemoryLimiter
}

/** State in this process's memory. @param scenarios where others may reset them */
export function createMemoryState(store: Store | undefined, scenarios = createCounters()): MemoryState {
  const requestCounts = createCounters()
  const replays = createReplays()
  const limiter = createLimiter()
  return {
    isShared: false,
    ...{ requestCounts, scenarios, limiter },
    transact: (work) => work(store as Store),
    replay: (work) => work(replays),
    reset() {
      for (const each of [requestCounts, scenarios, replays]) each.reset()
      limiter.clear()
    },
  }
}
