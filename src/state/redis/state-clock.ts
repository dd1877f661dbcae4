import { machineNow } from '../clock.ts'
import type { Ask } from './scripts.ts'

const KEPT = 20
const PERIOD_MS = 10_000

interface Sample {
  readonly at: number
  readonly offset: number
  readonly error: number
}

/** The clock that gateways have in common: the server's, read through what this machine's is ahead or behind. */
export class StateClock {
  #samples: Sample[] = []
  #offset = 0
  #error = 0
  #last = 0
  #roundTrip = 0

  /** Milliseconds since 1970, with fractions; it does not go back. */
  now = (): number => (this.#last = Math.max(this.#last, machineNow() + this.#offset))

  /** What it is ahead of this machine's. */
  get offsetMs(): number {
    return this.#offset
  }

  /** By how many milliseconds it may be wrong. */
  get errorMs(): number {
    return this.#error
  }

  /** How long the server took to answer last. */
  get roundTripMs(): number {
    return this.#roundTrip
  }

  /** @param time what the server's `TIME` said, seconds and microseconds, between two moments of this machine's */
  note([seconds, micros]: readonly [string, string], before: number, after: number): void {
    const server = Number(seconds) * 1000 + Number(micros) / 1000
    const at = after
    this.#roundTrip = after - before
    const sample = { at, offset: server - (before + after) / 2, error: (after - before) / 2 }
    this.#samples = [...this.#samples.filter((each) => at - each.at < PERIOD_MS), sample].slice(-KEPT)
    // The quickest answer says it best.
    const best = this.#samples.reduce((one, other) => (other.error < one.error ? other : one))
    this.#offset = best.offset
    this.#error = best.error
  }
}

/** Compares the clock with the server's once more. */
export async function readClock(server: Ask, clock: StateClock): Promise<void> {
  const before = machineNow()
  const time = (await server.command(['TIME'], true)) as [string, string]
  clock.note(time, before, machineNow())
}
