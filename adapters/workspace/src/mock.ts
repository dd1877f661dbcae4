import { createContextClass, createMockClass } from 'sim-gateway/adapter'
import { adapter } from './adapter.ts'

/** A simulated workspace, to be served or called in process. */
export class WorkspaceMock extends createMockClass(adapter) {}

/** A simulated workspace for tests: `await using mock = await WorkspaceMockContext.start()`. */
export const WorkspaceMockContext = createContextClass(adapter)

/** A simulated workspace for tests. */
export type WorkspaceMockContext = InstanceType<typeof WorkspaceMockContext>
