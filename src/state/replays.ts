import type { Awaitable } from '../message.ts'
import { createCounters, createRecent, type Counters, type Recent } from './counters.ts'

/** What a session was given of a recording. */
export interface Replays {
  /** Counts how often each kind of request came. */
  readonly turns: Pick<Counters, 'next' | 'count'>
  /** Where in the recording the writes were that it made again. */
  readonly writes: Recent<number>
  /** Where in the recording the answers are that it was given in turn. */
  readonly given: Recent<number>
  /** For some of these, the place of the answer whose values stand for theirs. */
  readonly exchanged: Recent<number>
  reset(): void
}

/** What a session was given, to see what it would be given next: nothing is noted of that. */
export function lookingAt({ turns, writes, given, exchanged, reset }: Replays): Replays {
  const reading = (recent: Recent<number>): Recent<number> => ({
    ...recent,
    get: (key) => recent.peek(key),
    add: (_key, value) => value,
  })
  const count = (key: string): Awaitable<number> => turns.count(key)
  return {
    turns: { next: count, count },
    ...{ writes: reading(writes), given: reading(given), exchanged: reading(exchanged), reset },
  }
}

const MAX_GIVEN = 1000

/** Nothing yet. */
export function createReplays(): Replays {
  const turns = createCounters()
  const writes = createRecent<number>()
  const given = createRecent<number>(MAX_GIVEN)
  const exchanged = createRecent<number>(MAX_GIVEN)
  return {
    turns,
    writes,
    given,
    exchanged,
    reset() {
      turns.reset()
      writes.clear()
      given.clear()
      exchanged.clear()
    },
  }
}
