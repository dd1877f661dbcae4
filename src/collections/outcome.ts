import type { Change, Decision } from '../state/store.ts'
import type { PageFacts } from './paging/page-fields.ts'
import type { Shown } from './shown.ts'

/** What a request to stored items comes to. */
export interface Outcome extends Shown, Decision {
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** What is true of a page. */
  readonly facts?: PageFacts | undefined
  /** Where it is not that of the route. */
  readonly status?: number | undefined
  /** The body with what it does not show, where it leaves something out. */
  readonly whole?: unknown
}

/** An outcome whose body is made for those alone who ask for it. */
export class ItemOutcome implements Outcome {
  readonly #shown: Shown
  readonly change: Change | undefined
  readonly headers: Outcome['headers']
  readonly status: number | undefined

  constructor(
    shown: Shown,
    change: Change | undefined,
    headers: Outcome['headers'],
    status: number | undefined,
  ) {
    this.#shown = shown
    this.change = change
    this.headers = headers
    this.status = status
  }

  get body(): unknown {
    return this.#shown.body
  }

  get json(): string | undefined {
    return this.#shown.json
  }
}
