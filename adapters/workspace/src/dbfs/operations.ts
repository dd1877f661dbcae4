import type { Operation, Visit } from 'sim-gateway/adapter'
import { workspaceError, invalid } from '../errors.ts'
import {
  bodyOf,
  optionalBoolean,
  queryInteger,
  requiredInteger,
  requiredQuery,
  requiredText,
  optionalText,
} from '../fields.ts'
import { bytesOfBase64 } from '../files/base64.ts'
import { readForm } from '../files/form.ts'
import type { DbfsState } from './state.ts'

/** The share of the workspace that DBFS is about. */
export interface DbfsSlice {
  readonly dbfs: DbfsState
}

const MEBIBYTE = 1024 * 1024
const USUAL_READ = 512 * 1024

const common = {
  family: 'DBFS',
  version: '2.0',
  support: 'exact',
  tests: [
    'test/dbfs/sdk.test.ts > writes a file block by block, and reads it part by part',
    'test/dbfs/sdk.test.ts > puts, lists, moves and deletes files and directories',
    'test/dbfs/model.test.ts > answers as the model says, whatever the calls',
    'test/dbfs/golden.test.ts > answers its contract',
  ],
} as const

const docs = (name: string): string => `https://docs.databricks.com/api/workspace/dbfs/${name}`

/** The operations of DBFS. */
export const dbfsOperations: readonly Operation<DbfsSlice>[] = [
  {
    ...common,
    id: 'dbfs.getStatus',
    method: 'GET',
    path: '/api/2.0/dbfs/get-status',
    documentation: docs('getstatus'),
    supports: ['path'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_PARAMETER_VALUE'],
    handle: ({ state, query }) => state.dbfs.status(requiredQuery(query, 'path')),
  },
  {
    ...common,
    id: 'dbfs.list',
    method: 'GET',
    path: '/api/2.0/dbfs/list',
    documentation: docs('list'),
    supports: ['path'],
    variants: ['a directory', 'an empty directory, without `files`', 'a file, which lists itself'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_PARAMETER_VALUE'],
    handle({ state, query }) {
      const files = state.dbfs.list(requiredQuery(query, 'path'))
      return files.length === 0 ? {} : { files }
    },
  },
  {
    ...common,
    id: 'dbfs.read',
    method: 'GET',
    path: '/api/2.0/dbfs/read',
    documentation: docs('read'),
    supports: ['path', 'offset', 'length'],
    limits: { defaultLength: USUAL_READ, maxLength: MEBIBYTE },
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_PARAMETER_VALUE', 'MAX_READ_SIZE_EXCEEDED'],
    handle: read,
  },
  {
    ...common,
    id: 'dbfs.put',
    method: 'POST',
    path: '/api/2.0/dbfs/put',
    documentation: docs('put'),
    supports: ['path', 'contents', 'overwrite'],
    limits: { maxContentsBytes: MEBIBYTE },
    variants: ['JSON with base64 contents', 'multipart/form-data, without the limit of 1 MiB'],
    errors: ['RESOURCE_ALREADY_EXISTS', 'MAX_BLOCK_SIZE_EXCEEDED', 'MALFORMED_REQUEST', 'QUOTA_EXCEEDED'],
    sideEffects: ['writes a file and makes its parents'],
    handle: put,
  },
  {
    ...common,
    id: 'dbfs.create',
    method: 'POST',
    path: '/api/2.0/dbfs/create',
    documentation: docs('create'),
    supports: ['path', 'overwrite'],
    errors: ['RESOURCE_ALREADY_EXISTS', 'INVALID_PARAMETER_VALUE'],
    sideEffects: ['makes an empty file and its parents', 'opens a stream, closed after 10 idle minutes'],
    handle(visit) {
      const body = bodyOf(visit)
      const overwrite = optionalBoolean(body, 'overwrite') ?? false
      return { handle: visit.state.dbfs.open(requiredText(body, 'path'), overwrite) }
    },
  },
  {
    ...common,
    id: 'dbfs.addBlock',
    method: 'POST',
    path: '/api/2.0/dbfs/add-block',
    documentation: docs('addblock'),
    supports: ['handle', 'data'],
    limits: { maxBlockBytes: MEBIBYTE },
    errors: ['RESOURCE_DOES_NOT_EXIST', 'MAX_BLOCK_SIZE_EXCEEDED', 'MALFORMED_REQUEST', 'QUOTA_EXCEEDED'],
    sideEffects: ['appends to the file of the stream'],
    handle(visit) {
      const body = bodyOf(visit)
      const handle = requiredInteger(body, 'handle')
      visit.state.dbfs.append(handle, blockOf(optionalText(body, 'data') ?? '', 'data'))
      return {}
    },
  },
  {
    ...common,
    id: 'dbfs.close',
    method: 'POST',
    path: '/api/2.0/dbfs/close',
    documentation: docs('close'),
    supports: ['handle'],
    errors: ['RESOURCE_DOES_NOT_EXIST'],
    sideEffects: ['closes a stream'],
    handle(visit) {
      visit.state.dbfs.close(requiredInteger(bodyOf(visit), 'handle'))
      return {}
    },
  },
  {
    ...common,
    id: 'dbfs.mkdirs',
    method: 'POST',
    path: '/api/2.0/dbfs/mkdirs',
    documentation: docs('mkdirs'),
    supports: ['path'],
    errors: ['RESOURCE_ALREADY_EXISTS', 'INVALID_PARAMETER_VALUE'],
    sideEffects: ['makes a directory and its parents'],
    handle(visit) {
      visit.state.dbfs.mkdirs(requiredText(bodyOf(visit), 'path'))
      return {}
    },
  },
  {
    ...common,
    id: 'dbfs.move',
    method: 'POST',
    path: '/api/2.0/dbfs/move',
    documentation: docs('move'),
    supports: ['source_path', 'destination_path'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'RESOURCE_ALREADY_EXISTS', 'INVALID_PARAMETER_VALUE'],
    sideEffects: ['moves a file, or a directory with all it holds'],
    handle(visit) {
      const body = bodyOf(visit)
      visit.state.dbfs.move(requiredText(body, 'source_path'), requiredText(body, 'destination_path'))
      return {}
    },
  },
  {
    ...common,
    id: 'dbfs.delete',
    method: 'POST',
    path: '/api/2.0/dbfs/delete',
    documentation: docs('delete'),
    supports: ['path', 'recursive'],
    errors: ['IO_ERROR', 'INVALID_PARAMETER_VALUE'],
    sideEffects: ['deletes a file or a directory'],
    handle(visit) {
      const body = bodyOf(visit)
      visit.state.dbfs.remove(requiredText(body, 'path'), optionalBoolean(body, 'recursive') ?? false)
      return {}
    },
  },
]

function read({ state, query }: Visit<DbfsSlice>): object {
  const [offset, length] = [queryInteger(query, 'offset') ?? 0, queryInteger(query, 'length') ?? USUAL_READ]
  if (offset < 0) throw invalid(`offset must not be negative: ${offset}`)
  if (length < 0) throw invalid(`length must not be negative: ${length}`)
  if (length > MEBIBYTE)
    throw workspaceError(
      'MAX_READ_SIZE_EXCEEDED',
      `At most ${MEBIBYTE} bytes can be read at once, not ${length}.`,
    )
  const bytes = state.dbfs.read(requiredQuery(query, 'path'), offset, length)
  return { bytes_read: bytes.length, data: bytes.toString('base64') }
}

async function put(visit: Visit<DbfsSlice>): Promise<object> {
  const form = await readForm(visit)
  if (form !== undefined) {
    const path = form.get('path')?.toString() ?? ''
    if (path === '') throw invalid('Missing required field: path')
    const overwrite = form.get('overwrite')?.toString().toLowerCase() === 'true'
    visit.state.dbfs.put(path, form.get('contents') ?? Buffer.alloc(0), overwrite)
    return {}
  }
  const body = bodyOf(visit)
  const overwrite = optionalBoolean(body, 'overwrite') ?? false
  visit.state.dbfs.put(
    requiredText(body, 'path'),
    blockOf(optionalText(body, 'contents') ?? '', 'contents'),
    overwrite,
  )
  return {}
}

function blockOf(base64: string, field: string): Buffer {
  const bytes = bytesOfBase64(base64, field)
  if (bytes.length <= MEBIBYTE) return bytes
  throw workspaceError(
    'MAX_BLOCK_SIZE_EXCEEDED',
    `At most ${MEBIBYTE} bytes can be sent at once, not ${bytes.length}.`,
  )
}
