import type { RouteOptions } from '../engine/route-options.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { plain } from './plain.ts'
import type { Hide } from './secrets.ts'

/** The simulation options of a route that are data, as data files name them; `undefined` when it has none. */
export function simOptionsOf(options: RouteOptions<Schema>, hide: Hide): Record<string, unknown> | undefined {
  const set = NAMES.filter(([name]) => options[name] !== undefined)
  if (set.length === 0) return undefined
  return Object.fromEntries(set.map(([name, dataName]) => [dataName, hide(plain(options[name]))]))
}

const NAMES: readonly (readonly [keyof RouteOptions, string])[] = [
  ['listCount', 'list_count'],
  ['stateful', 'stateful'],
  ['errorRate', 'error_rate'],
  ['errorCodes', 'error_codes'],
  ['latencyMs', 'latency_ms'],
  ['jitterMs', 'jitter_ms'],
  ['rateLimit', 'rate_limit'],
  ['filterBy', 'filter_by'],
  ['seedFrom', 'seed_from'],
  ['scenario', 'scenario'],
  ['host', 'host'],
]
