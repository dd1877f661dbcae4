import type { Input } from '../engine/input.ts'
import type { JsonWriter } from '../engine/engine.ts'
import type { Observer } from '../engine/observer.ts'
import type { Match } from '../engine/route.ts'
import type { Seed } from '../engine/random.ts'
import type { Answer, HttpRequest } from '../message.ts'
import type { Store } from '../state/store.ts'

/** What the handlers of an app's routes have in common. */
export interface HandlerOptions {
  readonly seed: Seed
  /** Whether the seed was drawn, so that `seedFrom` may stand in for it. */
  readonly seedDrawn: boolean
  readonly validateResponses: boolean
  /** Whether there is a store; without one no route is stateful. */
  readonly hasStore: boolean
  /** Whether routes are stateful that do not say so themselves. */
  readonly stateful: boolean
  /** Whether bodies are generated where a description has examples. */
  readonly dynamic: boolean
  readonly maxItems: number
  readonly verboseErrors: boolean
  /** Sees where the values of answers come from. */
  readonly observer?: Observer | undefined
}

/** Answers the requests of one route whose input was read, from the store that a request belongs to. */
export interface RouteHandler {
  (request: HttpRequest, match: Match, input: Input, store: Store | undefined): Answer
  /** Looks whether the item of a request is there, where that comes first. @throws ItemNotFound */
  readonly find?: ((request: HttpRequest, match: Match, store: Store) => void) | undefined
  /** The user who is logged in, or logs in with a request. */
  readonly user?:
    ((request: HttpRequest, store: Store) => Readonly<Record<string, unknown>> | undefined) | undefined
  /** An error as the route's description answers it; `undefined` where it says nothing of such errors. */
  readonly answerError?:
    ((error: Error, request: HttpRequest, input: Input) => Answer | undefined) | undefined
  /** Present where answers are a status and a JSON body that can be written without being made. */
  readonly jsonWriter?: JsonWriter | undefined
}
