import { randomInt } from 'node:crypto'
import type { SimAPI } from '../api.ts'
import { joinEngines } from '../engine/join-engines.ts'
import type { GatewayOptions } from '../gateway/gateway.ts'
import { loadApi } from './load-api.ts'

/**
 * What a gateway needs to answer the routes of several targets; each app goes on answering its own, in its own way.
 * @param seed in place of the apps' own seeds; without it, chaos is drawn from the first app's
 * @throws TargetInvalid when a target is not an app of declared routes; DuplicateRoute when two answer the same
 */
export async function joinApps(targets: readonly string[], seed?: number): Promise<GatewayOptions> {
  const apis: SimAPI[] = []
  for (const target of targets) apis.push(await loadApi(target, 'joined'))
  const joined = apis.map((api) => api.gatewayOptions({ seed }))
  const engines = joined.map(({ engine }) => engine)
  return {
    engine: joinEngines(engines, seed ?? apis[0]?.seed ?? randomInt(2 ** 31)),
    middleware: joined.flatMap(({ middleware = [] }) => middleware),
    cors: joined.map(({ cors }) => cors).find((cors) => cors !== undefined && cors !== false),
  }
}
