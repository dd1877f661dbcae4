import type { FastifyRequest } from 'fastify'
import type { Call } from '../engine/call.ts'
import type { Input } from '../engine/input.ts'
import type { Match } from '../engine/route-table.ts'

/** What the gateway knows of one request while it passes through. */
export interface Visit {
  call: Call
  /** The declared route that will answer; absent for what is forwarded. */
  readonly match: Match | undefined
  /** Names what is counted together: the declared route, or method and path of what is forwarded. */
  readonly key: string
  input: Input
  /** How many requests of this key came before. */
  ordinal: number
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
