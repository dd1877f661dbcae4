import type { FastifyInstance, FastifyRequest } from 'fastify'
import { auth } from '../../plugins/auth.ts'
import { errors } from '../../plugins/errors.ts'
import { latency } from '../../plugins/latency.ts'
import { rateLimit } from '../../plugins/rate-limit.ts'
import { createCounters, type Counters } from '../engine/counters.ts'
import { chaosDraws, type Seed } from '../engine/random.ts'
import type { RouteOptions } from '../engine/route-options.ts'
import { credentialsFor } from './credentials.ts'
import { visitOf } from './visit.ts'

/** What the plugins do to requests whose route does not say otherwise, and to everything that is forwarded. */
export type ChainDefaults = Pick<
  RouteOptions,
  'bearerTokens' | 'rateLimit' | 'latencyMs' | 'jitterMs' | 'errorRate' | 'errorCodes'
>

/** What the chain counts. */
export interface ChainState {
  readonly scenarios: Counters
}

/** Counters for one gateway. */
export function createChainState(): ChainState {
  return { scenarios: createCounters() }
}

/** Puts the plugins in their order. Each is asked, for each request, what to do with it. */
export async function registerChain(
  app: FastifyInstance,
  seed: Seed,
  state: ChainState,
  defaults: ChainDefaults,
): Promise<void> {
  const optionsOf = (request: FastifyRequest): RouteOptions => visitOf(request).match?.route.options ?? {}
  const draws = (kind: string, request: FastifyRequest): (() => number) => {
    const { key, ordinal } = visitOf(request)
    return chaosDraws(seed, kind, key, ordinal)
  }

  await app.register(auth, {
    tokens: (request) => optionsOf(request).bearerTokens ?? defaults.bearerTokens,
    security: (request) => credentialsFor(visitOf(request).match?.route.operation, visitOf(request).call),
  })
  await app.register(rateLimit, {
    rule: (request) => {
      const limit = optionsOf(request).rateLimit ?? defaults.rateLimit
      return limit === undefined ? undefined : { limit, key: visitOf(request).key }
    },
  })
  await app.register(latency, {
    rule: (request) => {
      const { latencyMs, jitterMs } = optionsOf(request)
      const [ms = 0, jitter = 0] = [latencyMs ?? defaults.latencyMs, jitterMs ?? defaults.jitterMs]
      return { ms, jitterMs: jitter }
    },
    random: (request) => draws('latency', request)(),
  })
  await app.register(errors, {
    rule: (request) => {
      const { errors: cases = [], scenario = [], errorRate, errorCodes } = optionsOf(request)
      const { input, key } = visitOf(request)
      return {
        cases: cases.map(({ when, ...answer }) => ({ ...answer, applies: () => when(input) })),
        step: () => scenario[Math.min(scenario.length - 1, state.scenarios.next(key))],
        rate: errorRate ?? defaults.errorRate ?? 0,
        codes: errorCodes ?? defaults.errorCodes ?? [],
      }
    },
    random: (request) => draws('errors', request),
  })
}
