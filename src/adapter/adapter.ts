import type { FastifyInstance } from 'fastify'
import { createAuthenticator } from './auth.ts'
import type { VirtualClock } from './clock.ts'
import { type AdapterConfig, checkConfig, momentOf } from './config.ts'
import { createControl } from './control.ts'
import type { AdapterDefinition } from './definition.ts'
import type { Faults } from './faults.ts'
import { loadFixture } from './fixture.ts'
import { createHandler, DEFAULT_BODY_LIMIT } from './handler.ts'
import { createIdSource } from './ids.ts'
import { createManifest, type Manifest } from './manifest.ts'
import type { AdapterAnswer, AdapterRequest } from './request.ts'
import { createSession, createSessions, type Session } from './session.ts'
import { type AdapterSnapshot, createSnapshots } from './snapshot.ts'
import { createFetch, createWebApp } from './web-app.ts'

/** A running adapter. Its clock, faults and state are those of clients without a token, where tokens have their own. */
export interface Adapter<State> {
  readonly name: string
  /** The longest body it takes, in bytes. */
  readonly bodyLimit: number
  handle(request: AdapterRequest): Promise<AdapterAnswer>
  /** The adapter as a Fastify instance, ready to listen or to inject requests. */
  asWebApp(): FastifyInstance
  /** Calls the adapter in process; the origin of URLs does not matter, and paths may stand alone. */
  readonly fetch: typeof fetch
  /** The state as it is now; that of a token where the adapter isolates them. */
  state(token?: string): State
  /** State, clock, faults, rate limits and request ids as at first. */
  reset(): void
  /** Ends all states, and has the definition dispose of them. Called again, the adapter begins with new ones. */
  close(): void
  /** @throws OptionInvalid when the adapter keeps none */
  snapshot(token?: string): AdapterSnapshot
  /** @throws OptionInvalid for what is no snapshot of this adapter */
  restore(snapshot: unknown, token?: string): void
  readonly clock: VirtualClock
  readonly faults: Faults
  readonly manifest: Manifest
  /** State, clock and faults of a token, where the adapter isolates them. */
  session(token?: string): Pick<Session<State>, 'clock' | 'faults' | 'state'>
  /** @deprecated The former name of `session`. */
  world(token?: string): Pick<Session<State>, 'clock' | 'faults' | 'state'>
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
  checkConfig(definition.name, config)
  const ids = createIdSource(config.seed ?? 0)
  const loaded = loadFixture(definition.fixture, config.fixture ?? definition.fixture.starter, {
    strict: config.strict ?? false,
  })
  const options = { definition, config, ids, startAt: momentOf(config.startAt), fixture: () => loaded }
  const authenticator = createAuthenticator(config.auth)
  // Who guesses tokens must not crowd out the state of those that are known.
  const hasOwn = (token: string): boolean => config.isolate === 'token' && authenticator.recognizes(token)
  const sessions = createSessions(() => createSession(options), hasOwn)
  // The first request should not pay for it, and what is wrong should show now.
  void sessions.of(undefined).state
  const manifest = createManifest(definition)
  const snapshots = createSnapshots(options)
  const control = createControl({ ...definition, sessions, snapshots, manifest })
  const answer = createHandler({ definition, config, ids, authenticator, sessions, control })

  const { name, bodyLimit = DEFAULT_BODY_LIMIT } = definition

  return {
    name,
    bodyLimit,
    handle: answer,
    asWebApp: () => createWebApp({ name, bodyLimit, handle: answer }),
    fetch: createFetch(answer),
    state: (token) => sessions.of(token).state,
    reset: () => sessions.reset(),
    close: () => sessions.close(),
    snapshot: (token) => snapshots.take(sessions.of(token)),
    restore: (snapshot, token) => snapshots.restore(sessions.of(token), snapshot),
    clock: sessions.of(undefined).clock,
    faults: sessions.of(undefined).faults,
    manifest,
    session: (token) => sessions.of(token),
    world: (token) => sessions.of(token),
  }
}
