import { reply } from 'sim-gateway/adapter'
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
import { bytesOfBase64, pathOf, readForm } from '../files/read.ts'
import { operationsOf, type WorkspaceContext, type WorkspaceOperation } from '../operation.ts'
import { extensionOf, readImport, writeNotebook } from './formats.ts'
import { refOf, type WorkspaceObject } from './state.ts'

const MAX_IMPORT = 10 * 1024 * 1024

const define = operationsOf({
  id: 'workspace',
  base: '/api/2.0/workspace',
  family: 'Workspace',
  version: '2.0',
  tests: [
    'test/workspace-files/sdk.test.ts > says what lies at a path, and what a directory holds',
    'test/workspace-files/sdk.test.ts > makes and deletes directories',
    'test/workspace-files/sdk.test.ts > imports notebooks and files, and exports what was imported',
    'test/workspace-files/golden.test.ts > answers its contract',
  ],
})

export const filesOperations: readonly WorkspaceOperation[] = [
  define('getStatus', 'GET /get-status', {
    supports: ['path'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_PARAMETER_VALUE', 'PERMISSION_DENIED'],
    handle: (context) => describe(readable(context, requiredQuery(context.query, 'path'))),
  }),
  define('list', 'GET /list', {
    supports: ['path', 'notebooks_modified_after'],
    variants: ['a directory', 'an empty directory, without `objects`', 'an object, which lists itself'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_PARAMETER_VALUE', 'PERMISSION_DENIED'],
    handle: list,
  }),
  define('mkdirs', 'POST /mkdirs', {
    supports: ['path'],
    errors: ['RESOURCE_ALREADY_EXISTS', 'INVALID_PARAMETER_VALUE', 'PERMISSION_DENIED'],
    sideEffects: ['makes a directory and its parents, which belong to the caller'],
    handle(context) {
      const path = requiredText(bodyOf(context), 'path')
      requireWritable(context, path)
      for (const made of context.state.files.mkdirs(path)) own(context, made)
      return {}
    },
  }),
  define('delete', 'POST /delete', {
    supports: ['path', 'recursive'],
    errors: [
      'RESOURCE_DOES_NOT_EXIST',
      'DIRECTORY_NOT_EMPTY',
      'INVALID_PARAMETER_VALUE',
      'PERMISSION_DENIED',
    ],
    sideEffects: ['deletes an object, or a directory with all it holds'],
    handle: remove,
  }),
  define('import', 'POST /import', {
    support: 'representative',
    supports: ['path', 'content', 'format', 'language', 'overwrite'],
    limits: { maxContentBytes: MAX_IMPORT },
    variants: ['JSON with base64 content', 'multipart/form-data', 'formats SOURCE, AUTO, JUPYTER and RAW'],
    errors:
      `RESOURCE_ALREADY_EXISTS RESOURCE_DOES_NOT_EXIST MAX_NOTEBOOK_SIZE_EXCEEDED INVALID_PARAMETER_VALUE
      QUOTA_EXCEEDED PERMISSION_DENIED`.split(/\s+/),
    sideEffects: ['writes a notebook or file, which belongs to the caller'],
    handle: importObject,
  }),
  define('export', 'GET /export', {
    support: 'representative',
    supports: ['path', 'format', 'direct_download'],
    variants: [
      'base64 in JSON',
      'the bytes alone (direct_download)',
      'formats SOURCE, AUTO, JUPYTER and RAW',
    ],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_PARAMETER_VALUE', 'PERMISSION_DENIED'],
    handle: exportObject,
  }),
]

function list(context: WorkspaceContext): object {
  const after = queryInteger(context.query, 'notebooks_modified_after') ?? Number.NEGATIVE_INFINITY
  const { segments } = readable(context, requiredQuery(context.query, 'path'))
  const objects = context.state.files
    .list(pathOf(segments))
    .filter(({ node: { info } }) => info.type !== 'NOTEBOOK' || info.modifiedAt > after)
    .map(describe)
  return objects.length === 0 ? {} : { objects }
}

function remove(context: WorkspaceContext): object {
  const body = bodyOf(context)
  const path = requiredText(body, 'path')
  const { files, permissions } = context.state
  permissions.require(context, refOf(files.get(path)), 'CAN_MANAGE')
  for (const removed of files.remove(path, optionalBoolean(body, 'recursive') ?? false))
    permissions.forget(refOf(removed))
  return {}
}

async function importObject(context: WorkspaceContext): Promise<object> {
  const { overwrite, ...request } = await readRequest(context)
  if (request.bytes.length > MAX_IMPORT)
    throw workspaceError(
      'MAX_NOTEBOOK_SIZE_EXCEEDED',
      `File size imported is (${request.bytes.length} bytes), exceeded max size (${MAX_IMPORT} bytes)`,
    )
  requireWritable(context, request.path)
  const made = context.state.files.write(readImport(request), overwrite)
  if (made !== undefined) own(context, made)
  return {}
}

async function readRequest(
  context: WorkspaceContext,
): Promise<Parameters<typeof readImport>[0] & { overwrite: boolean }> {
  const form = await readForm(context)
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
  const body = bodyOf(context)
  return {
    path: requiredText(body, 'path'),
    format: optionalText(body, 'format') ?? 'SOURCE',
    language: optionalText(body, 'language'),
    overwrite: optionalBoolean(body, 'overwrite') ?? false,
    bytes: bytesOfBase64(optionalText(body, 'content') ?? '', 'content'),
  }
}

function exportObject(context: WorkspaceContext): unknown {
  const { query, state } = context
  const object = readable(context, requiredQuery(query, 'path'))
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

function readable(context: WorkspaceContext, path: string): WorkspaceObject {
  const object = context.state.files.get(path)
  context.state.permissions.require(context, refOf(object), 'CAN_READ')
  return object
}

function requireWritable(context: WorkspaceContext, path: string): void {
  context.state.permissions.require(context, refOf(context.state.files.nearestDirectory(path)), 'CAN_EDIT')
}

function own({ state, credentials }: WorkspaceContext, object: WorkspaceObject): void {
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
