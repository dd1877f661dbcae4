import type { BodyChunk } from '../exchange.ts'
import type { Capture } from '../files/har.ts'

/** Times one exchange, from the moment it is made. */
interface ExchangeClock {
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

/** Notes when the bytes of a body come. */
export interface Timeline {
  note(bytes: number): void
  read(): readonly BodyChunk[]
}

/** Most chunks that are kept apart; of a body that comes in more, those near each other count as one. */
export const MAX_CHUNKS = 1_000

/**
 * A timeline of bounded length.
 * @param now milliseconds, of any clock
 * @param nearMs bytes that come within this time count as one chunk
 */
export function createTimeline(now: () => number, nearMs: number): Timeline {
  let chunks: BodyChunk[] = []
  let near = nearMs
  const add = (chunk: BodyChunk): void => {
    const last = chunks.at(-1)
    if (last === undefined || chunk.time - last.time >= near) chunks.push(chunk)
    else chunks[chunks.length - 1] = { time: last.time, bytes: last.bytes + chunk.bytes }
  }
  return {
    note(bytes) {
      add({ time: now(), bytes })
      while (chunks.length > MAX_CHUNKS) {
        near *= 2
        const all = chunks
        chunks = []
        for (const chunk of all) add(chunk)
      }
    },
    read: () => chunks,
  }
}
