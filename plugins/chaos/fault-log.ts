import { createRing, type Ring } from '../../src/state/ring.ts'

/** What chaos did to one request, by a rule or by an option of its route. */
export interface FaultEntry {
  readonly route: string
  /** How many requests of the route came before. */
  readonly ordinal: number
  /** The rule's name, or the kind of option. */
  readonly rule: string
  readonly latencyMs?: number
  readonly status?: number
  readonly fault?: string
}

/** The latest of what was done. */
export type FaultLog = Ring<FaultEntry>

const MOST_ENTRIES = 20_000

/** An empty log. It keeps the latest twenty thousand entries. */
export function createFaultLog(): FaultLog {
  return createRing(MOST_ENTRIES)
}
