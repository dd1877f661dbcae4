import type { ContractNotes } from '../engine/contract-violation.ts'
import type { Match } from '../engine/route.ts'
import type { BodyContent } from '../http/body-content.ts'
import type { Awaitable, FlatHeaders, HttpRequest } from '../message.ts'

/** What is done about exchanges that are not as described. */
export const CHECK_LEVELS = ['off', 'report', 'enforce'] as const

export type CheckLevel = (typeof CHECK_LEVELS)[number]

/** A request as a contract looks at it. */
export interface CheckedRequest extends HttpRequest {
  /** The number of its journal entry. */
  readonly id: number
  /** The declared route that answers it, where that is known already. */
  readonly match?: Match | undefined
  /** Whether what is looked at to find its operation may be in its body, which was not read. */
  readonly content?: BodyContent | undefined
}

/** What APIs say of the requests and answers that pass a gateway. */
export interface Contract {
  /** Whether what is not as described is refused. */
  readonly isEnforced: boolean
  /** The most bytes of a body that are looked at. */
  readonly bodyLimit: number
  /** Begins with a request, which may have a body, and looks at its head; `undefined` for one that is not a matter of the API. */
  begin(request: CheckedRequest, hasBody: boolean): ContractCheck | undefined
}

/** The look at one exchange. What is found joins its notes, in the order in which it passes. */
export interface ContractCheck {
  readonly notes: ContractNotes
  readonly isEnforced: boolean
  readonly bodyLimit: number
  /** Whether there is something to see in the request's body. */
  readonly wantsRequestBody: boolean
  /** Whether there is something to see in an answer. */
  readonly wantsAnswer: boolean
  /** @param bytes as they were sent; `undefined` for more than are looked at */
  requestBody(bytes: Buffer | undefined): Awaitable<void>
  /** Looks at the head of the answer. Returns whether there is something to see in its body. */
  answer(status: number, headers: FlatHeaders): boolean
  /** The same for headers in pairs, which most answers share with the one before. */
  answerInPairs(status: number, headers: readonly (readonly [string, string])[]): boolean
  /** @param bytes as they were sent; `undefined` for more than are looked at */
  answerBody(bytes: Uint8Array | undefined): Awaitable<void>
  /** How the request is refused, in the form that its operation describes where it has one. */
  refusal(): Error
  /** How an answer is refused. */
  answerRefusal(): Error
}
