import { readBearer } from './auth.ts'
import { createVirtualClock, type OwnedClock } from './clock.ts'
import type { AdapterConfig } from './config.ts'
import type { AdapterDefinition, StateSource } from './definition.ts'
import { createFaults, type OwnedFaults } from './faults.ts'
import type { IdSource } from './ids.ts'
import { createLimiter, type RateLimit, type Limiter } from './limiter.ts'
import { createPageTokens, type PageTokens } from './page-tokens.ts'

/** All that changes while an adapter runs: one for all clients, or one for each token. */
export interface Session<State> {
  readonly clock: OwnedClock
  readonly faults: OwnedFaults
  readonly limiter: Limiter
  readonly pagesOf: (operation: string) => PageTokens
  /** Made when it is first read. */
  readonly state: State
  readonly requests: { count: number }
  /** Waits before handlers, by operation, so that what waits is handled in the order it came. */
  readonly turns: Map<string, Promise<unknown>>
  /** Moves a running clock on by the machine's time since the last request. */
  catchUp(): void
  /** Takes another state in place of the one there is, which stays, and the time with it, where none can be made. */
  setState(make: (source: SessionSource) => State): void
  /** Ends the state; the next one is made when it is read. */
  dropState(): void
  /** Everything as at first. */
  reset(): void
}

/** What of a state's source belongs to its session. */
export interface SessionSource {
  readonly clock: OwnedClock
}

/** What all sessions of an adapter have in common. */
export interface SessionOptions<State, Fixture, Config extends AdapterConfig> {
  readonly definition: AdapterDefinition<State, Fixture, Config>
  readonly config: Config
  readonly ids: IdSource
  readonly startAt: number | undefined
  /** Loaded once, and shared. */
  readonly fixture: () => Fixture
}

/** A session as it is at first. */
export function createSession<State, Fixture, Config extends AdapterConfig>({
  definition,
  config,
  ids,
  startAt,
  fixture,
}: SessionOptions<State, Fixture, Config>): Session<State> {
  const { seed = 0, consistency = 'reject' } = config
  const clock = createVirtualClock(startAt)
  const faults = createFaults(seed, config.faults)
  const limiter = createLimiter(limitsOf(config.rateLimit))
  const requests = { count: 0 }
  const turns = new Map<string, Promise<unknown>>()
  let caughtUp = performance.now()
  let current: { readonly state: State } | undefined

  const source = (): StateSource<Fixture, Config> => ({ fixture: fixture(), ids, clock, config })
  const dropState = (): void => {
    const dropped = current
    current = undefined
    clock.reset(true)
    if (dropped !== undefined) definition.dispose?.(dropped.state)
  }
  return {
    clock,
    faults,
    limiter,
    requests,
    turns,
    pagesOf: createPageTokens({ seed, name: definition.name, clock, consistency }),
    get state() {
      current ??= { state: definition.createState(source()) }
      return current.state
    },
    setState(make) {
      const goBack = clock.suspend()
      try {
        const next = { state: make({ clock }) }
        if (current !== undefined) definition.dispose?.(current.state)
        current = next
      } catch (error) {
        goBack()
        throw error
      }
    },
    dropState,
    catchUp() {
      if (config.clock !== 'running') return
      const now = performance.now()
      clock.advance(now - caughtUp)
      caughtUp = now
    },
    reset() {
      caughtUp = performance.now()
      dropState()
      clock.reset()
      faults.reset()
      limiter.reset()
      requests.count = 0
    },
  }
}

function limitsOf(limits: RateLimit | readonly RateLimit[] = []): readonly RateLimit[] {
  return [limits].flat()
}

/** The sessions of an adapter. */
export interface Sessions<State> {
  /** The session of a token; without isolation there is but one. */
  of(token: string | undefined): Session<State>
  /** The session that a request belongs to. */
  ofHeader(authorization: string | undefined): Session<State>
  /** Makes all sessions what they were at first. */
  reset(): void
  /** Ends all states, and forgets the sessions of tokens. */
  close(): void
}

/** How many tokens may have a session of their own; the one that was not used for longest gives way. */
export const MAX_SESSIONS = 256

/** @param hasOwn whether a token has a session of its own */
export function createSessions<State>(
  create: () => Session<State>,
  hasOwn: (token: string) => boolean,
): Sessions<State> {
  const first = create()
  const byToken = new Map<string, Session<State>>()

  const endOldest = (): void => {
    const [oldest] = byToken
    if (oldest === undefined) return
    const [token, session] = oldest
    byToken.delete(token)
    session.dropState()
  }
  const of = (token: string | undefined): Session<State> => {
    if (token === undefined || !hasOwn(token)) return first
    const session = byToken.get(token) ?? create()
    byToken.delete(token)
    byToken.set(token, session)
    if (byToken.size > MAX_SESSIONS) endOldest()
    return session
  }
  return {
    of,
    ofHeader: (authorization) => of(readBearer(authorization)),
    reset() {
      for (const session of [first, ...byToken.values()]) session.reset()
    },
    close() {
      for (const session of [first, ...byToken.values()]) session.dropState()
      byToken.clear()
    },
  }
}
