import { createCounters, type Counters } from './counters.ts'
import type { Engine } from '../engine/engine.ts'
import type { Seed } from '../engine/random.ts'
import type { Redactor } from '../recording/redaction/redactor.ts'
import type { Store } from './store.ts'
import type { ChainState } from '../gateway/chain-state.ts'
import { createChaos, type Chaos, type CompiledRule } from '../../plugins/chaos/chaos.ts'
import { createClock, type Clock } from './clock.ts'
import { createJournal, type Journal, type Telling } from './journal.ts'

/** Everything that one client's requests change, apart from all other clients'. */
export interface Session {
  /** `''` for the session of requests that name none. */
  readonly key: string
  /** What content and chaos are drawn from. */
  seed: Seed
  /** Answers declared routes; `store` and `seed` go with each call. */
  readonly engine: Engine<Store>
  /** Absent for an app that is not stateful. */
  readonly store: Store | undefined
  readonly chain: ChainState
  /** Counts the requests of each route, or of each method and path that is forwarded. */
  readonly arrivals: Counters
  /** Counts how often each recorded request was replayed. */
  readonly replays: Counters
  readonly journal: Journal
  readonly clock: Clock
  readonly chaos: Chaos
  /** Hides the secrets of what the journal shows. */
  readonly redactor: Redactor
  /** Forgets what was counted, noted and changed, but for store, seed and rules. */
  reset(): void
}

/** What a session is made of. */
export interface SessionParts {
  readonly key: string
  readonly engine: Engine<Store>
  readonly store: Store | undefined
  readonly chain: ChainState
  readonly chaos: readonly CompiledRule[]
  readonly redactor: Redactor
  /** How many requests the journal keeps. */
  readonly journal: number
  readonly telling: Telling
}

/** A session that has seen nothing yet. */
export function createSession(parts: SessionParts): Session {
  const { key, engine, store, chain, chaos, redactor, journal, telling } = parts
  const clock = createClock()
  const session: Session = {
    key,
    seed: engine.seed,
    engine,
    store,
    chain,
    arrivals: createCounters(),
    replays: createCounters(),
    journal: createJournal(journal, telling),
    clock,
    chaos: createChaos(chaos, clock.now),
    redactor,
    reset() {
      session.chain.scenarios.reset()
      session.chain.windows.clear()
      session.arrivals.reset()
      session.replays.reset()
      session.journal.clear()
      session.clock.reset()
      session.chaos.log.clear()
    },
  }
  return session
}
