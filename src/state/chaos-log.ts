import { createRing, type Ring } from './ring.ts'

/** What the rules decided for one request. At most one of an error and a fault happens to it. */
export interface ChaosDecision {
  readonly rule: string
  readonly latencyMs: number
  /** The error it fails with. */
  readonly status?: number | undefined
  readonly fault?: { readonly kind: string; readonly options: Readonly<Record<string, number>> } | undefined
}

/** What chaos did to one request, by a rule or by an option of its route. */
export interface ChaosEntry {
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
export type ChaosLog = Ring<ChaosEntry>

const MAX_ENTRIES = 20_000

/** An empty log. It keeps the latest twenty thousand entries. */
export function createChaosLog(): ChaosLog {
  return createRing(MAX_ENTRIES)
}

/** A decision as the log keeps it; `undefined` for one that does nothing. */
export function entryOf(route: string, ordinal: number, decision: ChaosDecision): ChaosEntry | undefined {
  const { rule, latencyMs, status, fault } = decision
  if (latencyMs === 0 && status === undefined && fault === undefined) return undefined
  return {
    route,
    ordinal,
    rule,
    ...(latencyMs > 0 && { latencyMs }),
    ...(status !== undefined && { status }),
    ...(fault !== undefined && { fault: fault.kind }),
  }
}
