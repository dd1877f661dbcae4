import { invalid } from '../errors.ts'
import {
  optionalBoolean,
  optionalInteger,
  optionalObject,
  optionalObjects,
  optionalText,
  type Body,
} from '../fields.ts'

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

const CLUSTER_SIZES = [
  '2X-Small',
  'X-Small',
  'Small',
  'Medium',
  'Large',
  'X-Large',
  '2X-Large',
  '3X-Large',
  '4X-Large',
  '5X-Large',
]
const WAREHOUSE_TYPES = ['CLASSIC', 'PRO', 'REALTIME', 'REYDEN', 'TYPE_UNSPECIFIED']
const SPOT_POLICIES = ['COST_OPTIMIZED', 'RELIABILITY_OPTIMIZED', 'POLICY_UNSPECIFIED']

/** JSON Schema of the settings in a fixture. */
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
