import type { Observer } from '../engine/observer.ts'
import type { MemoryRequest, MemoryResponse } from '../http/memory-transport.ts'
import type { Session } from '../state/session.ts'
import type { Plugin } from './route.ts'

/** Who looks on while a request is run again. */
export interface Watch {
  readonly observer?: Observer | undefined
  /** The policies that it meets, in place of the gateway's. */
  readonly plugins?: ((plugins: readonly Plugin[]) => readonly Plugin[]) | undefined
}

/** Runs a request again in a session that is nobody else's: what is not declared is not found, and nothing is forwarded. */
export type Rerun = (request: MemoryRequest, session: Session, watch?: Watch) => Promise<MemoryResponse>
