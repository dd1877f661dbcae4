import { OptionInvalid } from '../errors.ts'

/** When a virtual clock begins by default. */
export const DEFAULT_START = Date.parse('2026-01-01T00:00:00.000Z')

/** Called when the clock has moved, with the moments it now and then stood at, in milliseconds since 1970. */
export type ClockListener = (now: number, before: number) => void

/** A clock that stands still until it is moved. */
export interface VirtualClock {
  /** Milliseconds since 1970. */
  now(): number
  /** @throws OptionInvalid for anything but a time that has not gone back */
  advance(ms: number): void
  /** Moves the clock to a moment, which may lie in the past. Listeners hear of both directions. */
  set(moment: number): void
  /** Calls a listener after each move, until the state is reset; returns what ends that earlier. */
  onAdvance(listener: ClockListener): () => void
}

/** A clock as its adapter holds it. */
export interface OwnedClock extends VirtualClock {
  /** Goes back to the start and forgets the listeners; with `keepTime`, the latter only. */
  reset(keepTime?: boolean): void
  /** Takes the listeners away; what it returns brings them back, and the time with them. */
  suspend(): () => void
}

/** A clock that stands at its start. */
export function createVirtualClock(startAt: number = DEFAULT_START): OwnedClock {
  const listeners = new Set<ClockListener>()
  let current = startAt

  const moveTo = (moment: number): void => {
    if (!isMoment(moment))
      throw new OptionInvalid(`The clock cannot be set to ${moment}: it is no moment in time`)
    const before = current
    current = moment
    if (before !== moment) for (const listener of listeners) listener(moment, before)
  }
  return {
    now: () => current,
    advance(ms) {
      if (!(ms >= 0)) throw new OptionInvalid(`The clock can be advanced by 0 ms or more, not by ${ms}`)
      moveTo(current + ms)
    },
    set: moveTo,
    onAdvance(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    reset(keepTime = false) {
      listeners.clear()
      if (!keepTime) current = startAt
    },
    suspend() {
      const [kept, moment] = [[...listeners], current]
      listeners.clear()
      return () => {
        listeners.clear()
        for (const listener of kept) listeners.add(listener)
        current = moment
      }
    },
  }
}

// The range that a Date has.
function isMoment(value: number): boolean {
  return Math.abs(value) <= 8.64e15
}
