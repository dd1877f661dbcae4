import type { Capture } from '../files/har.ts'

/** Times one exchange, from the moment it is made. */
export interface ExchangeClock {
  /** The request body ended. */
  sent(): void
  /** The response began; a request body that is still on its way then counts as sent. */
  responded(hasRequestBody: boolean): void
  /** Milliseconds since the request was sent. */
  sinceSentMs(): number
  /** The response ended. */
  read(): Pick<Capture, 'startedAt' | 'timings'>
}

/** Starts the clock of an exchange. */
export function startClock(): ExchangeClock {
  return new Clock()
}

class Clock implements ExchangeClock {
  readonly #startedAt = new Date()
  readonly #start = performance.now()
  #sentMs: number | undefined
  #respondedMs = 0

  sent(): void {
    this.#sentMs ??= this.#elapsedMs()
  }

  responded(hasRequestBody: boolean): void {
    this.#respondedMs = this.#elapsedMs()
    this.#sentMs ??= hasRequestBody ? this.#respondedMs : 0
  }

  sinceSentMs(): number {
    return this.#elapsedMs() - (this.#sentMs ?? 0)
  }

  read(): Pick<Capture, 'startedAt' | 'timings'> {
    const send = this.#sentMs ?? 0
    const [wait, receive] = [this.#respondedMs - send, this.#elapsedMs() - this.#respondedMs]
    return { startedAt: this.#startedAt, timings: { send, wait, receive } }
  }

  #elapsedMs(): number {
    return performance.now() - this.#start
  }
}
