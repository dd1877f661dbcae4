import type { RecorderCounts } from '../recording/capture/recorder.ts'
import type { Sessions } from '../state/sessions.ts'
import type { Pool } from '../upstream/agents.ts'

/** What is measured beside requests, when it is request for. */
export interface Gauges {
  readonly sessions: Sessions
  readonly pools: () => readonly Pool[]
  /** What each recorder did. */
  readonly recording: () => readonly RecorderCounts[]
}
