import type { Seed } from '../engine/random.ts'
import { RequestNotRebuilt } from '../errors.ts'
import type { Redactor } from '../recording/redaction/redactor.ts'
import type { CompiledRule } from './chaos.ts'
import type { Clock } from './clock.ts'
import type { RecordedRequest } from './journal-record.ts'
import type { PastWindow } from './limiter.ts'
import { createSession, type Session } from './session.ts'
import { createMemoryState } from './state.ts'
import type { Store } from './store.ts'

/** What a session was when a request came, as far as the request's answer depends on it. */
export interface Past {
  /** The number of the request in the journal. */
  readonly id: number
  readonly session: string
  readonly seed: Seed
  readonly rules: readonly CompiledRule[]
  /** When the rules came into force. */
  readonly since: number
  /** When it came, and when its answer was made, by the session's clock. */
  readonly moment: number
  readonly answeredAt: number
  /** What it was counted by, and how many came before. */
  readonly key: string
  readonly ordinal: number
  /** How many steps of its scenario came before. */
  readonly step: number
  readonly admitted: readonly PastWindow[]
  readonly store: Store | undefined
}

/**
 * What a session was when a request of its journal came.
 * @throws RequestNotRebuilt where that is no longer known
 */
export function pastOf(record: RecordedRequest, { store }: Pick<Session, 'store'>): Past {
  const { id, session, version, storeVersion, moment, answeredAt, key, ordinal, step, admitted } = record
  if (version === undefined) throw new RequestNotRebuilt(id, 'it ended before its session was known')
  const before = store?.before(storeVersion ?? store.version)
  if (store !== undefined && before === undefined)
    throw new RequestNotRebuilt(
      id,
      'the store was changed too often since then, or replaced, and what it held is no longer known',
    )
  const { seed, rules, since } = version
  return {
    ...{ id, session: session.key, seed, rules, since, moment, key, ordinal, store: before },
    ...{ answeredAt: answeredAt ?? moment, step: step ?? 0, admitted: admitted ?? [] },
  }
}

/** A session as it was, apart from all others; nobody waits in it. */
export function createPastSession(past: Past, redactor: Redactor): Session {
  const { id, session: key, seed, store, rules, since } = past
  const state = createMemoryState(store)
  state.scenarios.restore(past.key, past.step)
  state.requestCounts.restore(past.key, past.ordinal)
  state.limiter.restore(past.admitted)
  return createSession({
    ...{ key, seed, store, state, redactor, since },
    chaos: rules,
    clock: createPastClock(past),
    journal: 0,
    listener: { nextId: () => id },
  })
}

// Its time is wanted when the request comes, and when its answer is made.
function createPastClock({ moment, answeredAt }: Past): Clock {
  let hasBegun = false
  const nothing = (): void => undefined
  return {
    now() {
      const now = hasBegun ? answeredAt : moment
      hasBegun = true
      return now
    },
    sleep: () => Promise.resolve(),
    isFrozen: true,
    freeze: nothing,
    advance: nothing,
    reset: nothing,
  }
}
