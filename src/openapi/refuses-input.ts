import { isObject, type Schema, type SchemaOrBoolean } from '../engine/schema/schema.ts'
import type { RouteDefinition } from '../engine/route.ts'
import type { InputModel } from './input-fields.ts'

/** Whether some request of a route is refused with 422: a body may be no JSON, a query may not fit its model. */
export function refusesInput(
  { method, parameters }: RouteDefinition,
  input: InputModel | undefined,
): boolean {
  if (method !== 'GET') return true
  if (input === undefined) return false
  const needsMore = [...input.fields].some(([name, { required }]) => required && !parameters.includes(name))
  const hasOtherRules = Object.keys(input.flat).some((keyword) => !isHarmless(keyword, OPEN))
  const { additionalProperties = true } = input.flat
  return (
    needsMore ||
    hasOtherRules ||
    additionalProperties !== true ||
    [...input.fields.values()].some(({ schema }) => !takesAnyText(schema))
  )
}

function takesAnyText(schema: SchemaOrBoolean): boolean {
  if (!isObject(schema)) return schema
  return (
    Object.keys(schema).every((keyword) => isHarmless(keyword, PLAIN)) &&
    (schema['type'] ?? 'string') === 'string'
  )
}

function isHarmless(keyword: string, allowed: ReadonlySet<string>): boolean {
  return allowed.has(keyword) || ANNOTATIONS.has(keyword) || keyword.startsWith('x-')
}

const ANNOTATIONS: ReadonlySet<keyof Schema> = new Set([
  ...['title', 'description', 'default', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['$id', '$anchor', '$schema', '$comment', '$defs', 'definitions', 'components'],
])
const PLAIN: ReadonlySet<string> = new Set(['type'])
const OPEN: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'additionalProperties'])
