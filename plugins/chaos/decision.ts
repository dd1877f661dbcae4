import type { FaultEntry } from './fault-log.ts'
import type { FaultKind } from '../../src/state/chaos-rule.ts'

/** What befalls one request. At most one of an error and a fault does. */
export interface ChaosDecision {
  readonly rule: string
  readonly latencyMs: number
  /** The error it fails with. */
  readonly status?: number | undefined
  readonly fault?: { readonly kind: FaultKind; readonly bytesPerSecond: number } | undefined
}

/** A decision as the log keeps it; `undefined` for one that does nothing. */
export function entryOf(route: string, ordinal: number, decision: ChaosDecision): FaultEntry | undefined {
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
