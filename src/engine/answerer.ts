import type { Answer, HttpRequest } from '../message.ts'
import type { Input } from './input.ts'
import type { Seed } from './random.ts'
import type { Match } from '../routing/route-table.ts'
import type { Store } from '../state/store.ts'

/** What the answers of all routes of an engine have in common. */
export interface AnswerOptions {
  readonly seed: Seed
  /** Whether the seed was drawn, so that `seedFrom` may stand in for it. */
  readonly seedDrawn: boolean
  readonly validateResponses: boolean
  /** Where items are stored; absent where no route is stateful. */
  readonly store?: Store | undefined
  /** Whether routes are stateful that do not say so themselves. */
  readonly stateful: boolean
  /** Whether bodies are generated where a description has examples. */
  readonly dynamic: boolean
  readonly maxItems: number
  readonly verboseErrors: boolean
}

/** Answers the calls of one route whose input was read, from the store that a call belongs to. */
export interface Answerer {
  (call: HttpRequest, match: Match, input: Input, store: Store | undefined): Answer
  /** Present where answers are a status and a JSON body that can be written without being made. */
  readonly plain?: PlainAnswerer | undefined
}

/** Answers as JSON that is written at once: the same bytes as those of the whole way. */
export interface PlainAnswerer {
  readonly status: number
  /** Whether the answer depends on the seed and the input alone, so that it can be kept. */
  isPure(): boolean
  /** The UTF-8 bytes of the body as a character each; `undefined` where this answer cannot be written so. */
  write(call: HttpRequest, input: Input): string | undefined
}
