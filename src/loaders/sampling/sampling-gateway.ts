import type { FastifyBaseLogger } from 'fastify'
import type { SimAPI } from '../../api.ts'
import { createEngine } from '../../simulation/engine.ts'
import type { Engine } from '../../engine/engine.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { mediaKindOf } from '../../media-type.ts'
import { isStateful, type Match, type RouteDefinition } from '../../engine/route.ts'
import { createMemoryStore } from '../../state/memory-store.ts'
import type { Store } from '../../state/store.ts'
import { createGateway } from '../../gateway.ts'
import type { SampleRequest } from './sample-request.ts'

/** An answer of a sampling gateway. */
interface SampledAnswer {
  readonly status: number
  /** `undefined` for an empty answer. */
  readonly body: unknown
  /** Why there was no proper answer, as the app says to its clients, or the gateway its log. */
  readonly reason: string
  /** Whether something broke, rather than that the app refused the request. */
  readonly broke: boolean
}

/** A copy of an app in its first state, without chaos. Whatever happens to it, the app does not notice. */
export interface SamplingGateway {
  send(request: SampleRequest): Promise<SampledAnswer>
  /** The id of the item that was stored last. */
  lastId(): string | undefined
  /** Puts the copy back into its first state, with nothing stored. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** A copy without chaos of some of an app's routes. @throws LinksInvalid when links of all of them cannot work */
export function createSamplingGateway(
  api: SimAPI,
  routes: readonly RouteDefinition[],
  seed: number | undefined,
): SamplingGateway {
  const store = createMemoryStore()
  let logged = ''
  const logger = createLogger((fields, message) => {
    logged = message ?? (fields instanceof Error ? fields.message : JSON.stringify(fields))
  })
  const app = createGateway({ engine: withoutChaos(engineOf(api, routes, store, seed)), logger })
  return {
    async send({ method, url, headers, payload }) {
      logged = ''
      const response = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
      const body = bodyOf(response.payload, String(response.headers['content-type']))
      const status = response.statusCode
      const broke =
        status === 500 &&
        isObject(body) &&
        typeof body['error'] === 'string' &&
        // What a fixture has nothing for may only be what was sampled.
        body['code'] !== 'SIM_FIXTURE_MISS'
      return { status, body, reason: logged === '' ? detailOf(body) : logged, broke }
    },
    lastId: () => Object.values(store.snapshot().collections).at(-1)?.items.at(-1)?.[0],
    async reset() {
      await app.inject({ method: 'POST', url: '/__sim/reset' })
      store.clear()
    },
    close: () => app.close(),
  }
}

// The app's own engine knows its links best; it cannot leave out routes that do not work.
function engineOf(
  api: SimAPI,
  routes: readonly RouteDefinition[],
  store: Store,
  seed: number | undefined,
): Engine<Store> {
  if (routes.length === api.routes.length) return api.engine({ seed, store })
  const { stateful, dynamic, validateResponses = false, verboseErrors = false } = api.options
  return createEngine({
    routes,
    seed: seed ?? api.seed,
    validateResponses,
    verboseErrors,
    store: routes.some((route) => isStateful(route, stateful === true)) ? store : undefined,
    stateful: stateful === true,
    dynamic: dynamic === true,
  })
}

function withoutChaos(engine: Engine<Store>): Engine<Store> {
  const copies = new Map<RouteDefinition, RouteDefinition>()
  const originals = new Map<RouteDefinition, RouteDefinition>()
  const copyOf = (route: RouteDefinition): RouteDefinition => {
    const {
      errorRate: _rate,
      latencyMs: _ms,
      jitterMs: _jitter,
      rateLimit: _limit,
      scenario: _steps,
      // What it declares is looked at, and not what its clients get for it.
      serverUrls: _urls,
      ...options
    } = route.options
    const copy = copies.get(route) ?? { ...route, options }
    copies.set(route, copy)
    originals.set(copy, route)
    return copy
  }
  const original = ({ route, params }: Match): Match => ({ route: originals.get(route) ?? route, params })
  return {
    ...engine,
    match(call) {
      const match = engine.match(call)
      return match === undefined ? undefined : { ...match, route: copyOf(match.route) }
    },
    inputReader: (route) => engine.inputReader(originals.get(route) ?? route),
    answer: (match, call, input) => engine.answer(original(match), call, input),
    findItem: (match, call) => engine.findItem(original(match), call),
  }
}

// What is not JSON stays text.
function bodyOf(payload: string, type: string): unknown {
  if (payload === '') return undefined
  return mediaKindOf(type) === 'json' ? JSON.parse(payload) : payload
}

function detailOf(body: unknown): string {
  const detail = isObject(body) ? body['detail'] : body
  if (!Array.isArray(detail)) return typeof detail === 'string' ? detail : (JSON.stringify(detail) ?? '')
  return detail
    .filter(isObject)
    .map(({ loc, msg }) => `${[loc].flat().join('.')}: ${String(msg)}`)
    .join('; ')
}

function createLogger(keep: (fields: unknown, message?: string) => void): FastifyBaseLogger {
  const ignore = (): void => {}
  const logger: FastifyBaseLogger = {
    level: 'error',
    ...{ fatal: keep, error: keep, warn: ignore, info: ignore, debug: ignore, trace: ignore, silent: ignore },
    child: () => logger,
  }
  return logger
}
