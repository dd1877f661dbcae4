import { timingSafeEqual } from 'node:crypto'
import { type OperationContext, reply } from 'sim-gateway/adapter'
import { invalid, workspaceError } from '../errors.ts'
import { bodyOf } from '../fields.ts'
import { originOf } from '../host.ts'
import { operationsOf, type WorkspaceContext, type WorkspaceOperation } from '../operation.ts'
import { isStrict } from '../part.ts'
import { describeChunk, describeStatement, encodeChunk, type LinkTo } from './describe.ts'
import { readRequest } from './request.ts'
import { type Chunk, chunkOf, type Result } from './result.ts'
import type { Statement } from './statement.ts'

/** Where the bytes of chunks are that are not part of answers. Its links carry their own credentials. */
export const EXTERNAL_LINK_PATH = '/sim-external-links/{statement_id}/{chunk_index}'

const GOOD_FOR_MS = 15 * 60 * 1000

/** Makes links to the chunks of a statement, on this very adapter. */
export function linksOf(
  context: Pick<OperationContext<unknown>, 'headers' | 'ids' | 'clock'>,
  statementId: string,
): LinkTo {
  return (chunkIndex) => {
    const expires = context.clock.now() + GOOD_FOR_MS
    const signature = signatureOf(context, statementId, chunkIndex, expires)
    const path = `/sim-external-links/${statementId}/${chunkIndex}?expires=${expires}&signature=${signature}`
    return { url: `${originOf(context)}${path}`, expiration: new Date(expires).toISOString() }
  }
}

/** Lets only those through whose link was made here, and has not expired. */
export function checkLink(
  context: Pick<OperationContext<unknown>, 'ids' | 'clock' | 'params' | 'query'>,
): void {
  const { params, query, clock } = context
  const expires = Number(query.get('expires') ?? Number.NaN)
  const expected = signatureOf(context, params['statement_id'] ?? '', Number(params['chunk_index']), expires)
  const given = Buffer.from(query.get('signature') ?? '')
  const isGenuine = given.length === expected.length && timingSafeEqual(given, Buffer.from(expected))
  if (!isGenuine) throw workspaceError('PERMISSION_DENIED', 'This link was not made here.')
  if (clock.now() > expires)
    throw workspaceError(
      'PERMISSION_DENIED',
      'This link has expired; ask for the chunk again to get another.',
    )
}

function signatureOf(
  { ids }: Pick<OperationContext<unknown>, 'ids'>,
  statementId: string,
  chunkIndex: number,
  expires: number,
): string {
  return ids.hex(32, 'external-link', statementId, String(chunkIndex), String(expires))
}

const docs = (name: string): string => `https://docs.databricks.com/api/workspace/statementexecution/${name}`

const common = {
  id: 'statements',
  family: 'SQL statements',
  version: '2.0',
  support: 'representative',
  tests: [
    'test/sql/sdk.test.ts > answers a statement with its manifest and first chunk, and the others one by one',
    'test/sql/sdk.test.ts > cancels a statement that runs, and leaves one that has ended',
    'test/sql/external-links.test.ts > lead to the rows of each chunk as JSON, without credentials',
    'test/sql/model.test.ts > has no state and no move but those that are documented, whatever is done',
    'test/sql/golden.test.ts > answers its contract',
  ],
} as const

const define = operationsOf({ ...common, base: '/api/2.0/sql/statements' })
const defineLink = operationsOf({ ...common, base: EXTERNAL_LINK_PATH })

export const statementsOperations: readonly WorkspaceOperation[] = [
  define('execute', 'POST', {
    aliases: ['/api/2.0/sql/statements/'],
    documentation: docs('executestatement'),
    supports: [
      ...['statement', 'warehouse_id', 'wait_timeout', 'on_wait_timeout', 'disposition', 'format'],
      ...['catalog', 'schema', 'row_limit', 'byte_limit', 'parameters'],
    ],
    limits: { maxStatementBytes: 16_777_216, maxInlineBytes: 26_214_400 },
    variants: [
      'SUCCEEDED',
      'FAILED',
      'CANCELED',
      'PENDING',
      'RUNNING',
      'no rows',
      'truncated',
      'external links',
    ],
    errors: ['INVALID_PARAMETER_VALUE', 'RESOURCE_DOES_NOT_EXIST', 'INVALID_STATE', 'PERMISSION_DENIED'],
    sideEffects: [
      'takes a statement on, whose result is what the fixture says',
      'starts a stopped warehouse',
    ],
    handle: execute,
  }),
  define('get', 'GET /{statement_id}', {
    documentation: docs('getstatement'),
    variants: ['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED', 'CLOSED'],
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    handle(context) {
      const { id } = own(context)
      return describeStatement(context.state.statements.observe(id), linksOf(context, id))
    },
  }),
  define('getResultChunk', 'GET /{statement_id}/result/chunks/{chunk_index}', {
    documentation: docs('getstatementresultchunkn'),
    variants: ['INLINE', 'EXTERNAL_LINKS'],
    errors: ['NOT_FOUND', 'INVALID_STATE', 'INVALID_PARAMETER_VALUE', 'PERMISSION_DENIED'],
    handle(context) {
      const statement = own(context)
      const { result, chunk } = requestedChunk(context, statement)
      return describeChunk(statement, result, chunk, linksOf(context, statement.id))
    },
  }),
  define('cancel', 'POST /{statement_id}/cancel', {
    documentation: docs('cancelexecution'),
    variants: ['nothing to do for one that has come to its end'],
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    sideEffects: ['cancels a statement'],
    handle(context) {
      context.state.statements.cancel(own(context).id)
      return {}
    },
  }),
  define('close', 'DELETE /{statement_id}', {
    documentation: docs('cancelexecution'),
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    sideEffects: ['gives a result up, or cancels a statement'],
    handle(context) {
      context.state.statements.close(own(context).id)
      return {}
    },
  }),
  defineLink('externalLink', 'GET', {
    documentation: docs('executestatement'),
    limits: { goodForSeconds: 900 },
    variants: ['JSON_ARRAY', 'CSV'],
    errors: ['PERMISSION_DENIED', 'NOT_FOUND'],
    handle(context) {
      checkLink(context)
      const statement = context.state.statements.get(context.params['statement_id'] as string)
      const { result, chunk } = requestedChunk(context, statement)
      const type = statement.format === 'CSV' ? 'text/csv' : 'application/json'
      return reply({ headers: { 'content-type': type }, body: encodeChunk(result, chunk, statement.format) })
    },
  }),
]

async function execute(context: WorkspaceContext): Promise<object> {
  const { permissions, scim, statements, warehouses } = context.state
  const request = readRequest(bodyOf(context))
  const { id } = warehouses.get(request.warehouseId)
  permissions.require(context, { type: 'warehouses', id }, 'CAN_USE')
  const statement = await statements.execute(request, scim.callerOf(context.credentials).userName)
  if (request.waitMs === 0) return { statement_id: statement.id, status: { state: 'PENDING' } }
  return describeStatement(statement, linksOf(context, statement.id))
}

// A statement is its creator's alone, but for administrators.
function own(context: WorkspaceContext): Statement {
  const statement = context.state.statements.get(context.params['statement_id'] as string)
  const { userName, groups } = context.state.scim.callerOf(context.credentials)
  if (!isStrict(context.config) || userName === statement.creatorName || groups.includes('admins'))
    return statement
  throw workspaceError('PERMISSION_DENIED', `${userName} did not execute statement ${statement.id}.`)
}

function requestedChunk(
  { params }: WorkspaceContext,
  { id, state, outcome }: Statement,
): { readonly result: Result; readonly chunk: Chunk } {
  const text = params['chunk_index'] ?? ''
  if (!/^\d{1,9}$/.test(text))
    throw invalid(`chunk_index must be an integer of 0 or more, not '${text.slice(0, 100)}'.`)
  if (state === 'CLOSED') throw workspaceError('NOT_FOUND', `The result of statement ${id} is closed.`)
  if (state !== 'SUCCEEDED' || outcome?.kind !== 'result')
    throw workspaceError('INVALID_STATE', `Statement ${id} is in unexpected state ${state}.`)
  const chunk = chunkOf(outcome.result, Number(text))
  if (chunk !== undefined) return { result: outcome.result, chunk }
  throw workspaceError('NOT_FOUND', `The result of statement ${id} has no chunk ${text}.`)
}
