import type { Seed } from '../engine/random.ts'
import { all, type Awaitable } from '../message.ts'
import type { Redactor } from '../recording/redaction/redactor.ts'
import { createChanges, type Changes } from './changes.ts'
import { createChaos, type Chaos, type ChaosLog, type CompiledRule } from './chaos.ts'
import { createClock, type Clock } from './clock.ts'
import { createJournal, type Journal, type JournalListener } from './journal.ts'
import { createOverrides, type Overrides } from './overrides.ts'
import { createMemoryState, type SessionState } from './state.ts'
import type { Store } from './store.ts'
import { createWatchers, type Watchers } from './watchers.ts'

/** Everything that one client's requests change, apart from all other clients'. */
export interface Session extends Omit<SessionState, 'reset'> {
  /** `''` for the session of requests that name none. */
  readonly key: string
  /** What content and chaos are drawn from. */
  seed: Seed
  /** The store in this process; absent for an app that is not stateful, and where the state is shared. */
  readonly store: Store | undefined
  /** What requests have changed so far, where answers depend on it. */
  readonly changes: Changes
  /** Who wants to know what requests change. */
  readonly watchers: Watchers
  readonly journal: Journal
  readonly clock: Clock
  readonly chaos: Chaos
  /** Answers in place of others. */
  readonly overrides: Overrides
  /** Hides the secrets of what the journal shows. */
  readonly redactor: Redactor
  /** Changes with seed, rules and overrides, from which plans are compiled. */
  readonly revision: number
  /** Seed and rules of this revision. */
  readonly version: SessionVersion
  /** Forgets what was counted, noted and changed, but for store, seed and rules. */
  reset(): Awaitable<void>
  /** How often that was done. */
  readonly resets: number
  /** Forgets what only this process knows, since another one has reset it. */
  wasReset(resets: number): void
}

/** What a session draws and decides by; another object with each change of it. */
export interface SessionVersion {
  readonly seed: Seed
  readonly rules: readonly CompiledRule[]
  /** When the rules came into force, by the session's clock. */
  readonly since: number
}

/** What a session is made of. */
export interface SessionParts {
  readonly key: string
  readonly seed: Seed
  readonly store: Store | undefined
  /** Default: in memory. */
  readonly state?: SessionState | undefined
  readonly chaos: readonly CompiledRule[]
  /** When these rules came into force. Default: now. */
  readonly since?: number | undefined
  readonly redactor: Redactor
  /** Default: one that runs with the machine's. */
  readonly clock?: Clock | undefined
  /** The journal, or how many requests it keeps. */
  readonly journal: number | Journal
  /** What chaos did. Default: in memory. */
  readonly log?: ChaosLog | undefined
  /** Default: those of this process. */
  readonly watchers?: Watchers | undefined
  readonly listener: JournalListener
}

/** A session that has seen nothing yet. */
export function createSession(parts: SessionParts): Session {
  const { key, store, chaos, redactor, journal, listener } = parts
  const { clock = createClock(), state = createMemoryState(store) } = parts
  let { seed } = parts
  const change = (): void => {
    session.revision++
    session.version = { seed, rules: session.chaos.rules, since: session.chaos.since }
  }
  const firstChaos = createChaos(chaos, clock.now, change, parts.since, parts.log)
  const session: Session & { revision: number; version: SessionVersion; resets: number } = {
    key,
    get seed() {
      return seed
    },
    set seed(next) {
      seed = next
      change()
    },
    ...state,
    store,
    changes: createChanges(),
    watchers: parts.watchers ?? createWatchers(),
    journal: typeof journal === 'number' ? createJournal(journal, listener) : journal,
    clock,
    chaos: firstChaos,
    overrides: createOverrides(change, state.isShared ? state.requestCounts : undefined),
    redactor,
    revision: 0,
    version: { seed, rules: chaos, since: firstChaos.since },
    resets: 0,
    reset() {
      session.resets++
      session.changes.reset()
      clock.reset()
      session.overrides.clear()
      return all([session.journal.clear(), session.chaos.log.clear(), state.reset()])
    },
    wasReset(resets) {
      session.resets = resets
      session.changes.reset()
    },
  }
  return session
}
