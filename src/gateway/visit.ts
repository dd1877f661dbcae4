import type { FastifyRequest } from 'fastify'
import type { HttpRequest } from '../message.ts'
import type { Input } from '../engine/input.ts'
import type { Match } from '../engine/route.ts'
import type { ChaosDecision } from '../../plugins/chaos/decision.ts'
import type { ModeName } from '../modes/mode-name.ts'
import type { Session } from '../state/session.ts'

/** What the gateway knows of one request while it passes through. */
export interface Visit {
  call: HttpRequest
  /** Whether the client named the host as that of a proxy's target: in absolute form, or by CONNECT. */
  readonly isProxied: boolean
  /** How the answer is come by. */
  readonly mode: ModeName
  /** Who answered; absent until then, and where the gateway itself did. */
  source?: 'engine' | 'adapter' | 'upstream' | 'recording'
  /** The declared route that will answer; absent for what is forwarded. */
  readonly match: Match | undefined
  /** Names what is counted together: the declared route, or method and path of what is forwarded. */
  readonly key: string
  input: Input
  /** State, counters, clock and chaos of the client that asks. */
  readonly session: Session
  /** How many requests of this key came before. */
  ordinal: number
  /** The JSON of a simulated answer, unless it is long. */
  answer?: string | undefined
  /** What befalls the request by its session's chaos. */
  chaos?: ChaosDecision | undefined
}

const VISIT = Symbol('visit')

/** Remembers a request's visit. */
export function setVisit(request: FastifyRequest, visit: Visit): void {
  ;(request as { [VISIT]?: Visit })[VISIT] = visit
}

/** The visit of a request that has entered the gateway. */
export function visitOf(request: FastifyRequest): Visit {
  return (request as unknown as { [VISIT]: Visit })[VISIT]
}
