import { invalid } from '../errors.ts'

const LONGEST = 64

/** The runs that were made for the tokens of requests, so that a repeated request makes no other. */
export class IdempotencyTokens {
  readonly #runs = new Map<string, number>()

  /** The run that was made for a token; tokens of different scopes do not know each other. */
  find(scope: string, token: string | undefined): number | undefined {
    if (token === undefined || token === '') return undefined
    if (token.length > LONGEST) throw invalid(`idempotency_token must have at most ${LONGEST} characters.`)
    return this.#runs.get(`${scope}/${token}`)
  }

  keep(scope: string, token: string | undefined, runId: number): void {
    if (token !== undefined && token !== '') this.#runs.set(`${scope}/${token}`, runId)
  }

  snapshot(): readonly (readonly [string, number])[] {
    return [...this.#runs]
  }

  restore(entries: readonly (readonly [string, number])[]): void {
    this.#runs.clear()
    for (const [key, run] of entries) this.#runs.set(key, run)
  }
}
