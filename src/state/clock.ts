import { OptionInvalid } from '../errors.ts'

/** A session's clock: latency waits by it, rate limits and the journal read it. */
export interface Clock {
  /** Milliseconds since 1970, with fractions; goes back only when it is reset. */
  now(): number
  /** What `now` gave last; absent for a clock that stands still until it is moved. */
  readonly last?: number | undefined
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

/** How a clock was set: what it is ahead of the machine's, and where it stands if it does. */
export interface ClockSettings {
  readonly offset: number
  readonly frozenAt?: number | undefined
}

/** A clock that can be set as another one is. */
export interface RunningClock extends Clock {
  readonly settings: ClockSettings
  /** Who sleeps by it wakes where that is due then, or where it goes on. */
  set(settings: ClockSettings): void
}

interface Sleeper {
  readonly until: number
  readonly wake: () => void
  timer?: NodeJS.Timeout
}

/**
 * A clock that runs with the machine's until it is set otherwise.
 * @param machine what it runs with in place of that
 */
export function createClock(machine: () => number = machineNow): RunningClock {
  const sleepers = new Set<Sleeper>()
  let offset = 0
  let frozenAt: number | undefined

  const now = (): number => (clock.last = frozenAt ?? machine() + offset)
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
  const clock: RunningClock & { last: number | undefined } = {
    now,
    last: undefined,
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
    get settings() {
      return { offset, ...(frozenAt !== undefined && { frozenAt }) }
    },
    set(settings) {
      const wasFrozen = frozenAt !== undefined
      ;({ offset, frozenAt } = settings)
      if (wasFrozen && frozenAt === undefined) for (const { wake } of sleepers) wake()
      else arrangeAll()
    },
    reset() {
      const wasFrozen = frozenAt !== undefined
      offset = 0
      frozenAt = undefined
      if (wasFrozen) for (const { wake } of sleepers) wake()
      else arrangeAll()
    },
  }
  return clock
}

// Timers cannot be set further than this; a longer sleep is set again when it is reached.
const MAX_MS = 2 ** 31 - 1

/** The machine's clock. Unlike Date.now, this neither goes back nor lacks fractions. */
export function machineNow(): number {
  return performance.timeOrigin + performance.now()
}

/** Called when a clock has moved, with the moments it now and then stood at, in milliseconds since 1970. */
export type ClockListener = (now: number, before: number) => void

/** A clock that stands still until it is moved. Who sleeps by it waits in the machine's time. */
export interface StillClock extends Clock {
  /** @throws OptionInvalid for anything but a time that has not gone back */
  advance(ms: number): void
  /** Moves the clock to a moment, which may lie in the past. Listeners hear of both directions. */
  set(moment: number): void
  /** Calls a listener after each move, until the clock is reset; returns what ends that earlier. */
  onAdvance(listener: ClockListener): () => void
  /** Takes the listeners away; what it returns brings them back, and the time with them. */
  suspend(): () => void
  /** Goes back to the start, and forgets the listeners. */
  reset(): void
}

/** When a clock that stands still begins by default. */
export const DEFAULT_START = Date.parse('2026-01-01T00:00:00.000Z')

/** A clock that stands at its start. */
export function createStillClock(startAt: number = DEFAULT_START): StillClock {
  let listeners = new Set<ClockListener>()
  let current = startAt
  const moveTo = (moment: number): void => {
    // The range that a Date has.
    if (!(Math.abs(moment) <= 8.64e15))
      throw new OptionInvalid(`The clock cannot be set to ${moment}: it is not a moment in time`)
    const before = current
    current = moment
    if (before !== moment) for (const listener of listeners) listener(moment, before)
  }
  return {
    now: () => current,
    sleep: createClock().sleep,
    isFrozen: true,
    freeze: (at = current) => moveTo(at),
    advance(ms) {
      if (!(ms >= 0)) throw new OptionInvalid(`The clock can be advanced by 0 ms or more, not by ${ms}`)
      moveTo(current + ms)
    },
    set: moveTo,
    onAdvance(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    suspend() {
      const [kept, moment] = [listeners, current]
      listeners = new Set()
      return () => {
        listeners = kept
        current = moment
      }
    },
    reset() {
      listeners = new Set()
      current = startAt
    },
  }
}
