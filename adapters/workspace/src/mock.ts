import { createMockClass } from 'sim-gateway/adapter'
import { adapter } from './adapter.ts'

/** A simulated workspace, to be served or asked in process. */
export class WorkspaceMock extends createMockClass(adapter) {}
