import { lazy } from '../engine/lazy.ts'
import { OptionInvalid, SimError } from '../errors.ts'
import { readBearer } from '../http/credentials.ts'
import type { Headers } from '../message.ts'
import { createRedactor } from '../recording/redaction/redactor.ts'
import { createStillClock, type StillClock } from '../state/clock.ts'
import type { Limiter } from '../state/limiter.ts'
import type { Session } from '../state/session.ts'
import { createSessions } from '../state/sessions.ts'
import { momentOf, type AdapterConfig } from './config.ts'
import type { AdapterDefinition, StateSource } from './definition.ts'
import { createFaults, type OwnedFaults } from './faults.ts'
import type { IdSource } from './ids.ts'
import { createPageTokens, type PageTokens } from './page-tokens.ts'
import { headerOf } from './request.ts'

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

/** All that changes while an adapter runs: one for all clients, or one for each token. */
export interface AdapterSession<State> {
  /** What of it every gateway's sessions have. */
  readonly base: Session
  readonly clock: StillClock
  readonly limiter: Limiter
  readonly faults: OwnedFaults
  readonly pagesOf: (operation: string) => PageTokens
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

  const session: AdapterSession<State> = {
    ...{ base, clock, limiter, faults },
    turns: new Map(),
    pagesOf: createPageTokens({ seed, name, clock, consistency }),
    get state() {
      current ??= { state: definition.createState(source) }
      return current.state
    },
    begin() {
      const now = performance.now()
      if (config.clock === 'running') clock.advance(now - caughtUp)
      caughtUp = now
      return ++requests
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

/** The sessions of an adapter. */
export interface AdapterSessions<State> {
  /** The session of a token; without isolation there is but one. */
  of(token?: string): AdapterSession<State>
  /** The session that a request belongs to. */
  ofHeaders(headers: Headers): AdapterSession<State>
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
  return {
    of,
    ofHeaders: (headers) => of(readBearer(headerOf(headers, 'authorization'))),
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
