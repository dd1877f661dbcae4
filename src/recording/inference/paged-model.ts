import { isObject, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import type { Paging } from './paging.ts'

const NEIGHBOURS = new Set(['next', 'previous', 'first', 'last'])

/** The model of a paged answer. What speaks of pages is not bounded by the pages that were seen. */
export function pagedModel(model: Schema, { fields, field, parameters }: Paging): Schema {
  // Requests that cannot say how long a page is get pages of one length.
  const most = parameters.size === undefined ? { maxItems: parameters.usualSize } : {}
  const list = (part: Schema): Schema => {
    const { minItems: _minItems, ...rest } = part
    return { ...rest, ...most }
  }
  const sized = change(model, field === undefined ? [] : [field], list)
  return fields.reduce(
    (whole, { path, fact }) => change(whole, path, (part) => open(part, NEIGHBOURS.has(fact))),
    sized,
  )
}

/** The model of a paged route's input: what a request that does not say gets. */
export function pagedInput(input: Schema | undefined, { parameters }: Paging): Schema | undefined {
  const { at, size, style, firstPage, usualSize } = parameters
  const properties = input?.['properties']
  if (!isObject(properties)) return input
  const changed = Object.entries(properties).map(([name, model]): [string, unknown] => {
    if (name === size) return [name, { type: 'integer', minimum: 0, default: usualSize }]
    if (name !== at) return [name, model]
    if (style === 'cursor' || style === 'after') return [name, { type: 'string' }]
    const first = style === 'page' ? firstPage : 0
    return [name, { type: 'integer', minimum: first, default: first }]
  })
  const own = new Set([at, size])
  const { required, ...rest } = input ?? {}
  const needed = Array.isArray(required) ? required.filter((name) => !own.has(name as string)) : []
  return {
    ...rest,
    properties: Object.fromEntries(changed),
    ...(needed.length > 0 && { required: needed as string[] }),
  }
}

function open(part: Schema, isNeighbour: boolean): Schema {
  const { enum: _enum, maximum: _maximum, minLength: _minLength, ...rest } = part
  if (!isNeighbour) return { ...rest, ...(rest['minimum'] !== undefined && { minimum: 0 }) }
  const types = [rest['type']].flat()
  const format = rest['format'] === 'uri' ? { format: 'uri' } : {}
  if (rest['anyOf'] !== undefined || types.includes('null')) return { ...rest }
  return { type: [...(types as string[]), 'null'], ...format }
}

function change(schema: Schema, [name, ...below]: readonly string[], make: (part: Schema) => Schema): Schema {
  if (name === undefined) return make(schema)
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, SchemaOrBoolean>>
  const part = properties[name]
  return isObject(part)
    ? { ...schema, properties: { ...properties, [name]: change(part, below, make) } }
    : schema
}
