import { LRUCache } from 'lru-cache'
import type { Engine } from '../engine/engine.ts'
import { createMemoryStore } from './memory-store.ts'
import type { Store, StoreSnapshot } from './store.ts'
import { OptionInvalid } from '../errors.ts'
import { createChainState, type ChainState } from '../gateway/chain-state.ts'
import type { CompiledRule } from '../../plugins/chaos/chaos.ts'
import type { Redactor } from '../recording/redaction/redactor.ts'
import type { JournalEntry } from './journal-entry.ts'
import type { Telling } from './journal.ts'
import { createSession, type Session } from './session.ts'

/** How many sessions there may be, and for how long. */
export interface SessionsOptions {
  /** The most sessions at a time; past it, the one that was used least recently ends. Default: 200. */
  readonly max?: number
  /** A session ends when it was not used for so long. Default: 600. */
  readonly idleSeconds?: number
  /** How many requests a session's journal keeps. Default: 1000. */
  readonly journal?: number
}

/** What sessions are made of. */
export interface SessionsParts extends SessionsOptions {
  readonly engine: Engine<Store>
  /** Counters of the session without a key. */
  readonly chain: ChainState
  /** The rules that every session begins with. */
  readonly chaos: readonly CompiledRule[]
  readonly redactor: Redactor
  /** Milliseconds on the clock that sessions idle by. */
  readonly now?: () => number
}

/** The sessions of a gateway. */
export interface Sessions {
  /** A session, made when it is first asked for. The one of key `''` is always there. */
  of(key: string): Session
  /** Those that are there now, the one of key `''` first. */
  all(): readonly Session[]
  /** Puts a session back to what it was when the gateway began: store, counters, journal, clock, chaos and seed. */
  reset(session: Session): void
  /** Calls back with each request of any session that ends from now on; returns what ends this. */
  follow(tell: (entry: JournalEntry) => void): () => void
  /** Ends a session; the next request with its key begins another. */
  end(key: string): boolean
}

/** @throws OptionInvalid for a number that cannot be */
export function checkSessions(options: SessionsOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (
      value !== undefined &&
      !(Number.isFinite(value) && value > 0 && (name === 'idleSeconds' || Number.isInteger(value)))
    )
      throw new OptionInvalid(`sessions: ${name} must be a whole number, 1 or more, not ${String(value)}`)
  }
}

/**
 * Sessions that begin with what the engine's own store holds when the first is asked for. Compiled models are shared,
 * so that another session costs little.
 */
export function createSessions(parts: SessionsParts): Sessions {
  const {
    engine,
    chain,
    chaos,
    redactor,
    max = 200,
    idleSeconds = 600,
    journal = 1000,
    now = () => performance.now(),
  } = parts
  const idleMs = idleSeconds * 1000
  const others = new LRUCache<string, Session>({
    max,
    ttl: idleMs,
    updateAgeOnGet: true,
    ttlResolution: 0,
    perf: { now },
  })
  const followers = new Set<(entry: JournalEntry) => void>()
  let last = 0
  const telling: Telling = {
    nextId: () => ++last,
    tell(noted) {
      if (followers.size === 0) return
      const entry = noted.toEntry()
      for (const follower of followers) follower(entry)
    },
  }
  const shared = { engine, chaos, redactor, journal, telling }
  const own = createSession({ ...shared, key: '', store: engine.store, chain })
  let first: StoreSnapshot | undefined

  const begin = (key: string): Session => {
    const store = engine.store === undefined ? undefined : filled(createMemoryStore(), first)
    return createSession({ ...shared, key, store, chain: createChainState() })
  }
  // Going through all of them for each new one would make the thousandth cost a thousand times the first.
  let looked = now()
  const removeIdle = (): void => {
    if (now() - looked < idleMs / 10) return
    looked = now()
    others.purgeStale()
  }
  return {
    of(key) {
      first ??= engine.store?.snapshot()
      if (key === '') return own
      const known = others.get(key)
      if (known !== undefined) return known
      removeIdle()
      const begun = begin(key)
      others.set(key, begun)
      return begun
    },
    all: () => [own, ...others.values()],
    reset(session) {
      if (session.store !== undefined) filled(session.store, first)
      session.reset()
      session.seed = engine.seed
      session.chaos.use(chaos)
    },
    follow(tell) {
      followers.add(tell)
      return () => followers.delete(tell)
    },
    end: (key) => others.delete(key),
  }
}

function filled(store: Store, snapshot: StoreSnapshot | undefined): Store {
  if (snapshot !== undefined) store.restore(snapshot)
  return store
}
