import { invalid, workspaceError } from '../errors.ts'
import {
  bodyOf,
  optionalBoolean,
  optionalText,
  queryInteger,
  requiredInteger,
  requiredQuery,
  requiredText,
} from '../fields.ts'
import { bytesOfBase64, readForm } from '../files/read.ts'
import { operationsOf, type WorkspaceContext, type WorkspaceOperation } from '../operation.ts'

const MEBIBYTE = 1024 * 1024
const DEFAULT_READ = 512 * 1024

const define = operationsOf({
  id: 'dbfs',
  base: '/api/2.0/dbfs',
  family: 'DBFS',
  version: '2.0',
  tests: [
    'test/dbfs/sdk.test.ts > writes a file block by block, and reads it part by part',
    'test/dbfs/sdk.test.ts > puts, lists, moves and deletes files and directories',
    'test/dbfs/model.test.ts > answers as the model says, whatever the calls',
    'test/dbfs/golden.test.ts > answers its contract',
  ],
})

export const dbfsOperations: readonly WorkspaceOperation[] = [
  define('getStatus', 'GET /get-status', {
    supports: ['path'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_PARAMETER_VALUE'],
    handle: ({ state, query }) => state.dbfs.status(requiredQuery(query, 'path')),
  }),
  define('list', 'GET /list', {
    supports: ['path'],
    variants: ['a directory', 'an empty directory, without `files`', 'a file, which lists itself'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_PARAMETER_VALUE'],
    handle({ state, query }) {
      const files = state.dbfs.list(requiredQuery(query, 'path'))
      return files.length === 0 ? {} : { files }
    },
  }),
  define('read', 'GET /read', {
    supports: ['path', 'offset', 'length'],
    limits: { defaultLength: DEFAULT_READ, maxLength: MEBIBYTE },
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_PARAMETER_VALUE', 'MAX_READ_SIZE_EXCEEDED'],
    handle: read,
  }),
  define('put', 'POST /put', {
    supports: ['path', 'contents', 'overwrite'],
    limits: { maxContentsBytes: MEBIBYTE },
    variants: ['JSON with base64 contents', 'multipart/form-data, without the limit of 1 MiB'],
    errors: ['RESOURCE_ALREADY_EXISTS', 'MAX_BLOCK_SIZE_EXCEEDED', 'MALFORMED_REQUEST', 'QUOTA_EXCEEDED'],
    sideEffects: ['writes a file and makes its parents'],
    handle: put,
  }),
  define('create', 'POST /create', {
    supports: ['path', 'overwrite'],
    errors: ['RESOURCE_ALREADY_EXISTS', 'INVALID_PARAMETER_VALUE'],
    sideEffects: ['makes an empty file and its parents', 'opens a stream, closed after 10 idle minutes'],
    handle(context) {
      const body = bodyOf(context)
      const overwrite = optionalBoolean(body, 'overwrite') ?? false
      return { handle: context.state.dbfs.open(requiredText(body, 'path'), overwrite) }
    },
  }),
  define('addBlock', 'POST /add-block', {
    supports: ['handle', 'data'],
    limits: { maxBlockBytes: MEBIBYTE },
    errors: ['RESOURCE_DOES_NOT_EXIST', 'MAX_BLOCK_SIZE_EXCEEDED', 'MALFORMED_REQUEST', 'QUOTA_EXCEEDED'],
    sideEffects: ['appends to the file of the stream'],
    handle(context) {
      const body = bodyOf(context)
      const handle = requiredInteger(body, 'handle')
      context.state.dbfs.append(handle, blockOf(optionalText(body, 'data') ?? '', 'data'))
      return {}
    },
  }),
  define('close', 'POST /close', {
    supports: ['handle'],
    errors: ['RESOURCE_DOES_NOT_EXIST'],
    sideEffects: ['closes a stream'],
    handle(context) {
      context.state.dbfs.close(requiredInteger(bodyOf(context), 'handle'))
      return {}
    },
  }),
  define('mkdirs', 'POST /mkdirs', {
    supports: ['path'],
    errors: ['RESOURCE_ALREADY_EXISTS', 'INVALID_PARAMETER_VALUE'],
    sideEffects: ['makes a directory and its parents'],
    handle(context) {
      context.state.dbfs.mkdirs(requiredText(bodyOf(context), 'path'))
      return {}
    },
  }),
  define('move', 'POST /move', {
    supports: ['source_path', 'destination_path'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'RESOURCE_ALREADY_EXISTS', 'INVALID_PARAMETER_VALUE'],
    sideEffects: ['moves a file, or a directory with all it holds'],
    handle(context) {
      const body = bodyOf(context)
      context.state.dbfs.move(requiredText(body, 'source_path'), requiredText(body, 'destination_path'))
      return {}
    },
  }),
  define('delete', 'POST /delete', {
    supports: ['path', 'recursive'],
    errors: ['IO_ERROR', 'INVALID_PARAMETER_VALUE'],
    sideEffects: ['deletes a file or a directory'],
    handle(context) {
      const body = bodyOf(context)
      context.state.dbfs.remove(requiredText(body, 'path'), optionalBoolean(body, 'recursive') ?? false)
      return {}
    },
  }),
]

function read({ state, query }: WorkspaceContext): object {
  const [offset, length] = [queryInteger(query, 'offset') ?? 0, queryInteger(query, 'length') ?? DEFAULT_READ]
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

async function put(context: WorkspaceContext): Promise<object> {
  const form = await readForm(context)
  if (form !== undefined) {
    const path = form.get('path')?.toString() ?? ''
    if (path === '') throw invalid('Missing required field: path')
    const overwrite = form.get('overwrite')?.toString().toLowerCase() === 'true'
    context.state.dbfs.put(path, form.get('contents') ?? Buffer.alloc(0), overwrite)
    return {}
  }
  const body = bodyOf(context)
  const overwrite = optionalBoolean(body, 'overwrite') ?? false
  context.state.dbfs.put(
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
