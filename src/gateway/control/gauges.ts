import type { Sessions } from '../sessions/sessions.ts'
import type { Pool } from '../upstream/agents.ts'

/** What is measured beside requests, when it is asked for. */
export interface Gauges {
  readonly sessions: Sessions
  readonly pools: () => readonly Pool[]
  /** Bytes that wait to be recorded. */
  readonly backlog: () => number
}
