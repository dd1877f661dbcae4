import { invalid } from '../errors.ts'
import type { Body } from '../fields.ts'
import { SPEC_FIELDS } from './cluster-spec.ts'

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
