import { oldestFirst, type Operation, pageOf, type Visit } from 'sim-gateway/adapter'
import { bodyOf } from '../fields.ts'
import { invalid } from '../errors.ts'
import { queryInteger } from '../fields.ts'
import { hostOf } from '../origin.ts'
import type { AccessControl, Directory } from '../part.ts'
import type { WarehousesState } from './state.ts'
import { describeWarehouse } from './warehouse.ts'

/** The share of the workspace that warehouses are about. */
export interface WarehousesSlice {
  readonly warehouses: WarehousesState
  readonly permissions: AccessControl
  readonly scim: Directory
}

type WarehousesVisit = Visit<WarehousesSlice>

const PATH = '/api/2.0/sql/warehouses'
const MOST_PER_PAGE = 1000

const common = {
  family: 'SQL warehouses',
  version: '2.0',
  support: 'exact',
  tests: [
    'test/warehouses/sdk.test.ts > makes a warehouse, and waits until it runs',
    'test/warehouses/sdk.test.ts > stops, starts and edits a warehouse, and waits for it',
    'test/warehouses/sdk.test.ts > deletes a warehouse, whose name is free again',
    'test/warehouses/sdk.test.ts > lists all warehouses, or page by page',
    'test/warehouses/model.test.ts > has no state and no move but those that are documented, whatever is done',
    'test/warehouses/golden.test.ts > answers its contract',
  ],
} as const

const settings = [
  'name',
  'cluster_size',
  'min_num_clusters',
  'max_num_clusters',
  'auto_stop_mins',
  'enable_photon',
  'enable_serverless_compute',
  'warehouse_type',
  'spot_instance_policy',
  'channel',
  'tags',
  'instance_profile_arn',
]

const docs = (name: string): string => `https://docs.databricks.com/api/workspace/warehouses/${name}`

/** The operations of SQL warehouses. */
export const warehousesOperations: readonly Operation<WarehousesSlice>[] = [
  {
    ...common,
    id: 'warehouses.list',
    method: 'GET',
    path: PATH,
    documentation: docs('list'),
    supports: ['page_size', 'page_token'],
    limits: { maxPageSize: MOST_PER_PAGE },
    errors: ['INVALID_PARAMETER_VALUE'],
    handle: list,
  },
  {
    ...common,
    id: 'warehouses.get',
    method: 'GET',
    path: `${PATH}/{id}`,
    documentation: docs('get'),
    variants: ['HEALTHY', 'FAILED, after a start that failed'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED'],
    handle(visit) {
      const warehouse = visit.state.warehouses.observe(allowed(visit, 'CAN_VIEW'))
      return describeWarehouse(warehouse, hostOf(visit))
    },
  },
  {
    ...common,
    id: 'warehouses.create',
    method: 'POST',
    path: PATH,
    documentation: docs('create'),
    supports: settings,
    errors: ['INVALID_PARAMETER_VALUE', 'MALFORMED_REQUEST'],
    sideEffects: ['makes a warehouse, which belongs to the caller and starts'],
    handle(visit) {
      const { userName } = visit.state.scim.callerOf(visit.credentials)
      const { id } = visit.state.warehouses.create(bodyOf(visit), userName)
      visit.state.permissions.own({ type: 'warehouses', id }, userName)
      return { id }
    },
  },
  {
    ...common,
    id: 'warehouses.edit',
    method: 'POST',
    path: `${PATH}/{id}/edit`,
    documentation: docs('edit'),
    supports: settings,
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_PARAMETER_VALUE', 'MALFORMED_REQUEST', 'PERMISSION_DENIED'],
    sideEffects: ['changes the settings that are given'],
    handle(visit) {
      visit.state.warehouses.edit(allowed(visit, 'CAN_MANAGE'), bodyOf(visit))
      return {}
    },
  },
  {
    ...common,
    id: 'warehouses.delete',
    method: 'DELETE',
    path: `${PATH}/{id}`,
    documentation: docs('delete'),
    errors: ['RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED'],
    sideEffects: ['deletes a warehouse'],
    handle(visit) {
      visit.state.warehouses.delete(allowed(visit, 'CAN_MANAGE'))
      return {}
    },
  },
  {
    ...common,
    id: 'warehouses.start',
    method: 'POST',
    path: `${PATH}/{id}/start`,
    documentation: docs('start'),
    variants: ['nothing to do for one that runs or starts'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_STATE', 'PERMISSION_DENIED'],
    sideEffects: ['starts a warehouse'],
    handle(visit) {
      visit.state.warehouses.start(allowed(visit, 'CAN_USE'))
      return {}
    },
  },
  {
    ...common,
    id: 'warehouses.stop',
    method: 'POST',
    path: `${PATH}/{id}/stop`,
    documentation: docs('stop'),
    variants: ['nothing to do for one that is stopped or stops'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'INVALID_STATE', 'PERMISSION_DENIED'],
    sideEffects: ['stops a warehouse'],
    handle(visit) {
      visit.state.warehouses.stop(allowed(visit, 'CAN_MANAGE'))
      return {}
    },
  },
]

function list(visit: WarehousesVisit): object {
  const pageSize = queryInteger(visit.query, 'page_size') ?? 0
  if (pageSize < 0) throw invalid(`page_size must not be negative: ${pageSize}`)
  const { permissions, warehouses } = visit.state
  const { items, ...tokens } = pageOf(visit, {
    listing: oldestFirst(warehouses.ordered),
    limit: pageSize === 0 ? MOST_PER_PAGE : Math.min(pageSize, MOST_PER_PAGE),
    token: visit.query.get('page_token'),
    parameters: { pageSize },
    matches: ({ id }) => permissions.allows(visit, { type: 'warehouses', id }, 'CAN_VIEW'),
  })
  const host = hostOf(visit)
  const next = tokens.next_page_token
  return {
    ...(items.length > 0 && { warehouses: items.map((item) => describeWarehouse(item, host)) }),
    ...(next !== undefined && { next_page_token: next }),
  }
}

function allowed(visit: WarehousesVisit, level: string): string {
  const id = visit.params['id'] as string
  visit.state.warehouses.get(id)
  visit.state.permissions.require(visit, { type: 'warehouses', id }, level)
  return id
}
