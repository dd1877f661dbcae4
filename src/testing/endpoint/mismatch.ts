import type { SentRequest } from './request.ts'

/** An answer as a failure's message shows it. */
export interface Shown {
  readonly status: number
  readonly statusText: string
  readonly text: string
}

/** One request whose answer is not what it should be. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch'
  readonly input: unknown
  /** The requests that lead to it, in order; the last is the failing one. */
  readonly requests: readonly SentRequest[]
  /** `undefined` where no answer came. */
  readonly answer: Shown | undefined

  constructor(
    what: string,
    { input, requests, answer }: Pick<Mismatch, 'input' | 'requests' | 'answer'>,
    cause?: unknown,
  ) {
    super(what, { cause })
    this.input = input
    this.requests = requests
    this.answer = answer
  }
}
