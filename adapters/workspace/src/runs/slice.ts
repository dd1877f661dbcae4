import { originOf } from '../host.ts'
import { operationsOf, type WorkspaceContext } from '../operation.ts'
import type { RunViewer } from './run-view.ts'
import type { Run } from './run.ts'

/** An operation of the jobs API on runs, with what all of them have in common. */
export const runOperation = operationsOf({
  id: 'jobs',
  base: '/api/2.2/jobs',
  alias: '/api/2.1/jobs',
  aliasVariant: 'representative: the path of version 2.1',
  family: 'Runs',
  version: '2.2',
  errors: ['INVALID_PARAMETER_VALUE', 'MALFORMED_REQUEST', 'PERMISSION_DENIED', 'INVALID_STATE'],
})

/** The run of an id, or that a task's run is part of, if the caller may do what `level` allows. */
export function permittedRun(context: WorkspaceContext, id: number, level: string): Run {
  const run = context.state.runs.get(id)
  context.state.permissions.require(context, objectOf(run), level)
  return run
}

/** What permissions of a run are about: those of its job. */
export function objectOf({ job_id }: Pick<Run, 'job_id'>): { readonly type: string; readonly id: string } {
  return { type: 'jobs', id: String(job_id) }
}

/** How runs are shown to whoever asks. */
export function viewerOf(context: WorkspaceContext): RunViewer {
  const { state, clock } = context
  const origin = originOf(context)
  return {
    now: clock.now(),
    urlOf: (jobId, runId) => `${origin}/jobs/${jobId}/runs/${runId}?o=${state.workspaceId}`,
  }
}
