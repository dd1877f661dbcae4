import type { Seed } from '../../engine/random.ts'
import type { Redactor } from '../../recording/redaction/redactor.ts'
import { createChaosLog, type CompiledRule } from '../chaos.ts'
import { createClock } from '../clock.ts'
import { createJournal } from '../journal.ts'
import { createSession, type Session } from '../session.ts'
import type { SessionsOptions } from '../sessions.ts'
import type { SessionState } from '../state.ts'
import type { RedisConnection } from './connection.ts'
import { passOn, passOnFaults } from './journal.ts'
import { sessionPrefix } from './keys.ts'
import { createNotes, type Notes, type Pending } from './notes.ts'
import type { SharedSession } from './session-parts.ts'
import type { StateClock } from './state-clock.ts'
import { createWatchers, type OwnWatchers, type Watchers } from '../watchers.ts'

/** What sessions begin with, on all gateways alike. */
export interface SharedSessionsParts extends SessionsOptions {
  readonly seed: Seed
  readonly chaos: readonly CompiledRule[]
  readonly redactor: Redactor
  /** What the requests of a session count and store, by its key. */
  readonly stateOf: (key: string) => FlushedState
  /** Called with each session that has ended. */
  readonly onEnd?: ((session: Session) => void) | undefined
}

/** The state of a session that may have counted what it has not passed on. */
export interface FlushedState extends SessionState {
  /** Passes on what was counted here alone. */
  flush(): Promise<void>
  /** Lets go of what is known here of a session that has ended, or was reset elsewhere. */
  forget(): void
}

/** A session that this gateway knows. */
export interface KnownSession {
  readonly session: SharedSession
  readonly state: FlushedState
  /** Absent where the journal is not shared. */
  readonly journal: Notes | undefined
  readonly faults: Notes | undefined
  /** Who watches the session at this gateway. */
  readonly watchers: OwnWatchers
  /** Forgets the part of journal and log that is only here. */
  readonly clearOwn: () => void
  /** The version of the change log that its parts are as of. */
  version: number
  isUsed: boolean
}

const MAX_BYTES = 8 * 1024 * 1024
const MAX_FAULTS = 20_000

/** Where and by whom what sessions do is noted. */
export interface NotedBy {
  readonly parts: SharedSessionsParts
  readonly connection: RedisConnection
  readonly namespace: string
  readonly gateway: string
  readonly instance: string
  readonly clock: StateClock
  readonly isJournalShared: boolean
  readonly pending: Pending
}

/** One session that is to be kept here. */
export interface KnownSessionOptions extends NotedBy {
  readonly key: string
  /** When the session began, in ms of the state's clock. */
  readonly since: number
  /** How long its keys outlive its last use. */
  readonly expireMs: number
  readonly nextId: () => number
  /** Has all gateways hear of a change that is watched. */
  readonly publish: Watchers['notify']
}

/** Makes a session whose journal and log of chaos are passed on to the other gateways. */
export function createKnownSession(options: KnownSessionOptions): KnownSession {
  const { key, since, expireMs, nextId, namespace, parts, clock, gateway, isJournalShared } = options
  const { seed, chaos, redactor, journal: most = 1000 } = parts
  const { connection, instance, pending, publish } = options
  const notes = (keys: readonly [string, string], limit: number): Notes =>
    createNotes({
      ...{ connection, keys, gateway, instance, pending, most: limit, mostBytes: MAX_BYTES },
      ...(key !== '' && { expireMs }),
    })
  const ownJournal = createJournal(most, { nextId })
  const ownFaults = createChaosLog()
  const keys = notesKeys(namespace, key)
  const journal = isJournalShared ? notes(keys.journal, most) : undefined
  const faults = isJournalShared ? notes(keys.faults, MAX_FAULTS) : undefined
  const state = parts.stateOf(key)
  const watchers = createWatchers()
  const session = createSession({
    ...{ key, seed, chaos, redactor, since, state, store: undefined, clock: createClock(clock.now) },
    journal: journal === undefined ? ownJournal : passOn(ownJournal, journal, clock, gateway),
    log: faults === undefined ? ownFaults : passOnFaults(ownFaults, faults, clock),
    listener: { nextId: () => 0 },
    watchers: { ...watchers, notify: publish },
  }) as SharedSession
  return {
    ...{ session, state, journal, faults, watchers, version: 0, isUsed: false },
    clearOwn() {
      void ownJournal.clear()
      void ownFaults.clear()
    },
  }
}

/** Where a session's journal and its log of chaos are. */
export function notesKeys(
  namespace: string,
  key: string,
): {
  readonly journal: readonly [stream: string, meta: string]
  readonly faults: readonly [stream: string, meta: string]
} {
  const prefix = sessionPrefix(namespace, key)
  return { journal: [`${prefix}:j`, `${prefix}:jm`], faults: [`${prefix}:jf`, `${prefix}:jfm`] }
}
