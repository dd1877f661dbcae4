import { posix } from 'node:path'
import type { WorkspaceContext, WorkspaceOperation } from './operation.ts'

/** What tokens of strict mode need for the operations of a family. */
interface Access {
  readonly scope: string
  /** What is requested, as grants name it; nothing where anyone may ask, or where the answer leaves out what is not granted. */
  readonly resourceOf?: (context: WorkspaceContext) => string | undefined
}

const FILTERED = new Set(['clusters.list', 'jobs.list', 'jobs.listRuns', 'libraries.allClusterStatuses'])
const FOR_ANYONE = new Set(['clusters.listNodeTypes', 'clusters.sparkVersions', 'clusters.listZones'])

const ACCESS: Readonly<Record<string, Access>> = {
  Clusters: { scope: 'clusters', resourceOf: (context) => named('clusters', fieldOf(context, 'cluster_id')) },
  Libraries: {
    scope: 'clusters',
    resourceOf: (context) => named('clusters', fieldOf(context, 'cluster_id')),
  },
  Jobs: { scope: 'jobs', resourceOf: (context) => named('jobs', fieldOf(context, 'job_id')) },
  Runs: { scope: 'jobs', resourceOf: jobOfRun },
  'SQL warehouses': { scope: 'sql', resourceOf: ({ params }) => named('warehouses', params['id']) },
  'SQL statements': { scope: 'sql', resourceOf: warehouseOf },
  Secrets: { scope: 'secrets', resourceOf: (context) => named('secrets', fieldOf(context, 'scope')) },
  DBFS: { scope: 'dbfs', resourceOf: (context) => pathIn('dbfs', context) },
  Workspace: { scope: 'workspace', resourceOf: (context) => pathIn('workspace', context) },
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
function fieldOf(context: WorkspaceContext, name: string): unknown {
  const inQuery = context.query.get(name)
  if (inQuery !== null) return inQuery
  if (String(context.headers['content-type'] ?? '').includes('multipart/')) return undefined
  const body = context.body() as Readonly<Record<string, unknown>> | null | undefined
  return typeof body === 'object' ? body?.[name] : undefined
}

/** Runs are granted with their jobs. */
function jobOfRun(context: WorkspaceContext): string {
  const run = context.state.runs.index.find(Number(fieldOf(context, 'run_id') ?? 0))
  return named('jobs', run?.job_id ?? fieldOf(context, 'job_id'))
}

/** Statements are granted with their warehouses; later, whoever has the id of one may ask for it. */
function warehouseOf(context: WorkspaceContext): string | undefined {
  return context.params['statement_id'] === undefined
    ? named('warehouses', fieldOf(context, 'warehouse_id'))
    : undefined
}

/** A path, such as `dbfs/tmp/a`; moving needs both. Who has a handle was granted its path. */
function pathIn(kind: string, context: WorkspaceContext): string | undefined {
  if (fieldOf(context, 'handle') !== undefined) return undefined
  const source = fieldOf(context, 'source_path')
  if (source !== undefined) context.authorize(pathOf(kind, source))
  return pathOf(kind, source === undefined ? fieldOf(context, 'path') : fieldOf(context, 'destination_path'))
}

function pathOf(kind: string, path: unknown): string {
  if (path === undefined || path === null) return kind
  const plain = posix.normalize(`/${textOf(path).replace(/^dbfs:/, '')}`).replace(/(?<!\/)\/+$/, '')
  return `${kind}${plain}`
}
