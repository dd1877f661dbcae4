import { reply, type Operation, type Visit } from 'sim-gateway/adapter'
import { invalid, workspaceError } from '../errors.ts'
import { bodyOf } from '../fields.ts'
import type { AccessControl, Directory } from '../part.ts'
import { isStrict } from '../permissions/is-strict.ts'
import type { WarehousesState } from '../warehouses/state.ts'
import { describeChunk, describeStatement } from './describe.ts'
import { encodeChunk } from './encode.ts'
import { EXTERNAL_LINK_PATH, checkLink, linksOf } from './external-link.ts'
import { readRequest } from './request.ts'
import { chunkOf, type Chunk, type Result } from './result.ts'
import type { StatementsState } from './state.ts'
import type { Statement } from './statement.ts'

/** The share of the workspace that statements are about. */
export interface StatementsSlice {
  readonly statements: StatementsState
  readonly warehouses: WarehousesState
  readonly permissions: AccessControl
  readonly scim: Directory
}

type StatementsVisit = Visit<StatementsSlice>

const PATH = '/api/2.0/sql/statements'

const common = {
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

const docs = (name: string): string => `https://docs.databricks.com/api/workspace/statementexecution/${name}`

/** The operations of SQL statements. */
export const statementsOperations: readonly Operation<StatementsSlice>[] = [
  {
    ...common,
    id: 'statements.execute',
    method: 'POST',
    path: PATH,
    aliases: [`${PATH}/`],
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
  },
  {
    ...common,
    id: 'statements.get',
    method: 'GET',
    path: `${PATH}/{statement_id}`,
    documentation: docs('getstatement'),
    variants: ['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED', 'CLOSED'],
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    handle(visit) {
      const { id } = own(visit)
      return describeStatement(visit.state.statements.observe(id), linksOf(visit, id))
    },
  },
  {
    ...common,
    id: 'statements.getResultChunk',
    method: 'GET',
    path: `${PATH}/{statement_id}/result/chunks/{chunk_index}`,
    documentation: docs('getstatementresultchunkn'),
    variants: ['INLINE', 'EXTERNAL_LINKS'],
    errors: ['NOT_FOUND', 'INVALID_STATE', 'INVALID_PARAMETER_VALUE', 'PERMISSION_DENIED'],
    handle(visit) {
      const statement = own(visit)
      const { result, chunk } = chunkAsked(visit, statement)
      return describeChunk(statement, result, chunk, linksOf(visit, statement.id))
    },
  },
  {
    ...common,
    id: 'statements.cancel',
    method: 'POST',
    path: `${PATH}/{statement_id}/cancel`,
    documentation: docs('cancelexecution'),
    variants: ['nothing to do for one that has come to its end'],
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    sideEffects: ['cancels a statement'],
    handle(visit) {
      visit.state.statements.cancel(own(visit).id)
      return {}
    },
  },
  {
    ...common,
    id: 'statements.close',
    method: 'DELETE',
    path: `${PATH}/{statement_id}`,
    documentation: docs('cancelexecution'),
    errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    sideEffects: ['gives a result up, or cancels a statement'],
    handle(visit) {
      visit.state.statements.close(own(visit).id)
      return {}
    },
  },
  {
    ...common,
    id: 'statements.externalLink',
    method: 'GET',
    path: EXTERNAL_LINK_PATH,
    documentation: docs('executestatement'),
    limits: { goodForSeconds: 900 },
    variants: ['JSON_ARRAY', 'CSV'],
    errors: ['PERMISSION_DENIED', 'NOT_FOUND'],
    handle(visit) {
      checkLink(visit)
      const statement = visit.state.statements.get(visit.params['statement_id'] as string)
      const { result, chunk } = chunkAsked(visit, statement)
      const type = statement.format === 'CSV' ? 'text/csv' : 'application/json'
      return reply({ headers: { 'content-type': type }, body: encodeChunk(result, chunk, statement.format) })
    },
  },
]

async function execute(visit: StatementsVisit): Promise<object> {
  const { permissions, scim, statements, warehouses } = visit.state
  const request = readRequest(bodyOf(visit))
  const { id } = warehouses.get(request.warehouseId)
  permissions.require(visit, { type: 'warehouses', id }, 'CAN_USE')
  const statement = await statements.execute(request, scim.callerOf(visit.credentials).userName)
  if (request.waitMs === 0) return { statement_id: statement.id, status: { state: 'PENDING' } }
  return describeStatement(statement, linksOf(visit, statement.id))
}

// A statement is its creator's alone, but for administrators.
function own(visit: StatementsVisit): Statement {
  const statement = visit.state.statements.get(visit.params['statement_id'] as string)
  const { userName, groups } = visit.state.scim.callerOf(visit.credentials)
  if (!isStrict(visit.config) || userName === statement.creatorName || groups.includes('admins'))
    return statement
  throw workspaceError('PERMISSION_DENIED', `${userName} did not execute statement ${statement.id}.`)
}

function chunkAsked(
  { params }: StatementsVisit,
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
