import { oldestFirst, pageOf } from 'sim-gateway/adapter'
import { invalid } from '../errors.ts'
import { bodyOf, queryInteger } from '../fields.ts'
import { hostOf } from '../host.ts'
import { operationsOf, type WorkspaceContext, type WorkspaceOperation } from '../operation.ts'
import { describeWarehouse } from './warehouse.ts'

const MAX_PER_PAGE = 1000

const define = operationsOf({
  id: 'warehouses',
  base: '/api/2.0/sql/warehouses',
  family: 'SQL warehouses',
  version: '2.0',
  tests: [
    'test/warehouses/sdk.test.ts > makes a warehouse, and waits until it runs',
    'test/warehouses/sdk.test.ts > stops, starts and edits a warehouse, and waits for it',
    'test/warehouses/sdk.test.ts > deletes a warehouse, whose name is free again',
    'test/warehouses/sdk.test.ts > lists all warehouses, or page by page',
    'test/warehouses/model.test.ts > has no state and no move but those that are documented, whatever is done',
    'test/warehouses/golden.test.ts > answers its contract',
  ],
})

const settings = `name cluster_size min_num_clusters max_num_clusters auto_stop_mins enable_photon
  enable_serverless_compute warehouse_type spot_instance_policy channel tags instance_profile_arn`.split(
  /\s+/,
)

export const warehousesOperations: readonly WorkspaceOperation[] = [
  define('list', 'GET', {
    supports: ['page_size', 'page_token'],
    limits: { maxPageSize: MAX_PER_PAGE },
    errors: ['INVALID_PARAMETER_VALUE'],
    handle: list,
  }),
  define('get', 'GET /{id}', {
    variants: ['HEALTHY', 'FAILED, after a start that failed'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED'],
    handle(context) {
      const warehouse = context.state.warehouses.observe(allowed(context, 'CAN_VIEW'))
      return describeWarehouse(warehouse, hostOf(context))
    },
  }),
  define('create', 'POST', {
    supports: settings,
    errors: ['INVALID_PARAMETER_VALUE', 'MALFORMED_REQUEST'],
    sideEffects: ['makes a warehouse, which belongs to the caller and starts'],
    handle(context) {
      const { userName } = context.state.scim.callerOf(context.credentials)
      const { id } = context.state.warehouses.create(bodyOf(context), userName)
      context.state.permissions.own({ type: 'warehouses', id }, userName)
      return { id }
    },
  }),
  define('edit', 'POST /{id}/edit', {
    supports: settings,
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_PARAMETER_VALUE', 'MALFORMED_REQUEST', 'PERMISSION_DENIED'],
    sideEffects: ['changes the settings that are given'],
    handle(context) {
      context.state.warehouses.edit(allowed(context, 'CAN_MANAGE'), bodyOf(context))
      return {}
    },
  }),
  define('delete', 'DELETE /{id}', {
    errors: ['RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED'],
    sideEffects: ['deletes a warehouse'],
    handle(context) {
      context.state.warehouses.delete(allowed(context, 'CAN_MANAGE'))
      return {}
    },
  }),
  define('start', 'POST /{id}/start', {
    variants: ['nothing to do for one that runs or starts'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_STATE', 'PERMISSION_DENIED'],
    sideEffects: ['starts a warehouse'],
    handle(context) {
      context.state.warehouses.start(allowed(context, 'CAN_USE'))
      return {}
    },
  }),
  define('stop', 'POST /{id}/stop', {
    variants: ['nothing to do for one that is stopped or stops'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_STATE', 'PERMISSION_DENIED'],
    sideEffects: ['stops a warehouse'],
    handle(context) {
      context.state.warehouses.stop(allowed(context, 'CAN_MANAGE'))
      return {}
    },
  }),
]

function list(context: WorkspaceContext): object {
  const pageSize = queryInteger(context.query, 'page_size') ?? 0
  if (pageSize < 0) throw invalid(`page_size must not be negative: ${pageSize}`)
  const { permissions, warehouses } = context.state
  const { items, ...tokens } = pageOf(context, {
    listing: oldestFirst(warehouses.ordered),
    limit: pageSize === 0 ? MAX_PER_PAGE : Math.min(pageSize, MAX_PER_PAGE),
    token: context.query.get('page_token'),
    parameters: { pageSize },
    matches: ({ id }) => permissions.allows(context, { type: 'warehouses', id }, 'CAN_VIEW'),
  })
  const host = hostOf(context)
  const next = tokens.next_page_token
  return {
    ...(items.length > 0 && { warehouses: items.map((item) => describeWarehouse(item, host)) }),
    ...(next !== undefined && { next_page_token: next }),
  }
}

function allowed(context: WorkspaceContext, level: string): string {
  const id = context.params['id'] as string
  context.state.warehouses.get(id)
  context.state.permissions.require(context, { type: 'warehouses', id }, level)
  return id
}
