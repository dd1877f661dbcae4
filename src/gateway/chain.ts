import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { auth } from '../../plugins/auth.ts'
import { errors } from '../../plugins/errors.ts'
import { faults } from '../../plugins/faults.ts'
import { latency } from '../../plugins/latency.ts'
import { rateLimit, type RateLimitRule } from '../../plugins/rate-limit.ts'
import { chaosDraws } from '../engine/random.ts'
import type { RouteOptions } from '../engine/route-options.ts'
import { limitOf } from '../../plugins/chaos/decide.ts'
import { credentialsFor } from '../openapi/serve/credentials.ts'
import { visitOf, type Visit } from './visit.ts'

/** What the plugins do to requests whose route does not say otherwise, and to everything that is forwarded. */
export type ChainDefaults = Pick<
  RouteOptions,
  'bearerTokens' | 'rateLimit' | 'latencyMs' | 'jitterMs' | 'errorRate' | 'errorCodes'
>

/**
 * Puts the plugins in their order. Each is asked, for each request, what to do with it: what the route's options say,
 * or else the defaults, and what the session's chaos has decided besides.
 */
export async function registerChain(app: FastifyInstance, defaults: ChainDefaults): Promise<void> {
  const optionsOf = (request: FastifyRequest): RouteOptions => visitOf(request).match?.route.options ?? {}
  const draws = (kind: string, request: FastifyRequest): (() => number) => {
    const { key, ordinal, session } = visitOf(request)
    return chaosDraws(session.seed, kind, key, ordinal)
  }

  await app.register(auth, {
    tokens: (request) => optionsOf(request).bearerTokens ?? defaults.bearerTokens,
    security: (request) => credentialsFor(visitOf(request).match?.route.operation, visitOf(request).call),
  })
  await app.register(rateLimit, {
    rules: (request) => {
      const { key, session } = visitOf(request)
      const limit = optionsOf(request).rateLimit ?? defaults.rateLimit ?? 0
      if (limit <= 0 && session.chaos.rules.length === 0) return NO_LIMITS
      return [{ limit, key, windows: session.chain.windows }, ...chaosLimits(request)]
    },
    now: (request) => visitOf(request).session.clock.now(),
  })
  await app.register(latency, {
    rule: (request) => {
      const { latencyMs, jitterMs } = optionsOf(request)
      const [ms = 0, jitter = 0] = [latencyMs ?? defaults.latencyMs, jitterMs ?? defaults.jitterMs]
      return { ms: ms + (visitOf(request).chaos?.latencyMs ?? 0), jitterMs: jitter }
    },
    random: (request) => draws('latency', request)(),
    sleep: (ms, request, signal) => visitOf(request).session.clock.sleep(ms, signal),
  })
  await app.register(errors, {
    rule: (request) => {
      const { errors: cases = [], scenario = [], errorRate, errorCodes } = optionsOf(request)
      const { input, key, session, chaos } = visitOf(request)
      const isInert = chaos === undefined && cases.length === 0 && scenario.length === 0
      if (isInert && (errorRate ?? defaults.errorRate ?? 0) <= 0) return undefined
      return {
        cases: cases.map(({ when, ...answer }) => ({ ...answer, applies: () => when(input) })),
        step: () => scenario[Math.min(scenario.length - 1, session.chain.scenarios.next(key))],
        status: chaos?.status,
        rate: errorRate ?? defaults.errorRate ?? 0,
        codes: errorCodes ?? defaults.errorCodes ?? [],
      }
    },
    random: (request) => draws('errors', request),
    note: (request, { cause, status }) => {
      const { key, ordinal, session } = visitOf(request)
      session.chaos.log.add({ route: key, ordinal, rule: cause, status })
    },
  })
  await app.register(faults, {
    fault: (request) => visitOf(request).chaos?.fault,
    random: (request) => draws('garbage', request),
    sleep: (ms, request) => visitOf(request).session.clock.sleep(ms),
  })
}

const NO_LIMITS: readonly RateLimitRule[] = []

function chaosLimits(request: FastifyRequest): readonly RateLimitRule[] {
  const visit = visitOf(request)
  const found = limitOf(visit)
  if (found === undefined) return []
  const { rule, requests, perSeconds = 1, by = 'route' } = found
  const key = `${rule}\n${by}\n${SHARERS[by](visit, request)}`
  return [{ limit: requests, windowMs: perSeconds * 1000, key, windows: visit.session.chain.windows }]
}

/** Who shares a limit. A token is not kept, only what it comes to. */
const SHARERS = {
  route: ({ key }: Visit) => key,
  client: (_visit: Visit, request: FastifyRequest) => request.ip,
  token: (_visit: Visit, request: FastifyRequest) =>
    createHash('sha256')
      .update(request.headers.authorization ?? '')
      .digest('base64'),
}
