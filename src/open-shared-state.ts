import type { GatewayOptions } from './gateway-options.ts'
import type { Log } from './http/log.ts'
import type { Redactor } from './recording/redaction/redactor.ts'
import type { AppEngine } from './simulation/engine.ts'
import type { CompiledRule } from './state/chaos.ts'
import type { RedisState } from './state/redis/open-state.ts'
import type { StateOptions } from './state/state-options.ts'

interface SharedParts {
  readonly chaos: readonly CompiledRule[]
  readonly redactor: Redactor
  readonly log: Log
}

/** Joins the gateways that share a state; what that takes is loaded here alone. */
export async function openSharedState(
  options: StateOptions,
  { sessions }: GatewayOptions,
  engine: AppEngine,
  { chaos, redactor, log }: SharedParts,
): Promise<RedisState> {
  const { openState } = await import('./state/redis/open-state.ts')
  const { fingerprintOfApp } = await import('./state/redis/fingerprints.ts')
  const { createMemoryState } = await import('./state/state.ts')
  const { seed, routes, store } = engine
  return openState(options, {
    ...{ seed, chaos, redactor, ...sessions },
    fingerprints: { app: fingerprintOfApp(seed, routes, store?.snapshot()) },
    stateOf: () => ({ ...createMemoryState(store), isShared: true }),
    warn: (text) => log.warn(text),
  })
}
