import type { Awaitable } from '../message.ts'
import { createCounters, createRecent, type Counters, type Recent } from './counters.ts'

/** What a session was given of a recording. */
export interface Replays {
  /** Counts how often each kind of request came. */
  readonly turns: Pick<Counters, 'next' | 'count'>
  /** Which recorded writes it made again, by the marks of their exchanges. */
  readonly writes: Recent<string>
  /** Which recorded answers it was given in turn, by their marks. */
  readonly given: Recent<string>
  /** For some of these, the mark of the answer whose values stand for theirs. */
  readonly exchanged: Recent<string>
  /** What its clients drew, and what stands for it in the recording, by one another. */
  readonly drawn: Recent<string>
  /** Secrets that its clients sent to this process, by their pseudonyms in the recording. */
  readonly sent: Recent<string>
  reset(): void
}

/** What a session was given, to see what it would be given next: nothing is noted of that. */
export function lookingAt({ turns, writes, given, exchanged, drawn, sent, reset }: Replays): Replays {
  const reading = <Value>(recent: Recent<Value>): Recent<Value> => ({
    ...recent,
    get: (key) => recent.peek(key),
    add: (_key, value) => value,
  })
  const count = (key: string): Awaitable<number> => turns.count(key)
  return {
    turns: { next: count, count },
    ...{ writes: reading(writes), given: reading(given), exchanged: reading(exchanged) },
    ...{ drawn: reading(drawn), sent: reading(sent), reset },
  }
}

const MAX_GIVEN = 1000

/** Nothing yet. */
export function createReplays(): Replays {
  const turns = createCounters()
  const writes = createRecent<string>()
  const given = createRecent<string>(MAX_GIVEN)
  const exchanged = createRecent<string>(MAX_GIVEN)
  const drawn = createRecent<string>()
  const sent = createRecent<string>(MAX_GIVEN)
  return {
    turns,
    writes,
    given,
    exchanged,
    drawn,
    sent,
    reset() {
      turns.reset()
      writes.clear()
      given.clear()
      exchanged.clear()
      drawn.clear()
      sent.clear()
    },
  }
}
