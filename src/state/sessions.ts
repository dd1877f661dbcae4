import type { Seed } from '../engine/random.ts'
import { createMemoryStore } from './memory-store.ts'
import { createMemoryState } from './state.ts'
import type { Store, StoreSnapshot } from './store.ts'
import { OptionInvalid, SessionKeyInvalid } from '../errors.ts'
import type { Awaitable, HttpRequest } from '../message.ts'
import type { Redactor } from '../recording/redaction/redactor.ts'
import type { CompiledRule } from './chaos.ts'
import type { Clock } from './clock.ts'
import { createRecent, type MemoryCounters } from './counters.ts'
import type { JournalListener, JournalRecord } from './journal.ts'
import { createSession, type Session } from './session.ts'
import { decodeSegment } from '../routing/path-template.ts'

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
  readonly seed: Seed
  /** The store of the session without a key; absent for an app that is not stateful. */
  readonly store: Store | undefined
  /** The steps of scenarios, of the session without a key. */
  readonly scenarios?: MemoryCounters | undefined
  /** The rules that every session begins with. */
  readonly chaos: readonly CompiledRule[]
  readonly redactor: Redactor
  /** Makes the clock of each session. Default: it runs with the machine's. */
  readonly createClock?: () => Clock
  /** Called with each session that has ended. */
  readonly onEnd?: (session: Session) => void
  /** Milliseconds on the clock that sessions idle by. */
  readonly now?: () => number
}

/** The sessions of a gateway. */
export interface Sessions {
  /** A session, made when it is first needed. The one of key `''` is always there. */
  of(key: string): Awaitable<Session>
  /** The session that a request names. @throws SessionKeyInvalid */
  ofRequest(request: Unkeyed): Awaitable<Session>
  /** Those that are there now, the one of key `''` first. */
  all(): readonly Session[]
  /** Puts a session back to what it was when the gateway began: store, counters, journal, clock, chaos and seed. */
  reset(session: Session): Awaitable<void>
  /** Calls back with each request of any session that ends from now on; returns what ends this. */
  follow(listener: (record: JournalRecord) => void): () => void
  /** Ends a session; the next request with its key begins another. */
  end(key: string): Awaitable<boolean>
}

/** The sessions of a gateway that keeps them to itself. */
export interface MemorySessions extends Sessions {
  of(key: string): Session
  ofRequest(request: Unkeyed): Session
  reset(session: Session): void
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
 * Sessions that begin with what the app's own store holds when the first is requested. Compiled models are shared,
 * so that another session costs little.
 */
export function createSessions(parts: SessionsParts): MemorySessions {
  const {
    seed,
    store,
    scenarios,
    chaos,
    redactor,
    max = 200,
    idleSeconds = 600,
    journal = 1000,
    createClock,
    onEnd,
    now = () => performance.now(),
  } = parts
  const idleMs = idleSeconds * 1000
  const others = createRecent<{ readonly session: Session; usedAt: number }>(max, ({ session }) =>
    onEnd?.(session),
  )
  const followers = new Set<(record: JournalRecord) => void>()
  let last = 0
  const listener: JournalListener = {
    nextId: () => ++last,
    followers,
  }
  const common = { seed, chaos, redactor, journal, listener }
  const own = createSession({
    ...{ ...common, key: '', store, state: createMemoryState(store, scenarios) },
    clock: createClock?.(),
  })
  let first: StoreSnapshot | undefined

  const begin = (key: string): Session => {
    const filled = store === undefined ? undefined : restored(createMemoryStore(), first)
    const state = createMemoryState(filled)
    return createSession({ ...common, key, store: filled, state, clock: createClock?.() })
  }
  const endIdle = (): void => {
    const since = now() - idleMs
    for (const [key, { usedAt }] of others.entries()) {
      if (usedAt >= since) return
      others.delete(key)
    }
  }
  const sessions: MemorySessions = {
    ofRequest: (request) => sessions.of(applySession(request)),
    of(key) {
      first ??= store?.snapshot()
      if (key === '') return own
      const moment = now()
      const known = others.get(key)
      if (known !== undefined && moment - known.usedAt <= idleMs) {
        known.usedAt = moment
        return known.session
      }
      endIdle()
      return others.add(key, { session: begin(key), usedAt: moment }).session
    },
    all() {
      endIdle()
      return [own, ...Array.from(others.entries(), ([, { session }]) => session).toReversed()]
    },
    reset(session) {
      if (session.store !== undefined) restored(session.store, first)
      void session.reset()
      session.seed = seed
      session.chaos.use(chaos)
    },
    follow(follower) {
      followers.add(follower)
      return () => followers.delete(follower)
    },
    end: (key) => others.delete(key),
  }
  return sessions
}

function restored(store: Store, snapshot: StoreSnapshot | undefined): Store {
  if (snapshot !== undefined) store.restore(snapshot)
  return store
}

/** The header that names a request's session. It is ours: neither forwarded nor recorded. */
export const SESSION_HEADER = 'x-sim-session'

const PREFIX = /^\/__sim\/s\/([^/]+)(\/.*)?$/
const KEY = /^[\w.~:@-]{1,128}$/

/** A request whose session is not known yet. */
export interface Unkeyed extends Pick<HttpRequest, 'headers'> {
  path: string
  /** Who the client says it is to the proxy. */
  readonly user: string | undefined
}

/**
 * The session of a request: named by the path's prefix `/__sim/s/<key>`, which is taken off, by the header
 * `x-sim-session`, or by the user name of the proxy's own authentication, in this order. `''` where none is named.
 * @throws SessionKeyInvalid when the key is longer than 128 letters, or holds other than letters, digits and `_.~:@-`
 */
export function applySession(request: Unkeyed): string {
  const { path } = request
  if (path.startsWith('/__sim/s/')) {
    const [, prefixed, rest = '/'] = PREFIX.exec(path) ?? []
    if (prefixed !== undefined) {
      request.path = rest
      return checkKey(decodeSegment(prefixed))
    }
  }
  const header = request.headers[SESSION_HEADER]
  const named = header === undefined || header === '' ? request.user : String(header)
  return named === undefined || named === '' ? '' : checkKey(named)
}

function checkKey(key: string): string {
  if (KEY.test(key)) return key
  throw new SessionKeyInvalid(key)
}
