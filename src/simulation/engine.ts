import { LRUCache } from 'lru-cache'
import type { Engine } from '../engine/engine.ts'
import { createInputReader, type ReadInput } from '../engine/input.ts'
import type { Seed } from '../engine/random.ts'
import { hostOf, isStateful, joinRoutes, type RouteDefinition } from '../engine/route.ts'
import { createOperationReader } from '../openapi/serve/operation-input.ts'
import { createRouter } from '../routing/router.ts'
import type { Store } from '../state/store.ts'
import { compileHandler } from './compile-handler.ts'
import type { HandlerOptions, RouteHandler } from './route-handler.ts'

/** What an engine is made of. */
export interface EngineOptions extends Partial<Omit<HandlerOptions, 'seed' | 'hasStore'>> {
  readonly routes: readonly RouteDefinition[]
  readonly seed: Seed
  /** Where items are stored; absent where no route is stateful. */
  readonly store?: Store | undefined
}

/** The most items a collection may hold where nothing is said. */
export const DEFAULT_MAX_ITEMS = 1_000_000

/** The engine of an app, whose items are kept in a store. */
export type AppEngine = Engine<Store>

const MAX_SEEDS = 32

/**
 * An engine for the given routes. Each route is compiled when it is first requested.
 * @throws DuplicateRoute when two routes answer the same method and path
 */
export function createEngine(options: EngineOptions): Engine<Store> {
  const { routes, seed, store } = options
  const router = createRouter(joinRoutes(routes), { hostOf })
  const readers = new Map<RouteDefinition, ReadInput>()
  // What is compiled is shared by all stores; another seed has handlers of its own.
  const handlers = new LRUCache<Seed, Map<RouteDefinition, RouteHandler>>({ max: MAX_SEEDS })
  const shared: HandlerOptions = {
    seed,
    seedDrawn: options.seedDrawn ?? false,
    validateResponses: options.validateResponses ?? false,
    hasStore: store !== undefined,
    stateful: options.stateful ?? store !== undefined,
    dynamic: options.dynamic ?? false,
    maxItems: options.maxItems ?? DEFAULT_MAX_ITEMS,
    verboseErrors: options.verboseErrors ?? false,
    ...(options.observer !== undefined && { observer: options.observer }),
  }
  const own = new Map<RouteDefinition, RouteHandler>()

  const handlersOf = (other: Seed): Map<RouteDefinition, RouteHandler> => {
    const known = handlers.get(other) ?? new Map<RouteDefinition, RouteHandler>()
    handlers.set(other, known)
    return known
  }
  const handlerOf = (route: RouteDefinition, other: Seed = seed): RouteHandler => {
    const compiled = other === seed ? own : handlersOf(other)
    const known = compiled.get(route)
    if (known !== undefined) return known
    const handlerOptions = other === seed ? shared : { ...shared, seed: other, seedDrawn: false }
    const handler = compileHandler(route, routes, handlerOptions)
    compiled.set(route, handler)
    return handler
  }

  return {
    seed,
    routes,
    store,
    maxItemsOf: () => shared.maxItems,
    isStored: (route) => shared.hasStore && isStateful(route, shared.stateful),
    ...router,
    inputReader(route) {
      const read = readers.get(route) ?? compileInputReader(route)
      readers.set(route, read)
      return read
    },
    answer(match, request, input, state = {}) {
      return handlerOf(match.route, state.seed)(request, match, input, state.store ?? store)
    },
    findItem(match, request, state = {}) {
      const own = state.store ?? store
      if (own !== undefined) handlerOf(match.route, state.seed).find?.(request, match, own)
    },
    userOf(match, request, state = {}) {
      const own = state.store ?? store
      return own && handlerOf(match.route, state.seed).user?.(request, own)
    },
    answerError: (route, error, request, input, state = {}) =>
      handlerOf(route, state.seed).answerError?.(error, request, input),
    jsonWriter: (route, other) => handlerOf(route, other).jsonWriter,
    observed: (observer) => createEngine({ ...options, observer }),
  }
}

/** The reader of a route's input, as its model or its description says. */
function compileInputReader(route: RouteDefinition): ReadInput {
  return route.operation === undefined
    ? createInputReader(route)
    : createOperationReader(route.path, route.operation)
}
