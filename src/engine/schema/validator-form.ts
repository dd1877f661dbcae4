import { isObject, LINK, type Schema } from './schema.ts'

const BASE = 'sim://model/'

/** Where a model's own name places it: the address that a reference to that name, or to a part's, is relative to. */
export function baseOf({ $id: id }: Schema): string {
  return typeof id === 'string' ? absolute(id.replace(/#.*$/, ''), BASE) : BASE
}

function absolute(reference: string, base: string): string {
  if (reference.startsWith('#')) return `${base}${reference}`
  return URL.canParse(reference, base) ? new URL(reference, base).href : base
}

/** A model as the validator takes it: tuples as 2020-12 has them, and each name once, however often it is there. */
export function formOfModel(model: Schema, base?: string): Schema {
  const names = new Set<unknown>(base === undefined ? [] : [model['$id']])
  const form = copy(model, (keyword, value) => {
    if (keyword !== '$id' || typeof value !== 'string') return [[keyword, value]]
    const isNew = !names.has(value)
    names.add(value)
    return isNew ? [[keyword, value]] : []
  })
  return base === undefined ? form : { ...form, $id: base }
}

/** A part as the validator takes it: its references mean the model at an address, and it names nothing again. */
export function formOfPart(part: Schema, base: string): Schema {
  return copy(part, (keyword, value) => {
    if (typeof value !== 'string') return [[keyword, value]]
    if (keyword === '$id' || keyword === '$anchor') return []
    return [[keyword, keyword === '$ref' ? absolute(value, base) : value]]
  })
}

type Change = (keyword: string, value: unknown) => readonly (readonly [string, unknown])[]

// Keywords whose value is no schema, and those whose value is schemas by name.
const VALUES = new Set(['const', 'enum', 'default', 'example', 'examples', LINK])
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

function copy(schema: Record<string, unknown>, change: Change): Schema {
  const entries = Object.entries(schema).flatMap(([keyword, value]) => {
    if (VALUES.has(keyword)) return [[keyword, value] as const]
    if (!NAMED.has(keyword) || !isObject(value)) return change(keyword, copyAny(value, change))
    const parts = Object.entries(value).map(([name, part]) => [name, copyAny(part, change)] as const)
    return [[keyword, Object.fromEntries(parts)] as const]
  })
  return withTuple(Object.fromEntries(entries))
}

function copyAny(value: unknown, change: Change): unknown {
  if (Array.isArray(value)) return value.map((each) => copyAny(each, change))
  return isObject(value) ? copy(value, change) : value
}

function withTuple(schema: Record<string, unknown>): Schema {
  if (!Array.isArray(schema['items'])) return schema
  const { items, additionalItems = true, ...others } = schema
  return { ...others, prefixItems: items, items: additionalItems }
}
