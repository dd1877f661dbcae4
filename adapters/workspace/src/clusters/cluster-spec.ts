import { invalid } from '../errors.ts'
import {
  type Body,
  optionalBoolean,
  optionalInteger,
  optionalList,
  optionalObject,
  optionalText,
  requiredText,
} from '../fields.ts'
import { ZONES } from './node-types.ts'

/** The create fields that are kept; others are nobody's business. */
export const SPEC_FIELDS =
  `apply_policy_default_values autoscale autotermination_minutes aws_attributes azure_attributes
  cluster_log_conf cluster_name custom_tags data_security_mode docker_image driver_instance_pool_id
  driver_node_type_id enable_elastic_disk enable_local_disk_encryption gcp_attributes init_scripts
  instance_pool_id is_single_node kind node_type_id num_workers policy_id remote_disk_throughput
  runtime_engine single_user_name spark_conf spark_env_vars spark_version ssh_public_keys
  total_initial_remote_disk_size use_ml_runtime workload_type`.split(/\s+/)

const TEXTS = `spark_version cluster_name node_type_id driver_node_type_id instance_pool_id policy_id
  single_user_name data_security_mode runtime_engine kind`.split(/\s+/)
const OBJECTS =
  `autoscale spark_conf spark_env_vars custom_tags aws_attributes azure_attributes gcp_attributes
  cluster_log_conf docker_image workload_type`.split(/\s+/)
const NUMBERS: ReadonlySet<string> = new Set(['num_workers', 'autotermination_minutes'])
const MAX_WORKERS = 10_000
const LISTS = ['init_scripts', 'ssh_public_keys']
const MAX_TAGS = 45
const MAX_KEYS = 10

/** The create fields of a body, as they were sent. @throws AdapterFault for values that no cluster can have */
export function readSpec(body: Body): Body {
  requiredText(body, 'spark_version')
  checkSize(body)
  checkAutotermination(body)
  if (Object.keys(optionalObject(body, 'custom_tags') ?? {}).length > MAX_TAGS)
    throw invalid(`At most ${MAX_TAGS} custom tags can be set.`)
  if ((optionalList(body, 'ssh_public_keys') ?? []).length > MAX_KEYS)
    throw invalid(`At most ${MAX_KEYS} SSH public keys can be set.`)
  return pickSpec(body)
}

/** Checks that create fields have their types, without regard to what must be there. */
export function checkSpecTypes(body: Body): void {
  for (const name of TEXTS) optionalText(body, name)
  for (const name of OBJECTS) optionalObject(body, name)
  const autoscale = optionalObject(body, 'autoscale') ?? {}
  const sizes = [
    [body, 'num_workers'],
    [autoscale, 'min_workers'],
    [autoscale, 'max_workers'],
  ] as const
  for (const [holder, name] of sizes)
    if ((optionalInteger(holder, name) ?? 0) > MAX_WORKERS)
      throw invalid(`${name} must be at most ${MAX_WORKERS}.`)
  optionalInteger(body, 'autotermination_minutes')
  for (const name of LISTS) optionalList(body, name)
}

/** The create fields of an object that has others too. */
export function pickSpec(body: Body): Body {
  const given = SPEC_FIELDS.filter((name) => body[name] != null)
  // Whole numbers may be sent as texts, but are numbers when they are read.
  return Object.fromEntries(given.map((name) => [name, NUMBERS.has(name) ? Number(body[name]) : body[name]]))
}

/** Checks `num_workers` or `autoscale`, whichever says how large a cluster is. */
export function checkSize(body: Body): void {
  checkSpecTypes(body)
  const workers = optionalInteger(body, 'num_workers')
  const autoscale = optionalObject(body, 'autoscale')
  if (workers !== undefined && workers < 0) throw invalid('num_workers must be 0 or more.')
  if (autoscale === undefined) {
    if (workers === undefined && optionalBoolean(body, 'is_single_node') !== true)
      throw invalid('Missing required field: num_workers or autoscale')
    return
  }
  if (workers !== undefined && workers > 0) throw invalid('Only one of num_workers and autoscale can be set.')
  const [least = 0, most = 0] = [
    optionalInteger(autoscale, 'min_workers'),
    optionalInteger(autoscale, 'max_workers'),
  ]
  if (least < 0 || most < least)
    throw invalid('autoscale.max_workers must not be less than autoscale.min_workers.')
}

function checkAutotermination(body: Body): void {
  const minutes = optionalInteger(body, 'autotermination_minutes') ?? 0
  if (minutes !== 0 && (minutes < 10 || minutes > 10_000))
    throw invalid('autotermination_minutes must be 0, or between 10 and 10000.')
}

/** What the service makes of the create fields. */
export function completeSpec(requested: Body, cloud: string, userName: string): Body {
  const { apply_policy_default_values: _onlyInSpec, ...fields } = requested
  const nodeType = fields['node_type_id']
  return {
    cluster_name: '',
    autotermination_minutes: 0,
    enable_elastic_disk: false,
    enable_local_disk_encryption: false,
    ...(fields['autoscale'] === undefined && { num_workers: 0 }),
    ...(nodeType !== undefined && { driver_node_type_id: nodeType }),
    ...(fields['data_security_mode'] === 'SINGLE_USER' && { single_user_name: userName }),
    ...fields,
    ...cloudAttributes(fields, cloud),
  }
}

function cloudAttributes(fields: Body, cloud: string): Body {
  const zone = ZONES[cloud]?.[0]
  const given = (name: string): Body => (fields[name] as Body | undefined) ?? {}
  if (cloud === 'azure')
    return { azure_attributes: { availability: 'ON_DEMAND_AZURE', ...given('azure_attributes') } }
  if (cloud === 'gcp')
    return { gcp_attributes: { availability: 'ON_DEMAND_GCP', zone_id: zone, ...given('gcp_attributes') } }
  return { aws_attributes: { availability: 'SPOT_WITH_FALLBACK', zone_id: zone, ...given('aws_attributes') } }
}

const FIELDS: readonly string[] = SPEC_FIELDS

/**
 * A specification with the fields of a mask taken from another: `*` for all, or names such as `num_workers` and
 * `aws_attributes.zone_id`, separated by commas. A masked field that the other does not have is removed.
 */
export function maskedSpec(spec: Body, changes: Body, mask: string): Body {
  if (mask.trim() === '*') return changes
  const result = structuredClone(spec) as Record<string, unknown>
  const names = mask.split(',').map((name) => name.trim())
  for (const name of names) {
    if (!FIELDS.includes(name.split('.')[0] ?? ''))
      throw invalid(`update_mask names the unknown field '${name}'.`)
    copy(result, changes, name.split('.'))
  }
  const isNamed = (field: string): boolean => names.some((name) => name.split('.')[0] === field)
  // A cluster has one kind of size: naming one gives up the other.
  if (isNamed('num_workers') && !isNamed('autoscale')) delete result['autoscale']
  if (isNamed('autoscale') && !isNamed('num_workers')) delete result['num_workers']
  return result
}

function copy(target: Record<string, unknown>, source: Body, [name = '', ...rest]: readonly string[]): void {
  const value = source[name] ?? undefined
  if (rest.length > 0) {
    const inner = { ...(target[name] as Body | undefined) }
    copy(inner, (value as Body | undefined) ?? {}, rest)
    target[name] = inner
  } else if (value === undefined) delete target[name]
  else target[name] = value
}
