import { type AdapterFixtures, adapterTest } from 'sim-gateway/adapter/testing'
import type { TestAPI } from 'vitest'
import { adapter } from './adapter.ts'
import type { WorkspaceMockConfig } from './part.ts'
import type { WorkspaceState } from './state.ts'

/** A vitest `test` whose fixture `mock` listens: one for all tests of a worker, reset before each of them. */
export const createWorkspaceTest = (config?: WorkspaceMockConfig): TestAPI<AdapterFixtures<WorkspaceState>> =>
  adapterTest(adapter, config)

/** The `test` of the bundled fixture. */
export const workspaceTest: TestAPI<AdapterFixtures<WorkspaceState>> = createWorkspaceTest()
