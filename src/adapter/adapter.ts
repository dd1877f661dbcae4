import type { Mountable } from '../modes/adapter-mounts.ts'
import { createAuthenticator } from './auth.ts'
import { type AdapterConfig, checkConfig } from './config.ts'
import { createControl } from './control.ts'
import type { AdapterDefinition, VirtualClock } from './definition.ts'
import type { Faults } from './faults.ts'
import { loadFixture } from './fixture.ts'
import { createIdSource } from './ids.ts'
import { createManifest, type Manifest } from './manifest.ts'
import { DEFAULT_BODY_LIMIT } from './plugins.ts'
import { createRedo } from './redo.ts'
import { routesOf } from './routes.ts'
import { createAdapterSessions, type AdapterSession, type AdapterSnapshot } from './session.ts'
import { createStandalone, type Standalone } from './standalone.ts'

/** What of an adapter belongs to one token, where it isolates them. */
export interface TokenSession<State> {
  readonly clock: VirtualClock
  readonly faults: Faults
  readonly state: State
}

/** A running adapter. Its clock, faults and state are those of clients without a token, where tokens have their own. */
export interface Adapter<State> extends Mountable, Standalone {
  /** The longest body it takes, in bytes. */
  readonly bodyLimit: number
  /** The state as it is now; that of a token where the adapter isolates them. */
  state(token?: string): State
  /** State, clock, faults, rate limits and request ids as at first. */
  reset(): void
  /** Ends all states, and has the definition dispose of them. Called again, the adapter begins with new ones. */
  close(): void
  /** @throws OptionInvalid when the adapter keeps none */
  snapshot(token?: string): AdapterSnapshot
  /** @throws OptionInvalid for what is not a snapshot of this adapter */
  restore(snapshot: unknown, token?: string): void
  readonly clock: VirtualClock
  readonly faults: Faults
  readonly manifest: Manifest
  /** State, clock and faults of a token, where the adapter isolates them. */
  session(token?: string): TokenSession<State>
  /** @deprecated The former name of `session`. */
  world(token?: string): TokenSession<State>
}

/**
 * An adapter that answers by a definition.
 * @throws OptionInvalid for a definition or configuration that cannot be
 * @throws FixtureInvalid for a fixture with problems
 */
export function createAdapter<State, Fixture, Config extends AdapterConfig = AdapterConfig>(
  definition: AdapterDefinition<State, Fixture, Config>,
  given?: Config,
): Adapter<State> {
  const config = given ?? ({} as Config)
  const { name, bodyLimit = DEFAULT_BODY_LIMIT } = definition
  checkConfig(name, config)
  const ids = createIdSource(config.seed ?? 0)
  const fixture = loadFixture(definition.fixture, config.fixture ?? definition.fixture.starter, {
    strict: config.strict ?? false,
  })
  const authenticator = createAuthenticator(config.auth)
  // Who guesses tokens must not crowd out the state of those that are known.
  const hasOwn = (token: string): boolean => config.isolate === 'token' && authenticator.recognizes(token)
  const sessions = createAdapterSessions({ definition, config, ids, fixture, hasOwn })
  // The first request should not pay for it, and what is wrong should show now.
  void sessions.of().state
  const manifest = createManifest(definition)
  const control = createControl({ name, sessions, bodyLimit })
  const parts = { definition, config, ids, authenticator, sessions, control, manifest }
  const of = (token?: string): AdapterSession<State> => sessions.of(token)

  return {
    name,
    bodyLimit,
    ...createStandalone({
      routeFor: routesOf(parts),
      sessionOf: (exchange) => sessions.ofHeaders(exchange.headers).base,
    }),
    routesAt: (place) => routesOf(parts, place),
    control: (exchange, path) => control(exchange, path, true),
    share: (family, digestOf) =>
      sessions.share({ family, digestOf, handle: createRedo({ definition, config, ids, authenticator }) }),
    worldOf: ({ headers }) => sessions.worldOf(headers),
    state: (token) => of(token).state,
    reset: () => sessions.reset(),
    close: () => sessions.close(),
    snapshot: (token) => of(token).snapshot(),
    restore: (snapshot, token) => of(token).restore(snapshot),
    clock: of().clock,
    faults: of().faults,
    manifest,
    session: of,
    world: of,
  }
}
