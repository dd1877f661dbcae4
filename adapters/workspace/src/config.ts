import type { WorkspaceConfig } from './part.ts'
import type { StatementCallback } from './sql/index.ts'

/** How a workspace behaves, besides what every adapter lets one choose. */
export interface WorkspaceMockConfig extends WorkspaceConfig {
  /** What the `callback` of the fixture's statements may name. */
  readonly statementCallbacks?: Readonly<Record<string, StatementCallback>>
}
