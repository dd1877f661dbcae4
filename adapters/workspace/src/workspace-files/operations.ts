import { reply, type Operation, type Visit } from 'sim-gateway/adapter'
import { invalid, workspaceError } from '../errors.ts'
import {
  bodyOf,
  optionalBoolean,
  optionalText,
  queryBoolean,
  queryInteger,
  requiredQuery,
  requiredText,
} from '../fields.ts'
import { bytesOfBase64 } from '../files/base64.ts'
import { readForm } from '../files/form.ts'
import { pathOf } from '../files/path.ts'
import type { Directory } from '../part.ts'
import type { PermissionsState } from '../permissions/state.ts'
import { extensionOf, readImport, writeNotebook } from './formats.ts'
import { refOf, type FilesState, type WorkspaceObject } from './state.ts'

/** The share of the workspace that its objects are about. */
export interface FilesSlice {
  readonly files: FilesState
  readonly permissions: PermissionsState
  readonly scim: Directory
}

const LARGEST_IMPORT = 10 * 1024 * 1024

const common = {
  family: 'Workspace',
  version: '2.0',
  tests: [
    'test/workspace-files/sdk.test.ts > tells what lies at a path, and what a directory holds',
    'test/workspace-files/sdk.test.ts > makes and deletes directories',
    'test/workspace-files/sdk.test.ts > imports notebooks and files, and exports what was imported',
    'test/workspace-files/golden.test.ts > answers its contract',
  ],
} as const

const docs = (name: string): string => `https://docs.databricks.com/api/workspace/workspace/${name}`

/** The operations of workspace objects. */
export const filesOperations: readonly Operation<FilesSlice>[] = [
  {
    ...common,
    id: 'workspace.getStatus',
    method: 'GET',
    path: '/api/2.0/workspace/get-status',
    support: 'exact',
    documentation: docs('getstatus'),
    supports: ['path'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_PARAMETER_VALUE', 'PERMISSION_DENIED'],
    handle: (visit) => describe(readable(visit, requiredQuery(visit.query, 'path'))),
  },
  {
    ...common,
    id: 'workspace.list',
    method: 'GET',
    path: '/api/2.0/workspace/list',
    support: 'exact',
    documentation: docs('list'),
    supports: ['path', 'notebooks_modified_after'],
    variants: ['a directory', 'an empty directory, without `objects`', 'an object, which lists itself'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_PARAMETER_VALUE', 'PERMISSION_DENIED'],
    handle: list,
  },
  {
    ...common,
    id: 'workspace.mkdirs',
    method: 'POST',
    path: '/api/2.0/workspace/mkdirs',
    support: 'exact',
    documentation: docs('mkdirs'),
    supports: ['path'],
    errors: ['RESOURCE_ALREADY_EXISTS', 'INVALID_PARAMETER_VALUE', 'PERMISSION_DENIED'],
    sideEffects: ['makes a directory and its parents, which belong to the caller'],
    handle(visit) {
      const path = requiredText(bodyOf(visit), 'path')
      requireWritable(visit, path)
      for (const made of visit.state.files.mkdirs(path)) own(visit, made)
      return {}
    },
  },
  {
    ...common,
    id: 'workspace.delete',
    method: 'POST',
    path: '/api/2.0/workspace/delete',
    support: 'exact',
    documentation: docs('delete'),
    supports: ['path', 'recursive'],
    errors: [
      'RESOURCE_DOES_NOT_EXIST',
      'DIRECTORY_NOT_EMPTY',
      'INVALID_PARAMETER_VALUE',
      'PERMISSION_DENIED',
    ],
    sideEffects: ['deletes an object, or a directory with all it holds'],
    handle: remove,
  },
  {
    ...common,
    id: 'workspace.import',
    method: 'POST',
    path: '/api/2.0/workspace/import',
    support: 'representative',
    documentation: docs('import'),
    supports: ['path', 'content', 'format', 'language', 'overwrite'],
    limits: { maxContentBytes: LARGEST_IMPORT },
    variants: ['JSON with base64 content', 'multipart/form-data', 'formats SOURCE, AUTO, JUPYTER and RAW'],
    errors: [
      'RESOURCE_ALREADY_EXISTS',
      'RESOURCE_DOES_NOT_EXIST',
      'MAX_NOTEBOOK_SIZE_EXCEEDED',
      'INVALID_PARAMETER_VALUE',
      'QUOTA_EXCEEDED',
      'PERMISSION_DENIED',
    ],
    sideEffects: ['writes a notebook or file, which belongs to the caller'],
    handle: importObject,
  },
  {
    ...common,
    id: 'workspace.export',
    method: 'GET',
    path: '/api/2.0/workspace/export',
    support: 'representative',
    documentation: docs('export'),
    supports: ['path', 'format', 'direct_download'],
    variants: [
      'base64 in JSON',
      'the bytes alone (direct_download)',
      'formats SOURCE, AUTO, JUPYTER and RAW',
    ],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_PARAMETER_VALUE', 'PERMISSION_DENIED'],
    handle: exportObject,
  },
]

type FilesVisit = Visit<FilesSlice>

function list(visit: FilesVisit): object {
  const after = queryInteger(visit.query, 'notebooks_modified_after') ?? Number.NEGATIVE_INFINITY
  const { segments } = readable(visit, requiredQuery(visit.query, 'path'))
  const objects = visit.state.files
    .list(pathOf(segments))
    .filter(({ node: { info } }) => info.type !== 'NOTEBOOK' || info.modifiedAt > after)
    .map(describe)
  return objects.length === 0 ? {} : { objects }
}

function remove(visit: FilesVisit): object {
  const body = bodyOf(visit)
  const path = requiredText(body, 'path')
  const { files, permissions } = visit.state
  permissions.require(visit, refOf(files.get(path)), 'CAN_MANAGE')
  for (const removed of files.remove(path, optionalBoolean(body, 'recursive') ?? false))
    permissions.forget(refOf(removed))
  return {}
}

async function importObject(visit: FilesVisit): Promise<object> {
  const { overwrite, ...request } = await readRequest(visit)
  if (request.bytes.length > LARGEST_IMPORT)
    throw workspaceError(
      'MAX_NOTEBOOK_SIZE_EXCEEDED',
      `File size imported is (${request.bytes.length} bytes), exceeded max size (${LARGEST_IMPORT} bytes)`,
    )
  requireWritable(visit, request.path)
  const made = visit.state.files.write(readImport(request), overwrite)
  if (made !== undefined) own(visit, made)
  return {}
}

async function readRequest(
  visit: FilesVisit,
): Promise<Parameters<typeof readImport>[0] & { overwrite: boolean }> {
  const form = await readForm(visit)
  if (form !== undefined) {
    const texts = Object.fromEntries(
      ['path', 'format', 'language', 'overwrite'].map((name) => [name, form.get(name)?.toString()]),
    )
    return {
      path: requiredText(texts, 'path'),
      format: texts['format'] ?? 'SOURCE',
      language: texts['language'],
      overwrite: texts['overwrite']?.toLowerCase() === 'true',
      bytes: form.get('content') ?? Buffer.alloc(0),
    }
  }
  const body = bodyOf(visit)
  return {
    path: requiredText(body, 'path'),
    format: optionalText(body, 'format') ?? 'SOURCE',
    language: optionalText(body, 'language'),
    overwrite: optionalBoolean(body, 'overwrite') ?? false,
    bytes: bytesOfBase64(optionalText(body, 'content') ?? '', 'content'),
  }
}

function exportObject(visit: FilesVisit): unknown {
  const { query, state } = visit
  const object = readable(visit, requiredQuery(query, 'path'))
  const { info, children } = object.node
  const path = pathOf(object.segments)
  if (children !== undefined) throw invalid(`Exporting directories is not simulated here: ${path}`)
  const source = state.files.read(object)
  const { bytes, extension } =
    info.language === undefined
      ? { bytes: source, extension: extensionOf(path) }
      : writeNotebook(source, info.language, query.get('format') ?? 'SOURCE')
  if (queryBoolean(query, 'direct_download') === true) return reply({ body: bytes })
  return { content: bytes.toString('base64'), file_type: extension }
}

function readable(visit: FilesVisit, path: string): WorkspaceObject {
  const object = visit.state.files.get(path)
  visit.state.permissions.require(visit, refOf(object), 'CAN_READ')
  return object
}

function requireWritable(visit: FilesVisit, path: string): void {
  visit.state.permissions.require(visit, refOf(visit.state.files.nearestDirectory(path)), 'CAN_EDIT')
}

function own({ state, credentials }: FilesVisit, object: WorkspaceObject): void {
  state.permissions.own(refOf(object), state.scim.callerOf(credentials).userName)
}

function describe({ segments, node: { info } }: WorkspaceObject): object {
  const { objectId, type, language, createdAt, modifiedAt, content } = info
  const isWritten = type === 'NOTEBOOK' || type === 'FILE'
  return {
    object_type: type,
    path: pathOf(segments),
    ...(language && { language }),
    ...(isWritten && { created_at: createdAt, modified_at: modifiedAt }),
    object_id: objectId,
    resource_id: String(objectId),
    ...(type === 'FILE' && { size: content?.size ?? 0 }),
  }
}
