import { LRUCache } from 'lru-cache'
import type { Answer, HttpRequest } from '../message.ts'
import { createAnswerer } from './answer.ts'
import type { Answerer, AnswerOptions, PlainAnswerer } from './answerer.ts'
import { createInputReader, type Input, type ReadInput } from './input.ts'
import type { Seed } from './random.ts'
import { createHostTable, type Asked } from '../routing/host-table.ts'
import type { Match } from '../routing/route-table.ts'
import { joinRoutes, type RouteDefinition } from './route.ts'
import type { Store } from '../state/store.ts'

/** What an engine is made of. */
export interface EngineOptions {
  readonly routes: readonly RouteDefinition[]
  readonly seed: Seed
  /** Whether the seed was drawn, so that `seedFrom` may stand in for it. */
  readonly seedDrawn?: boolean
  readonly validateResponses?: boolean
  /** Where items are stored; absent where no route is stateful. */
  readonly store?: Store | undefined
  /** Whether routes are stateful that do not say so themselves. Default: where there is a store. */
  readonly stateful?: boolean
  /** Generate bodies where a description has examples. */
  readonly dynamic?: boolean
  /** The most items a collection may hold. */
  readonly maxItems?: number
  readonly verboseErrors?: boolean
}

/** The most items a collection may hold unless told otherwise. */
export const MOST_STORED = 1_000_000

const MOST_SEEDS = 32

/** What one session has in place of the engine's own. */
export interface EngineState {
  readonly store?: Store | undefined
  readonly seed?: Seed | undefined
}

/** Answers calls to declared routes. Pure: the same call gets the same answer. */
export interface Engine {
  readonly seed: Seed
  /** Where items are stored unless a call brings a store of its own; absent for an app that is not stateful. */
  readonly store?: Store | undefined
  readonly routes: readonly RouteDefinition[]
  /** The most items that the collections of a route may hold. */
  maxItemsOf(route: RouteDefinition): number
  /** The declared route of a call, if there is one. */
  match(call: Asked): Match | undefined
  /** The methods a path is declared with; empty for a path that is not declared. */
  allowed(call: Omit<Asked, 'method'>): readonly string[]
  /** @throws InputInvalid when the request does not fit the route's input model */
  readInput(match: Match, call: HttpRequest): Input
  /** The simulated answer to a call whose input was read, from the engine's state or a session's. */
  answer(match: Match, call: HttpRequest, input: Input, state?: EngineState): Answer
  /** How a route's answers are written without being made, under a seed of their own or the engine's. */
  plain(route: RouteDefinition, seed?: Seed): PlainAnswerer | undefined
}

/**
 * An engine for the given routes. Each route is compiled when it is first asked.
 * @throws DuplicateRoute when two routes answer the same method and path
 */
export function createEngine(options: EngineOptions): Engine {
  const { routes, seed } = options
  const table = createHostTable(joinRoutes(routes))
  const readers = new Map<RouteDefinition, ReadInput>()
  // What is compiled is shared by all stores; another seed has answerers of its own.
  const answerers = new LRUCache<Seed, Map<RouteDefinition, Answerer>>({ max: MOST_SEEDS })
  const shared: AnswerOptions = {
    seed,
    seedDrawn: options.seedDrawn ?? false,
    validateResponses: options.validateResponses ?? false,
    store: options.store,
    stateful: options.stateful ?? options.store !== undefined,
    dynamic: options.dynamic ?? false,
    maxItems: options.maxItems ?? MOST_STORED,
    verboseErrors: options.verboseErrors ?? false,
  }

  const answererOf = (route: RouteDefinition, own: AnswerOptions): Answerer => {
    const known = answerers.get(own.seed) ?? new Map<RouteDefinition, Answerer>()
    answerers.set(own.seed, known)
    const answer = known.get(route) ?? createAnswerer(route, routes, own)
    known.set(route, answer)
    return answer
  }
  const optionsFor = (own: Seed | undefined): AnswerOptions =>
    own === undefined || own === seed ? shared : reseeded(shared, own)

  return {
    seed,
    routes,
    store: options.store,
    maxItemsOf: () => shared.maxItems,
    match: (call) => table.match(call),
    allowed: (call) => table.allowed(call),
    readInput({ route, params }, call) {
      const read = readers.get(route) ?? createInputReader(route)
      readers.set(route, read)
      return read(call, params)
    },
    answer(match, call, input, state = {}) {
      const answer = answererOf(match.route, optionsFor(state.seed))
      return answer(call, match, input, state.store ?? options.store)
    },
    plain: (route, own) => answererOf(route, optionsFor(own)).plain,
  }
}

function reseeded(options: AnswerOptions, seed: Seed): AnswerOptions {
  return { ...options, seed, seedDrawn: false }
}
