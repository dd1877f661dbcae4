import type { FastifyInstance } from 'fastify'
import { createAnswerer, USUAL_BODY_LIMIT } from './answerer.ts'
import { createGatekeeper } from './auth.ts'
import type { VirtualClock } from './clock.ts'
import type { AdapterConfig } from './config.ts'
import { checkConfig, momentOf } from './check-config.ts'
import { createControl } from './control.ts'
import type { AdapterDefinition } from './definition.ts'
import type { Faults } from './faults.ts'
import { createFetch } from './fetch.ts'
import { loadFixture } from './fixture/load.ts'
import { createIdSource } from './ids.ts'
import { createManifest, type Manifest } from './manifest.ts'
import type { AdapterAnswer, AdapterRequest } from './request.ts'
import { createSnapshots, type AdapterSnapshot } from './snapshot.ts'
import { createWebApp } from './web-app.ts'
import { createWorld, type World } from './world.ts'
import { createWorlds } from './worlds.ts'

/** A running adapter. Its clock, faults and state are those of clients without a token, where tokens have their own. */
export interface Adapter<State> {
  readonly name: string
  /** The longest body it takes, in bytes. */
  readonly bodyLimit: number
  handle(request: AdapterRequest): Promise<AdapterAnswer>
  /** The adapter as a Fastify instance, ready to listen or to inject requests. */
  asWebApp(): FastifyInstance
  /** Asks the adapter in process; the origin of URLs does not matter, and paths may stand alone. */
  readonly fetch: typeof fetch
  /** The state as it is now; that of a token where the adapter isolates them. */
  state(token?: string): State
  /** State, clock, faults, rate limits and request ids as at first. */
  reset(): void
  /** Ends all states, and has the definition dispose of them. Asked again, the adapter begins with new ones. */
  close(): void
  /** @throws OptionInvalid when the adapter keeps none */
  snapshot(token?: string): AdapterSnapshot
  /** @throws OptionInvalid for what is no snapshot of this adapter */
  restore(snapshot: unknown, token?: string): void
  readonly clock: VirtualClock
  readonly faults: Faults
  readonly manifest: Manifest
  /** Clock and faults of a token, where the adapter isolates them. */
  world(token?: string): Pick<World<State>, 'clock' | 'faults' | 'state'>
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
  const gatekeeper = createGatekeeper(config.auth)
  // Who guesses tokens must not crowd out the state of those that are known.
  const hasOwn = (token: string): boolean => config.isolate === 'token' && gatekeeper.recognizes(token)
  const worlds = createWorlds(() => createWorld(options), hasOwn)
  // The first request should not pay for it, and what is wrong should be told now.
  void worlds.of(undefined).state
  const manifest = createManifest(definition)
  const snapshots = createSnapshots(options)
  const control = createControl({ ...definition, worlds, snapshots, manifest })
  const answer = createAnswerer({ definition, config, ids, gatekeeper, worlds, control })

  const { name, bodyLimit = USUAL_BODY_LIMIT } = definition

  return {
    name,
    bodyLimit,
    handle: answer,
    asWebApp: () => createWebApp({ name, bodyLimit, handle: answer }),
    fetch: createFetch(answer),
    state: (token) => worlds.of(token).state,
    reset: () => worlds.reset(),
    close: () => worlds.close(),
    snapshot: (token) => snapshots.take(worlds.of(token)),
    restore: (snapshot, token) => snapshots.restore(worlds.of(token), snapshot),
    clock: worlds.of(undefined).clock,
    faults: worlds.of(undefined).faults,
    manifest,
    world: (token) => worlds.of(token),
  }
}
