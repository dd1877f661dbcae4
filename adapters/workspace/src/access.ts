import { posix } from 'node:path'
import type { Operation, Visit } from 'sim-gateway/adapter'
import type { WorkspaceMockConfig } from './config.ts'
import type { WorkspaceState } from './state.ts'

type WorkspaceOperation = Operation<WorkspaceState, WorkspaceMockConfig>
type WorkspaceVisit = Visit<WorkspaceState, WorkspaceMockConfig>

/** What tokens of strict mode need for the operations of a family. */
interface Access {
  readonly scope: string
  /** What is asked for, as grants name it; nothing where anyone may ask, or where the answer leaves out what is not granted. */
  readonly resourceOf?: (visit: WorkspaceVisit) => string | undefined
}

const FILTERED = new Set(['clusters.list', 'jobs.list', 'jobs.listRuns', 'libraries.allClusterStatuses'])
const FOR_ANYONE = new Set(['clusters.listNodeTypes', 'clusters.sparkVersions', 'clusters.listZones'])

const ACCESS: Readonly<Record<string, Access>> = {
  Clusters: { scope: 'clusters', resourceOf: (visit) => named('clusters', fieldOf(visit, 'cluster_id')) },
  Libraries: { scope: 'clusters', resourceOf: (visit) => named('clusters', fieldOf(visit, 'cluster_id')) },
  Jobs: { scope: 'jobs', resourceOf: (visit) => named('jobs', fieldOf(visit, 'job_id')) },
  Runs: { scope: 'jobs', resourceOf: jobOfRun },
  'SQL warehouses': { scope: 'sql', resourceOf: ({ params }) => named('warehouses', params['id']) },
  'SQL statements': { scope: 'sql', resourceOf: warehouseOf },
  Secrets: { scope: 'secrets', resourceOf: (visit) => named('secrets', fieldOf(visit, 'scope')) },
  DBFS: { scope: 'dbfs', resourceOf: (visit) => pathIn('dbfs', visit) },
  Workspace: { scope: 'workspace', resourceOf: (visit) => pathIn('workspace', visit) },
  Permissions: {
    scope: 'access-management',
    resourceOf: ({ params }) => named(params['object_type'] ?? '', params['object_id']),
  },
  'Current user': { scope: 'scim' },
}

/** An operation with what tokens of strict mode need for it. */
export function withAccess(operation: WorkspaceOperation, openPaths: readonly string[]): WorkspaceOperation {
  const access = ACCESS[operation.family]
  if (access === undefined || openPaths.includes(operation.path)) return operation
  const isFree = FILTERED.has(operation.id) || FOR_ANYONE.has(operation.id)
  const resource = isFree ? undefined : access.resourceOf
  return { ...operation, scopes: [access.scope], ...(resource && { resource }) }
}

/** A thing of a kind, or the kind as a whole where none is named. */
function named(kind: string, id: unknown): string {
  return id === undefined || id === null || id === '' ? kind : `${kind}/${textOf(id)}`
}

function textOf(id: unknown): string {
  return typeof id === 'string' ? id : JSON.stringify(id)
}

/** A field of the query, or of a body that is JSON. */
function fieldOf(visit: WorkspaceVisit, name: string): unknown {
  const inQuery = visit.query.get(name)
  if (inQuery !== null) return inQuery
  if (String(visit.headers['content-type'] ?? '').includes('multipart/')) return undefined
  const body = visit.body() as Readonly<Record<string, unknown>> | null | undefined
  return typeof body === 'object' ? body?.[name] : undefined
}

/** Runs are granted with their jobs. */
function jobOfRun(visit: WorkspaceVisit): string {
  const run = visit.state.runs.index.find(Number(fieldOf(visit, 'run_id') ?? 0))
  return named('jobs', run?.job_id ?? fieldOf(visit, 'job_id'))
}

/** Statements are granted with their warehouses; later, whoever has the id of one may ask for it. */
function warehouseOf(visit: WorkspaceVisit): string | undefined {
  return visit.params['statement_id'] === undefined
    ? named('warehouses', fieldOf(visit, 'warehouse_id'))
    : undefined
}

/** A path, such as `dbfs/tmp/a`; moving needs both. Who has a handle was granted its path. */
function pathIn(kind: string, visit: WorkspaceVisit): string | undefined {
  if (fieldOf(visit, 'handle') !== undefined) return undefined
  const source = fieldOf(visit, 'source_path')
  if (source !== undefined) visit.authorize(pathOf(kind, source))
  return pathOf(kind, source === undefined ? fieldOf(visit, 'path') : fieldOf(visit, 'destination_path'))
}

function pathOf(kind: string, path: unknown): string {
  if (path === undefined || path === null) return kind
  const plain = posix.normalize(`/${textOf(path).replace(/^dbfs:/, '')}`).replace(/\/+$/, '')
  return `${kind}${plain}`
}
