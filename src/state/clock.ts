/** A session's clock: latency waits by it, rate limits and the journal read it. */
export interface Clock {
  /** Milliseconds since 1970, with fractions; goes back only when it is reset. */
  now(): number
  /** Waits until the clock has gone on by `ms`, or rejects when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  readonly isFrozen: boolean
  /** Stops the clock, at once or at a moment. Who sleeps wakes when it is advanced far enough, or reset. */
  freeze(at?: number): void
  /** Moves the clock on, frozen or not. */
  advance(ms: number): void
  /** Runs with the machine's clock again; everyone wakes who slept by a frozen one. */
  reset(): void
}

interface Sleeper {
  readonly until: number
  readonly wake: () => void
  timer?: NodeJS.Timeout
}

/** A clock that runs with the machine's until it is told otherwise. */
export function createClock(): Clock {
  const sleepers = new Set<Sleeper>()
  let offset = 0
  let frozenAt: number | undefined

  const now = (): number => frozenAt ?? machineNow() + offset
  const arrange = (sleeper: Sleeper): void => {
    clearTimeout(sleeper.timer)
    const left = sleeper.until - now()
    if (left <= 0) sleeper.wake()
    else if (frozenAt === undefined)
      sleeper.timer = setTimeout(() => arrange(sleeper), Math.min(left, MAX_MS))
  }
  const arrangeAll = (): void => {
    for (const sleeper of sleepers) arrange(sleeper)
  }
  return {
    now,
    get isFrozen() {
      return frozenAt !== undefined
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const end = (settle: () => void): void => {
          sleepers.delete(sleeper)
          clearTimeout(sleeper.timer)
          signal?.removeEventListener('abort', abort)
          settle()
        }
        const abort = (): void => end(() => reject(signal?.reason as Error))
        const sleeper: Sleeper = { until: now() + ms, wake: () => end(resolve) }
        if (signal?.aborted === true) return abort()
        signal?.addEventListener('abort', abort, { once: true })
        sleepers.add(sleeper)
        arrange(sleeper)
      }),
    freeze(at = now()) {
      frozenAt = at
      arrangeAll()
    },
    advance(ms) {
      if (frozenAt === undefined) offset += ms
      else frozenAt += ms
      arrangeAll()
    },
    reset() {
      const wasFrozen = frozenAt !== undefined
      offset = 0
      frozenAt = undefined
      if (wasFrozen) for (const { wake } of sleepers) wake()
      else arrangeAll()
    },
  }
}

// Timers cannot be set further than this; a longer sleep is set again when it is reached.
const MAX_MS = 2 ** 31 - 1

// Unlike Date.now, this neither goes back nor lacks fractions.
function machineNow(): number {
  return performance.timeOrigin + performance.now()
}
