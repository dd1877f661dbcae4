import type { CallOutcome } from '../../../engine/call-model.ts'

/** Why a call is refused. */
export type Reason = 'noKey' | 'noLease' | 'leaseExists' | 'noSuchKey' | 'valueGiven' | 'keyTwice' | 'future'

/** A call that is refused. */
export class Refusal extends Error {
  readonly reason: Reason

  constructor(reason: Reason) {
    super(reason)
    this.reason = reason
  }
}

/** How a refusal is answered. */
export interface RefusalForm {
  readonly status: number
  readonly body: unknown
}

// With the codes of gRPC.
const USUAL: Readonly<Record<Reason, readonly [status: number, code: number, message: string]>> = {
  noKey: [400, 3, 'etcdserver: key is not provided'],
  noLease: [404, 5, 'etcdserver: requested lease not found'],
  leaseExists: [412, 9, 'etcdserver: lease already exists'],
  noSuchKey: [400, 3, 'etcdserver: key not found'],
  valueGiven: [400, 3, 'etcdserver: value is provided'],
  keyTwice: [400, 3, 'etcdserver: duplicate key given in txn request'],
  future: [400, 11, 'etcdserver: mvcc: required revision is a future revision'],
}

/** The answer to a refused call: as it was recorded, or as it usually is. */
export function refused({ reason }: Refusal, refusals: Readonly<Record<string, RefusalForm>>): CallOutcome {
  const [status, code, message] = USUAL[reason]
  const known = refusals[reason] ?? { status, body: { error: message, message, code } }
  return { status: known.status, error: known.body, reason: { template: reason, values: {} } }
}
