import { type FixtureFormat, objectOf, type StateSource } from 'sim-gateway/adapter'
import { Agenda, checkDrives, type Drives, drivesSchema, type Plan } from './agenda.ts'
import type { ClustersState } from './clusters/clusters-state.ts'
import { checkClusters, clustersFixtureSchema, createClusters } from './clusters/fixture.ts'
import { dbfsPart, type DbfsState } from './dbfs/state.ts'
import { checkJobs, createJobs, jobsFixtureSchema, type JobsState } from './jobs/jobs-state.ts'
import {
  checkLibraries,
  createLibraries,
  librariesFixtureSchema,
  type LibrariesState,
} from './libraries/libraries-state.ts'
import type { ObjectRef, Part, Restorable, Tools, WorkspaceFixture, WorkspaceMockConfig } from './part.ts'
import { permissionsPart, type PermissionsState } from './permissions/state.ts'
import { checkRuns, createRuns, runsFixtureSchema } from './runs/fixture.ts'
import type { RunsState } from './runs/runs-state.ts'
import { scimPart, type ScimState } from './scim.ts'
import { secretsPart, type SecretsState } from './secrets/state.ts'
import { statementsPart, type StatementsState } from './sql/state.ts'
import { warehousesPart, type WarehousesState } from './warehouses/state.ts'
import { filesPart, type FilesState } from './workspace-files/state.ts'

type Share = Pick<Part<Restorable>, 'fixtureSchema' | 'check'>

const SHARES: readonly Share[] = [
  { fixtureSchema: clustersFixtureSchema, check: checkClusters },
  { fixtureSchema: librariesFixtureSchema, check: checkLibraries },
  { fixtureSchema: jobsFixtureSchema, check: checkJobs },
  { fixtureSchema: runsFixtureSchema, check: checkRuns },
  warehousesPart,
  statementsPart,
  secretsPart,
  dbfsPart,
  filesPart,
  permissionsPart,
  scimPart,
]

/** What fixtures of workspaces are. */
export const fixtureFormat: FixtureFormat<WorkspaceFixture> = {
  version: 1,
  schema: objectOf(['version'], {
    version: { const: 1 },
    workspace: objectOf([], {
      id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      cloud: { enum: ['aws', 'azure', 'gcp'] },
    }),
    lifecycle: drivesSchema,
    ...Object.fromEntries(SHARES.flatMap(({ fixtureSchema }) => Object.entries(fixtureSchema))),
  }),
  starter: new URL('../fixtures/workspace.yaml', import.meta.url),
  check(fixture, report) {
    for (const share of SHARES) share.check?.(fixture, report)
  },
}

/** The parts of a workspace's state, each of which can be written out and taken back. */
export interface WorkspaceParts {
  readonly clusters: ClustersState
  readonly libraries: LibrariesState
  readonly jobs: JobsState
  readonly runs: RunsState
  readonly warehouses: WarehousesState
  readonly statements: StatementsState
  readonly secrets: SecretsState
  readonly dbfs: DbfsState
  readonly files: FilesState
  readonly permissions: PermissionsState
  readonly scim: ScimState
}

export interface WorkspaceState extends WorkspaceParts {
  readonly workspaceId: number
  readonly cloud: string
  readonly agenda: Agenda
  /** The parts by their names, to be written out and taken back. */
  readonly parts: Readonly<Record<keyof WorkspaceParts, Restorable>>
}

/** A workspace as a whole, as JSON. */
export interface WorkspaceSnapshot {
  readonly parts: Readonly<Record<string, unknown>>
  readonly agenda: readonly Plan[]
}

export type WorkspaceSource = StateSource<WorkspaceFixture, WorkspaceMockConfig>

const DEFAULT_USER = 'someone@example.com'

/** The workspace that a fixture describes. */
export function createState({ fixture, ids, clock, config }: WorkspaceSource): WorkspaceState {
  const { id, cloud = 'aws' } = (fixture['workspace'] as { id?: number; cloud?: string } | undefined) ?? {}
  checkDrives(config.lifecycle)
  const workspaceId = id ?? ids.number('workspace')
  const agenda = new Agenda(clock, { ...(fixture['lifecycle'] as Drives | undefined), ...config.lifecycle })
  const [first] = (fixture['users'] as readonly { readonly userName: string }[] | undefined) ?? []
  const tools: Tools = {
    ids,
    clock,
    config,
    agenda,
    workspaceId,
    defaultUser: first?.userName ?? DEFAULT_USER,
  }
  const parts = createParts(fixture, tools, cloud)
  parts.statements.connect(parts.warehouses)
  ownDeclared(fixture, parts)
  return { ...parts, workspaceId, cloud, agenda, parts }
}

export function snapshotState({ parts, agenda }: WorkspaceState): WorkspaceSnapshot {
  const written = Object.entries(parts).map(([name, part]) => [name, part.snapshot()])
  return { parts: Object.fromEntries(written) as Record<string, unknown>, agenda: agenda.snapshot() }
}

/** Gives back what a workspace holds outside of memory. */
export function disposeState({ dbfs, files }: WorkspaceState): void {
  dbfs.dispose()
  files.dispose()
}

export function restoreState(snapshot: unknown, source: WorkspaceSource): WorkspaceState {
  const { parts, agenda } = snapshot as WorkspaceSnapshot
  const state = createState(source)
  for (const [name, part] of Object.entries(state.parts)) part.restore(parts[name])
  state.agenda.restore(agenda)
  return state
}

function createParts(fixture: WorkspaceFixture, tools: Tools, cloud: string): WorkspaceParts {
  const libraries = createLibraries(fixture, tools)
  const clusters = createClusters(fixture, tools, libraries, cloud)
  const jobs = createJobs(fixture, tools)
  return {
    clusters,
    libraries,
    jobs,
    runs: createRuns(fixture, tools, { jobs, clusters }),
    warehouses: warehousesPart.create(fixture, tools),
    statements: statementsPart.create(fixture, tools),
    secrets: secretsPart.create(fixture, tools),
    dbfs: dbfsPart.create(fixture, tools),
    files: filesPart.create(fixture, tools),
    permissions: permissionsPart.create(fixture, tools),
    scim: scimPart.create(fixture, tools),
  }
}

/** What a fixture declares belongs to who made it, unless its permissions say otherwise. */
function ownDeclared(fixture: WorkspaceFixture, { clusters, jobs, runs, permissions }: WorkspaceParts): void {
  const given = (fixture['permissions'] as readonly { type: string; id: string | number }[] | undefined) ?? []
  const declared = new Set(given.map(({ type, id }) => `${type}/${id}`))
  const own = (object: ObjectRef, userName: string): void => {
    if (!declared.has(`${object.type}/${object.id}`)) permissions.own(object, userName)
  }
  for (const { cluster_id, creator_user_name } of clusters.all)
    own({ type: 'clusters', id: cluster_id }, creator_user_name)
  for (const { job_id, creator_user_name } of jobs.all)
    own({ type: 'jobs', id: String(job_id) }, creator_user_name)
  for (const { job_id, creator_user_name, isJobRun } of runs.index.all)
    if (!isJobRun) own({ type: 'jobs', id: String(job_id) }, creator_user_name)
}
