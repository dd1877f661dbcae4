export { checkJobs, createJobs, jobsFixtureSchema } from './fixture.ts'
export type { JobsState } from './jobs-state.ts'
export { jobsOperations } from './operations.ts'
