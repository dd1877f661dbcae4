import { lazy } from '../engine/lazy.ts'
import { OptionInvalid, SimError } from '../errors.ts'
import { readBearer } from '../http/credentials.ts'
import type { Awaitable, Headers } from '../message.ts'
import { createRedactor } from '../recording/redaction/redactor.ts'
import { createStillClock, type StillClock } from '../state/clock.ts'
import type { Limiter, MemoryLimiter, PastWindow } from '../state/limiter.ts'
import type { Session } from '../state/session.ts'
import { createSessions } from '../state/sessions.ts'
import { momentOf, type AdapterConfig } from './config.ts'
import type { AdapterDefinition, StateSource } from './definition.ts'
import { createFaults, type FaultCount, type OwnedFaults } from './faults.ts'
import type { IdSource } from './ids.ts'
import { createPageTokens, type PageTokens } from './page-tokens.ts'
import { headerOf } from './request.ts'
import { type AdapterWorld, createAdapterWorld } from './world.ts'

/** What an adapter can be brought back to. It is JSON. */
export interface AdapterSnapshot {
  readonly adapter: string
  readonly packageVersion: string
  /** The virtual clock, in milliseconds since 1970. */
  readonly now: number
  /** How many requests there have been, for their ids. */
  readonly requests: number
  readonly state: unknown
}

/** What all sessions of an adapter have in common. */
export interface SessionOptions<State, Fixture, Config extends AdapterConfig> {
  readonly definition: AdapterDefinition<State, Fixture, Config>
  readonly config: Config
  readonly ids: IdSource
  readonly fixture: Fixture
  /** Whether a token has a session of its own. */
  readonly hasOwn: (token: string) => boolean
}

/** What the requests of a session count, besides its state. */
export interface SessionCounts {
  readonly requests: number
  /** When the last of them came, by the machine's clock. */
  readonly at: number
  /** What was admitted in each window: when it began, and how many. */
  readonly admitted: readonly (readonly [key: string, begins: number, count: number])[]
  readonly faults: readonly FaultCount[]
}

/** All that changes while an adapter runs: one for all clients, or one for each token. */
export interface AdapterSession<State> {
  /** What of it every gateway's sessions have. */
  readonly base: Session
  readonly clock: StillClock
  readonly limiter: Limiter
  readonly faults: OwnedFaults
  readonly pagesOf: (operation: string) => PageTokens
  /** Takes note of what changes; absent where no other gateway is to know. */
  world?: AdapterWorld
  /** What the limiter has admitted. */
  noteAdmitted(windows: readonly PastWindow[]): void
  /** What each request counts. */
  counts(): SessionCounts
  setCounts(counts: SessionCounts): void
  /** Made when it is first read. */
  readonly state: State
  /** Waits before handlers, by operation, so that what waits is handled in the order it came. */
  readonly turns: Map<string, Promise<unknown>>
  /** Counts a request, for its id, and moves a running clock on by the machine's time since the last one. */
  begin(): number
  /** Ends the state; the next one is made when it is read. */
  dropState(): void
  /** Everything as at first. */
  reset(): void
  /** @throws OptionInvalid when the definition says not how */
  snapshot(): AdapterSnapshot
  /** Keeps state and time as they are when it throws. @throws OptionInvalid for what is not a snapshot of this adapter */
  restore(snapshot: unknown): void
}

function createAdapterSession<State, Fixture, Config extends AdapterConfig>(
  base: Session,
  { definition, config, ids, fixture }: SessionOptions<State, Fixture, Config>,
): AdapterSession<State> {
  const { name, packageVersion } = definition
  const { seed = 0, consistency = 'reject' } = config
  const { limiter } = base
  const clock = base.clock as StillClock
  const faults = createFaults(seed, config.faults)
  const source: StateSource<Fixture, Config> = { fixture, ids, clock, config }
  let requests = 0
  let caughtUp = performance.now()
  let current: { readonly state: State } | undefined
  const admitted = new Map<string, PastWindow>()

  const session: AdapterSession<State> = {
    ...{ base, clock, limiter, faults },
    turns: new Map(),
    pagesOf: createPageTokens({ seed, name, clock, consistency }),
    get state() {
      if (current === undefined) {
        current = { state: definition.createState(source) }
        session.world?.noteMade()
      }
      return current.state
    },
    begin() {
      const now = performance.now()
      if (config.clock === 'running') {
        clock.advance(now - caughtUp)
        session.world?.noteClock()
      }
      caughtUp = now
      return ++requests
    },
    noteAdmitted(windows) {
      for (const window of windows) admitted.set(window.key, window)
    },
    counts: () => ({
      requests,
      at: Date.now() - Math.round(performance.now() - caughtUp),
      admitted: Array.from(admitted.values(), ({ key, times, from }) => [
        ...([key, times[from] ?? 0, times.length - from] as const),
      ]),
      faults: faults.counts(),
    }),
    setCounts(counts) {
      requests = counts.requests
      // The time in which nobody had it has passed all the same.
      caughtUp = performance.now() - Math.max(0, Date.now() - counts.at)
      faults.setCounts(counts.faults)
      const windows = counts.admitted.map(([key, begins, count]): PastWindow => {
        return { key, times: Array<number>(count).fill(begins), from: 0, to: count }
      })
      ;(limiter as MemoryLimiter).restore(windows)
      session.noteAdmitted(windows)
    },
    dropState() {
      const dropped = current
      current = undefined
      clock.suspend()
      if (dropped !== undefined) definition.dispose?.(dropped.state)
    },
    reset() {
      caughtUp = performance.now()
      session.dropState()
      void base.reset()
      faults.reset()
      admitted.clear()
      requests = 0
    },
    snapshot() {
      if (definition.snapshot === undefined) throw keepsNone(name)
      const state = definition.snapshot(session.state)
      return { adapter: name, packageVersion, now: clock.now(), requests, state }
    },
    restore(snapshot) {
      if (definition.restoreState === undefined) throw keepsNone(name)
      if (!isSnapshotOf(name, snapshot)) throw new OptionInvalid(`This is not a snapshot of ${name}`)
      const goBack = clock.suspend()
      try {
        clock.set(snapshot.now)
        const next = { state: definition.restoreState(snapshot.state, source) }
        if (current !== undefined) definition.dispose?.(current.state)
        current = next
      } catch (cause) {
        goBack()
        if (SimError.is(cause)) throw cause
        throw new OptionInvalid(`This snapshot of ${name} cannot be restored: its state is damaged`, {
          cause,
        })
      }
      requests = snapshot.requests
    },
  }
  return session
}

function keepsNone(name: string): OptionInvalid {
  return new OptionInvalid(`${name} keeps no snapshots: its definition has no snapshot and restoreState`)
}

function isSnapshotOf(name: string, value: unknown): value is AdapterSnapshot {
  const { adapter, now, requests } = (value ?? {}) as Partial<AdapterSnapshot>
  return adapter === name && typeof now === 'number' && Number.isSafeInteger(requests)
}

/** How sessions are shared. */
export interface Sharing<State> {
  /** What the adapter is called, the same in all gateways. */
  readonly family: string
  /** Names a token without giving it away. */
  readonly digestOf: (token: string) => string
  /** Handles again a request that a session noted. */
  readonly handle: (session: AdapterSession<State>, request: object) => Awaitable<void>
}

/** The sessions of an adapter. */
export interface AdapterSessions<State> {
  /** The session of a token; without isolation there is but one. */
  of(token?: string): AdapterSession<State>
  /** The session that a request belongs to. */
  ofHeaders(headers: Headers): AdapterSession<State>
  /** From now on, sessions are what other gateways go on with. */
  share(sharing: Sharing<State>): void
  /** What other gateways go on with of the session that a request belongs to; `undefined` where there are none. */
  worldOf(headers: Headers): AdapterWorld | undefined
  /** Makes all sessions what they were at first. */
  reset(): void
  /** Ends all states, and forgets the sessions of tokens. */
  close(): void
}

/** How many tokens may have a session of their own; the one that was not used for longest gives way. */
export const MAX_SESSIONS = 256

const redactor = lazy(() => createRedactor())

/** Sessions that begin with the fixture. @throws OptionInvalid for a fault rule or a start that cannot be */
export function createAdapterSessions<State, Fixture, Config extends AdapterConfig>(
  options: SessionOptions<State, Fixture, Config>,
): AdapterSessions<State> {
  const { config, hasOwn } = options
  const startAt = momentOf(config.startAt)
  const known = new WeakMap<Session, AdapterSession<State>>()
  const extended = (base: Session): AdapterSession<State> => {
    const session = known.get(base) ?? createAdapterSession(base, options)
    known.set(base, session)
    return session
  }
  const sessions = createSessions({
    seed: config.seed ?? 0,
    store: undefined,
    chaos: [],
    redactor: redactor(),
    max: MAX_SESSIONS,
    idleSeconds: Infinity,
    // Nobody can read it.
    journal: 1,
    createClock: () => createStillClock(startAt),
    onEnd: (base) => known.get(base)?.dropState(),
  })
  const of = (token?: string): AdapterSession<State> =>
    extended(sessions.of(token !== undefined && hasOwn(token) ? token : ''))
  const ofHeaders = (headers: Headers): AdapterSession<State> =>
    of(readBearer(headerOf(headers, 'authorization')))
  let sharing: Sharing<State> | undefined
  return {
    of,
    ofHeaders,
    share(given) {
      sharing = given
    },
    worldOf(headers) {
      if (sharing === undefined) return undefined
      const session = ofHeaders(headers)
      return (session.world ??= createWorld(session, options.definition, sharing))
    },
    reset() {
      for (const base of sessions.all()) extended(base).reset()
    },
    close() {
      for (const base of sessions.all()) {
        extended(base).dropState()
        sessions.end(base.key)
      }
    },
  }
}

function createWorld<State>(
  session: AdapterSession<State>,
  { snapshot, restoreState }: Pick<AdapterDefinition<State, never, never>, 'snapshot' | 'restoreState'>,
  { family, digestOf, handle }: Sharing<State>,
): AdapterWorld {
  const { base, clock } = session
  const keepsSnapshots = snapshot !== undefined && restoreState !== undefined
  return createAdapterWorld({
    ...{ family, clock },
    name: base.key === '' ? family : `${family}/${digestOf(base.key)}`,
    // As the adapter makes that of all clients when it is made.
    isMadeAtOnce: base.key === '',
    reset: () => session.reset(),
    make: () => void session.state,
    handle: (request) => handle(session, request),
    restore: (text) => session.restore(JSON.parse(text)),
    snapshot: () => (keepsSnapshots ? JSON.stringify(session.snapshot()) : undefined),
    counts: () => JSON.stringify(session.counts()),
    setCounts: (text) => session.setCounts(JSON.parse(text) as SessionCounts),
  })
}
