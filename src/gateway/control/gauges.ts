import type { RecorderCounts } from '../recorder.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Pool } from '../upstream/agents.ts'

/** What is measured beside requests, when it is asked for. */
export interface Gauges {
  readonly sessions: Sessions
  readonly pools: () => readonly Pool[]
  /** What each recorder did. */
  readonly recording: () => readonly RecorderCounts[]
}
