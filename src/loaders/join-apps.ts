import { randomInt } from 'node:crypto'
import { joinEngines } from '../simulation/join-engines.ts'
import type { Seed } from '../engine/random.ts'
import type { AppGatewayOptions } from '../gateway.ts'
import type { LoadedApi, LoadOptions } from './target.ts'

/**
 * What a gateway needs to answer the routes of several apps; each app goes on answering its own, in its own way.
 * @param load options that win over those of the apps
 * @param chaosSeed what chaos is drawn from unless `load` has a seed; by default that of the first app
 * @throws DuplicateRoute when two of them answer the same
 */
export function joinLoaded(
  apps: readonly LoadedApi[],
  { options = {} }: LoadOptions,
  chaosSeed?: number,
): AppGatewayOptions {
  const joined = apps.map(({ api, overrides }) => api.gatewayOptions({ ...options, ...overrides }))
  const engines = joined.map(({ engine }) => engine)
  return {
    engine: joinEngines(engines, options.seed ?? chaosSeed ?? engines[0]?.seed ?? randomInt(2 ** 31)),
    middleware: joined.flatMap(({ middleware = [] }) => middleware),
    cors: options.cors ?? corsOf(joined.map(({ cors }) => cors)),
  }
}

// Who lets some in has reasons to; one that lets nobody in does so for all only where no other says anything.
function corsOf(said: readonly AppGatewayOptions['cors'][]): AppGatewayOptions['cors'] {
  const given = said.filter((cors) => cors !== undefined)
  return given.find((cors) => cors !== false) ?? given[0]
}

/** The seed of one app. */
export interface AppSeed {
  readonly target: string
  readonly seed: Seed
  /** Whether the app does not say it, so that another run has another one. */
  readonly isDrawn: boolean
}

/** What the contents of loaded apps are drawn from. */
export function seedsOf(
  apps: readonly LoadedApi[],
  targets: readonly string[],
  { options: { seed } = {} }: LoadOptions,
): readonly AppSeed[] {
  return apps.map(({ api, overrides }, index) => ({
    target: targets[index] ?? '',
    seed: seed ?? overrides?.seed ?? api.seed,
    isDrawn: seed === undefined && api.options.seed === undefined,
  }))
}
