import { runControls } from './control-operations.ts'
import { runReads } from './read-operations.ts'
import type { RunOperation } from './slice.ts'
import { runStarts } from './start-operations.ts'

export { checkRuns, createRuns, runsFixtureSchema } from './fixture.ts'
export type { RunsState } from './runs-state.ts'

/** The operations on runs. */
export const runsOperations: readonly RunOperation[] = [...runStarts, ...runReads, ...runControls]
