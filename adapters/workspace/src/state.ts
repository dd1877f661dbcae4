import { createClusters, type ClustersState } from './clusters/index.ts'
import type { WorkspaceMockConfig } from './config.ts'
import { dbfsPart, type DbfsState } from './dbfs/index.ts'
import { createJobs, type JobsState } from './jobs/index.ts'
import { createLibraries, type LibrariesState } from './libraries/index.ts'
import { Agenda, type Plan } from './lifecycle/agenda.ts'
import { checkDrives, type Drives } from './lifecycle/drive.ts'
import type { ObjectRef, Restorable, Tools, WorkspaceFixture } from './part.ts'
import { permissionsPart, type PermissionsState } from './permissions/index.ts'
import { createRuns, type RunsState } from './runs/index.ts'
import { scimPart, type ScimState } from './scim/index.ts'
import { secretsPart, type SecretsState } from './secrets/index.ts'
import { statementsPart, type StatementsState } from './sql/index.ts'
import { warehousesPart, type WarehousesState } from './warehouses/index.ts'
import { filesPart, type FilesState } from './workspace-files/index.ts'
import type { StateSource } from 'sim-gateway/adapter'

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

/** A whole workspace. */
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

/** What a state is made of. */
export type WorkspaceSource = StateSource<WorkspaceFixture, WorkspaceMockConfig>

const USUAL_USER = 'someone@example.com'

/** The workspace that a fixture describes. */
export function createState({ fixture, ids, clock, config }: WorkspaceSource): WorkspaceState {
  const { id, cloud = 'aws' } = (fixture['workspace'] as { id?: number; cloud?: string } | undefined) ?? {}
  checkDrives(config.lifecycle)
  const workspaceId = id ?? ids.number('workspace')
  const agenda = new Agenda(clock, { ...(fixture['lifecycle'] as Drives | undefined), ...config.lifecycle })
  const [first] = (fixture['users'] as readonly { readonly userName: string }[] | undefined) ?? []
  const tools: Tools = { ids, clock, config, agenda, workspaceId, defaultUser: first?.userName ?? USUAL_USER }
  const parts = createParts(fixture, tools, cloud)
  parts.statements.connect(parts.warehouses)
  ownDeclared(fixture, parts)
  return { ...parts, workspaceId, cloud, agenda, parts }
}

/** A workspace as JSON. */
export function snapshotState({ parts, agenda }: WorkspaceState): WorkspaceSnapshot {
  const written = Object.entries(parts).map(([name, part]) => [name, part.snapshot()])
  return { parts: Object.fromEntries(written) as Record<string, unknown>, agenda: agenda.snapshot() }
}

/** Gives back what a workspace holds outside of memory. */
export function disposeState({ dbfs, files }: WorkspaceState): void {
  dbfs.dispose()
  files.dispose()
}

/** The workspace of a snapshot. */
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
