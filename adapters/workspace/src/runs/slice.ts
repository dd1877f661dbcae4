import type { Operation, Visit } from 'sim-gateway/adapter'
import type { ClustersState } from '../clusters/clusters-state.ts'
import type { JobsState } from '../jobs/jobs-state.ts'
import { originOf } from '../origin.ts'
import type { AccessControl, Directory, WorkspaceConfig } from '../part.ts'
import type { RunViewer } from './run-view.ts'
import type { Run } from './run.ts'
import type { RunsState } from './runs-state.ts'

/** The share of the state that operations on runs use. */
export interface RunsSlice {
  readonly runs: RunsState
  readonly jobs: JobsState
  readonly clusters: ClustersState
  readonly permissions: AccessControl
  readonly scim: Directory
  readonly workspaceId: number
}

/** An operation on runs. */
export type RunOperation = Operation<RunsSlice, WorkspaceConfig>
/** A request for an operation on runs. */
export type RunVisit = Visit<RunsSlice, WorkspaceConfig>

/** What the manifest says of the paths of the older version. */
const OLDER_PATH = 'representative: the path of version 2.1'

type Rest = Omit<RunOperation, 'id' | 'path' | 'aliases' | 'family' | 'version' | 'documentation' | 'errors'>

/** An operation of the jobs API on runs, with what all of them have in common. */
export function runOperation(name: string, wireName: string, rest: Rest): RunOperation {
  return {
    errors: ['INVALID_PARAMETER_VALUE', 'MALFORMED_REQUEST', 'PERMISSION_DENIED', 'INVALID_STATE'],
    ...rest,
    variants: [...(rest.variants ?? []), OLDER_PATH],
    id: `jobs.${name}`,
    path: `/api/2.2/jobs/${wireName}`,
    aliases: [`/api/2.1/jobs/${wireName}`],
    family: 'Runs',
    version: '2.2',
    documentation: `https://docs.databricks.com/api/workspace/jobs/${name.toLowerCase()}`,
  }
}

/** The run of an id, or that a task's run is part of, if the caller may do what `level` allows. */
export function permittedRun(visit: RunVisit, id: number, level: string): Run {
  const run = visit.state.runs.get(id)
  visit.state.permissions.require(visit, objectOf(run), level)
  return run
}

/** What permissions of a run are about: those of its job. */
export function objectOf({ job_id }: Pick<Run, 'job_id'>): { readonly type: string; readonly id: string } {
  return { type: 'jobs', id: String(job_id) }
}

/** How runs are shown to whoever asks. */
export function viewerOf(visit: RunVisit): RunViewer {
  const { state, clock } = visit
  const origin = originOf(visit)
  return {
    now: clock.now(),
    urlOf: (jobId, runId) => `${origin}/jobs/${jobId}/runs/${runId}?o=${state.workspaceId}`,
  }
}
