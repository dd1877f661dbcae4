import type { Answer, HttpRequest } from '../message.ts'
import type { RequestAddress } from '../routing/router.ts'
import type { Input, ReadInput } from './input.ts'
import type { Seed } from './random.ts'
import type { Observer } from './observer.ts'
import type { Match, RouteDefinition } from './route.ts'

/** What one session has in place of the engine's own. */
export interface EngineState<Store> {
  readonly store?: Store | undefined
  readonly seed?: Seed | undefined
}

/** Answers requests to declared routes. Items are kept in a store, and all else is a function of seed and request. */
export interface Engine<Store = unknown> {
  readonly seed: Seed
  /** Where items are stored unless a request brings a store of its own; absent for an app that is not stateful. */
  readonly store?: Store | undefined
  readonly routes: readonly RouteDefinition[]
  /** The most items that the collections of a route may hold. */
  maxItemsOf(route: RouteDefinition): number
  /** Whether a route reads and changes stored items. */
  isStored(route: RouteDefinition): boolean
  /** The declared route of a request, if there is one. */
  match(request: RequestAddress): Match | undefined
  /** Whether what is in the body of a request decides on its route; absent where it does so for none. */
  readsBody?(request: RequestAddress): boolean
  /** The methods a path is declared with; empty for a path that is not declared. */
  allowed(request: Omit<RequestAddress, 'method'>): readonly string[]
  /** What reads the input of a route's requests. @throws ModelInvalid for a model that cannot be */
  inputReader(route: RouteDefinition): ReadInput
  /** The simulated answer to a request whose input was read, from the engine's state or a session's. */
  answer(match: Match, request: HttpRequest, input: Input, state?: EngineState<Store>): Answer
  /** Looks whether the item is there that a request is about, where that comes first. @throws ItemNotFound */
  findItem(match: Match, request: HttpRequest, state?: EngineState<Store>): void
  /** The user who is logged in, or logs in with a request, where its route knows users. */
  userOf(
    match: Match,
    request: HttpRequest,
    state?: EngineState<Store>,
  ): Readonly<Record<string, unknown>> | undefined
  /** An error as the description of its route answers it; `undefined` where it says nothing of such errors. */
  answerError(
    route: RouteDefinition,
    error: Error,
    request: HttpRequest,
    input: Input,
    state?: EngineState<Store>,
  ): Answer | undefined
  /** How a route's answers are written without being made first, under a seed of their own or the engine's. */
  jsonWriter(route: RouteDefinition, seed?: Seed): JsonWriter | undefined
  /** The same engine with an observer that sees where the values of its answers come from. */
  observed(observer: Observer): Engine<Store>
}

/** Writes answers as JSON at once: the same bytes as of a body that is made and then written. */
export interface JsonWriter {
  readonly status: number
  /** Whether the answer depends on the seed and the input alone, so that it can be kept. */
  isPure(): boolean
  /** The UTF-8 bytes of the body as a character each; `undefined` where this answer cannot be written so. */
  write(request: HttpRequest, input: Input): string | undefined
}
