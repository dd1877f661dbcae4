import { createVirtualClock, type OwnedClock } from './clock.ts'
import type { AdapterConfig } from './config.ts'
import type { AdapterDefinition, StateSource } from './definition.ts'
import { createFaults, type OwnedFaults } from './faults.ts'
import type { IdSource } from './ids.ts'
import { createPageTokens, type PageTokens } from './page-tokens.ts'
import { createThrottle, type RateLimit, type Throttle } from './throttle.ts'

/** All that changes while an adapter runs: one for all clients, or one for each token. */
export interface World<State> {
  readonly clock: OwnedClock
  readonly faults: OwnedFaults
  readonly throttle: Throttle
  readonly pagesOf: (operation: string) => PageTokens
  /** Made when it is first asked for. */
  readonly state: State
  readonly requests: { count: number }
  /** Waits before handlers, by operation, so that what waits is handled in the order it came. */
  readonly turns: Map<string, Promise<unknown>>
  /** Moves a running clock on by the machine's time since the last request. */
  catchUp(): void
  /** Takes another state in place of the one there is, which stays, and the time with it, where none can be made. */
  setState(make: (source: WorldSource) => State): void
  /** Ends the state; the next one is made when it is asked for. */
  dropState(): void
  /** Everything as at first. */
  reset(): void
}

/** What of a state's source belongs to its world. */
export interface WorldSource {
  readonly clock: OwnedClock
}

/** What all worlds of an adapter have in common. */
export interface WorldOptions<State, Fixture, Config extends AdapterConfig> {
  readonly definition: AdapterDefinition<State, Fixture, Config>
  readonly config: Config
  readonly ids: IdSource
  readonly startAt: number | undefined
  /** Loaded once, and shared. */
  readonly fixture: () => Fixture
}

/** A world as it is at first. */
export function createWorld<State, Fixture, Config extends AdapterConfig>({
  definition,
  config,
  ids,
  startAt,
  fixture,
}: WorldOptions<State, Fixture, Config>): World<State> {
  const { seed = 0, consistency = 'reject' } = config
  const clock = createVirtualClock(startAt)
  const faults = createFaults(seed, config.faults)
  const throttle = createThrottle(limitsOf(config.rateLimit))
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
    throttle,
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
      throttle.reset()
      requests.count = 0
    },
  }
}

function limitsOf(limits: RateLimit | readonly RateLimit[] = []): readonly RateLimit[] {
  return [limits].flat()
}
