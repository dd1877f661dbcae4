import { createCounters, createRecent, type Counters, type Recent } from './counters.ts'

/** What a session was given of a recording. */
export interface Replays {
  /** Counts how often each kind of request came. */
  readonly turns: Counters
  /** Where in the recording the writes were that it made again. */
  readonly writes: Recent<number>
  reset(): void
}

/** Nothing yet. */
export function createReplays(): Replays {
  const turns = createCounters()
  const writes = createRecent<number>()
  return {
    turns,
    writes,
    reset() {
      turns.reset()
      writes.clear()
    },
  }
}
