import { isObject } from '../../../engine/schema/schema.ts'
import type { Item } from '../../calls/objects.ts'
import type { Entities } from './entities.ts'
import type { Reason } from './refusal.ts'
import { etagOf, type ODataRequest } from './request.ts'
import { type EntitySet, keyOf } from './service.ts'

/** What some services refuse of what others accept. */
interface Violation {
  /** What a service that refuses it checks. */
  readonly check: string
  readonly reason: Reason
  readonly values: Readonly<Record<string, string>>
}

/**
 * What may be refused of a request that writes an entity.
 * @param item the entity as it is; absent where it is made
 */
export function violationsOf(
  entities: Entities,
  set: string,
  { method, body, headers }: Pick<ODataRequest, 'method' | 'body' | 'headers'>,
  item: Item | undefined,
): readonly Violation[] {
  const own = entities.setOf(set)
  const found: Violation[] = []
  const key = item === undefined ? '' : (keyOf(own, item) ?? '')
  if (item !== undefined && etagOf(item) !== undefined && headers['if-match'] === undefined)
    found.push({ check: 'unconditional', reason: 'unconditional', values: { set, key } })
  if (!isObject(body) || method === 'DELETE') return found
  for (const property of missingProperties(own, body, method === 'PATCH'))
    found.push({ check: `required ${set}.${property}`, reason: 'required', values: { set, property } })
  for (const [name, value] of Object.entries(body)) {
    const property = name.split('@')[0] ?? ''
    if (property === '') continue
    if (
      own.types !== undefined &&
      own.isOpen !== true &&
      !(property in own.types) &&
      own.links[property] === undefined
    )
      found.push({ check: 'unknown', reason: 'unknown', values: { set, property } })
    const type = own.types?.[property] ?? ''
    if (name === property && !isOfType(value, type))
      found.push({ check: 'type', reason: 'type', values: { set, property, type, text: String(value) } })
  }
  return found
}

function missingProperties(
  { required = [], keys, properties, types }: EntitySet,
  body: Item,
  isPart: boolean,
): readonly string[] {
  const all = [...required, ...Object.keys(types ?? properties)]
  return [...new Set(all)].filter((name) => {
    const isEmpty = body[name] === null || body[name] === ''
    return !keys.includes(name) && (isPart ? isEmpty : isEmpty || body[name] === undefined)
  })
}

function isOfType(value: unknown, type: string): boolean {
  if (value === null || value === undefined) return true
  if (/^(Byte|SByte|Int16|Int32|Int64|Single|Double|Decimal)$/.test(type))
    return typeof value === 'number' || (/^(Int64|Decimal)$/.test(type) && !Number.isNaN(Number(value)))
  if (type === 'Boolean') return typeof value === 'boolean'
  if (/^(String|Guid|Date|DateTimeOffset|TimeOfDay|Duration)$/.test(type)) return typeof value === 'string'
  return true
}
