import type { Capture } from './har.ts'

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
  const startedAt = new Date()
  const start = performance.now()
  const elapsedMs = (): number => performance.now() - start
  let sentMs: number | undefined
  let respondedMs = 0

  return {
    sent() {
      sentMs ??= elapsedMs()
    },
    responded(hasRequestBody) {
      respondedMs = elapsedMs()
      sentMs ??= hasRequestBody ? respondedMs : 0
    },
    sinceSentMs: () => elapsedMs() - (sentMs ?? 0),
    read() {
      const send = sentMs ?? 0
      return { startedAt, timings: { send, wait: respondedMs - send, receive: elapsedMs() - respondedMs } }
    },
  }
}
