import { objectOf, objectsOf, type ReportProblem, type Sequenced } from 'sim-gateway/adapter'
import { invalid } from '../errors.ts'
import {
  type Body,
  optionalBoolean,
  optionalInteger,
  optionalObject,
  optionalObjects,
  optionalText,
} from '../fields.ts'
import type { WorkspaceFixture } from '../part.ts'

/** What clients choose about a warehouse. */
export interface WarehouseSettings {
  readonly name: string
  readonly cluster_size: string
  readonly min_num_clusters: number
  readonly max_num_clusters: number
  readonly auto_stop_mins: number
  readonly enable_photon: boolean
  readonly enable_serverless_compute: boolean
  readonly warehouse_type: string
  readonly spot_instance_policy: string
  readonly channel?: Body
  readonly tags?: Body
  readonly instance_profile_arn?: string
}

const CLUSTER_SIZES = '2X-Small X-Small Small Medium Large X-Large 2X-Large 3X-Large 4X-Large 5X-Large'.split(
  ' ',
)
const WAREHOUSE_TYPES = ['CLASSIC', 'PRO', 'REALTIME', 'REYDEN', 'TYPE_UNSPECIFIED']
const SPOT_POLICIES = ['COST_OPTIMIZED', 'RELIABILITY_OPTIMIZED', 'POLICY_UNSPECIFIED']

export const settingsProperties = {
  name: { type: 'string', minLength: 1, maxLength: 99, description: 'Unique.' },
  cluster_size: { enum: CLUSTER_SIZES },
  min_num_clusters: { type: 'integer', minimum: 1, maximum: 30 },
  max_num_clusters: { type: 'integer', minimum: 1, maximum: 40 },
  auto_stop_mins: { type: 'integer', minimum: 0 },
  enable_photon: { type: 'boolean' },
  enable_serverless_compute: { type: 'boolean' },
  warehouse_type: { enum: WAREHOUSE_TYPES },
  spot_instance_policy: { enum: SPOT_POLICIES },
  channel: { type: 'object' },
  tags: { type: 'object' },
  instance_profile_arn: { type: 'string' },
}

/** The settings of a request, with those of `before` or the usual ones where it is silent. */
export function readSettings(body: Body, before?: WarehouseSettings): WarehouseSettings {
  const name = optionalText(body, 'name') ?? before?.name ?? ''
  if (name === '') throw invalid('Missing required field: name')
  if (name.length >= 100) throw invalid('The name of a SQL warehouse must have less than 100 characters.')
  const size = optionalText(body, 'cluster_size') ?? before?.cluster_size ?? 'Small'
  const least = optionalInteger(body, 'min_num_clusters') ?? before?.min_num_clusters ?? 1
  const most = optionalInteger(body, 'max_num_clusters') ?? Math.max(before?.max_num_clusters ?? least, least)
  const autoStop = optionalInteger(body, 'auto_stop_mins') ?? before?.auto_stop_mins ?? 120
  const type = optionalText(body, 'warehouse_type') ?? before?.warehouse_type ?? 'CLASSIC'
  const spot = optionalText(body, 'spot_instance_policy') ?? before?.spot_instance_policy ?? 'COST_OPTIMIZED'
  requireOneOf('cluster_size', size, CLUSTER_SIZES)
  requireOneOf('warehouse_type', type, WAREHOUSE_TYPES)
  requireOneOf('spot_instance_policy', spot, SPOT_POLICIES)
  if (least < 1 || least > 30) throw invalid(`min_num_clusters must be from 1 to 30, not ${least}.`)
  if (most < least || most > 40)
    throw invalid(`max_num_clusters must be from min_num_clusters (${least}) to 40, not ${most}.`)
  if (autoStop !== 0 && autoStop < 10)
    throw invalid(`auto_stop_mins must be 0 or at least 10, not ${autoStop}.`)
  return {
    name,
    cluster_size: size,
    min_num_clusters: least,
    max_num_clusters: most,
    auto_stop_mins: autoStop,
    enable_photon: optionalBoolean(body, 'enable_photon') ?? before?.enable_photon ?? true,
    enable_serverless_compute:
      optionalBoolean(body, 'enable_serverless_compute') ?? before?.enable_serverless_compute ?? false,
    warehouse_type: type,
    spot_instance_policy: spot,
    ...readObjects(body, before),
  }
}

function readObjects(body: Body, before?: WarehouseSettings): Partial<WarehouseSettings> {
  const channel = optionalObject(body, 'channel') ?? before?.channel
  const tags = optionalObject(body, 'tags') ?? before?.tags
  const profile = optionalText(body, 'instance_profile_arn') ?? before?.instance_profile_arn
  if (tags !== undefined && (optionalObjects(tags, 'custom_tags') ?? []).length >= 45)
    throw invalid('A SQL warehouse must have less than 45 tags.')
  return {
    ...(channel && { channel }),
    ...(tags && { tags }),
    ...(profile !== undefined && { instance_profile_arn: profile }),
  }
}

function requireOneOf(name: string, value: string, values: readonly string[]): void {
  if (!values.includes(value)) throw invalid(`${name} must be one of ${values.join(', ')}.`)
}

/** Where a warehouse stands. One that is deleted is gone. */
export type WarehouseStateName = 'STARTING' | 'RUNNING' | 'STOPPING' | 'STOPPED' | 'DELETING'

/** Why a warehouse cannot start, as a fixture declares it. */
export interface StartFailure {
  readonly summary: string
  readonly details?: string
  readonly reason?: {
    readonly code: string
    readonly type?: string
    readonly parameters?: Readonly<Record<string, string>>
  }
  /** How many starts fail before one succeeds. Default: all. */
  readonly times?: number
}

export interface Warehouse extends Sequenced {
  readonly id: string
  readonly creatorName: string
  settings: WarehouseSettings
  state: WarehouseStateName
  readonly startFailure?: StartFailure
  failedStarts: number
  /** Whether the last start failed. */
  isBroken: boolean
}

/** A warehouse as answered. Clients read `health.summary`, so `health` is always there. */
export function describeWarehouse(warehouse: Warehouse, host: string): object {
  const { id, settings, creatorName, state } = warehouse
  const { name, ...rest } = settings
  const path = `/sql/1.0/warehouses/${id}`
  return {
    id,
    name,
    ...rest,
    creator_name: creatorName,
    state,
    num_clusters: state === 'RUNNING' ? settings.min_num_clusters : 0,
    num_active_sessions: 0,
    jdbc_url: `jdbc:spark://${host}:443/default;transportMode=http;ssl=1;AuthMech=3;httpPath=${path};`,
    odbc_params: { hostname: host, path, protocol: 'https', port: 443 },
    health: healthOf(warehouse),
  }
}

function healthOf({ isBroken, startFailure }: Warehouse): object {
  if (!isBroken || startFailure === undefined) return { status: 'HEALTHY' }
  const { summary, details, reason } = startFailure
  return {
    status: 'FAILED',
    summary,
    message: summary,
    ...(details !== undefined && { details }),
    ...(reason && { failure_reason: reason }),
  }
}

export interface FixtureWarehouse extends Partial<WarehouseSettings> {
  readonly id?: string
  readonly name: string
  readonly state?: 'STARTING' | 'RUNNING' | 'STOPPED'
  readonly creator_name?: string
  readonly startFailure?: StartFailure
}

export const warehousesSchema = objectsOf(['name'], {
  ...settingsProperties,
  id: { type: 'string', minLength: 1, description: 'Unique. Default: made from the seed.' },
  state: { enum: ['STARTING', 'RUNNING', 'STOPPED'], description: 'Default: STOPPED.' },
  creator_name: { type: 'string', description: 'Default: the default user.' },
  startFailure: objectOf(
    ['summary'],
    {
      summary: { type: 'string' },
      details: { type: 'string' },
      reason: objectOf(['code'], {
        code: { type: 'string' },
        type: { enum: ['SUCCESS', 'CLIENT_ERROR', 'CLOUD_FAILURE', 'SERVICE_FAULT'] },
        parameters: { type: 'object', additionalProperties: { type: 'string' } },
      }),
      times: { type: 'integer', minimum: 1, description: 'How many starts fail. Default: all.' },
    },
    { description: 'Makes its starts fail.' },
  ),
})

export function fixtureWarehouses(fixture: WorkspaceFixture): readonly FixtureWarehouse[] {
  return (fixture['warehouses'] ?? []) as readonly FixtureWarehouse[]
}

/** Reports warehouses that share a name or id, and settings that cannot be. */
export function checkWarehouses(fixture: WorkspaceFixture, report: ReportProblem): void {
  const [names, ids] = [new Set<string>(), new Set<string>()]
  for (const [index, warehouse] of fixtureWarehouses(fixture).entries()) {
    const {
      id,
      name,
      min_num_clusters: least = 1,
      max_num_clusters: most = least,
      auto_stop_mins: stop = 0,
    } = warehouse
    if (names.has(name)) report(['warehouses', index, 'name'], `must not be declared twice: ${name}`)
    if (id !== undefined && ids.has(id))
      report(['warehouses', index, 'id'], `must not be declared twice: ${id}`)
    if (most < least)
      report(['warehouses', index, 'max_num_clusters'], `must be at least min_num_clusters, ${least}`)
    if (stop > 0 && stop < 10) report(['warehouses', index, 'auto_stop_mins'], 'must be 0 or at least 10')
    names.add(name)
    if (id !== undefined) ids.add(id)
  }
}
