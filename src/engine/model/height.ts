import { flatten } from './merge.ts'
import { isObject, propertiesOf, typesOf, type Schema, type SchemaOrBoolean } from './schema.ts'

/** How deep the smallest value of a schema is; `Infinity` where every value would be endless. */
export interface Heights {
  of(schema: SchemaOrBoolean): number
}

/** Measures schemas of one document. Results are kept for each schema object. */
export function createHeights(resolve: (reference: string) => Schema): Heights {
  const known = new Map<Schema, number>()

  // A schema met inside itself counts as endless; a finite value needs no schema twice on one path.
  const measure = (schema: SchemaOrBoolean, within: readonly Schema[]): number => {
    if (typeof schema === 'boolean') return schema ? 0 : Infinity
    const height = known.get(schema)
    if (height !== undefined) return height
    if (within.includes(schema)) return Infinity
    const path = [...within, schema]
    const reference = schema['$ref']
    const target = typeof reference === 'string' ? 1 + measure(resolve(reference), path) : 0
    const found = Math.max(target, measureOwn(flatten(schema, resolve), path))
    if (within.length === 0 || found !== Infinity) known.set(schema, found)
    return found
  }

  const measureOwn = (schema: Schema, path: readonly Schema[]): number => {
    if (Object.hasOwn(schema, 'const') || Array.isArray(schema['enum'])) return 0
    const members = (schema['anyOf'] ?? schema['oneOf']) as SchemaOrBoolean[] | undefined
    const union = members === undefined ? 0 : Math.min(...members.map((member) => measure(member, path)))
    const types = typesOf(schema)
    if (types.some((type) => type !== 'object' && type !== 'array')) return union
    return Math.max(union, types[0] === 'array' ? measureItems(schema, path) : measureFields(schema, path))
  }

  const measureFields = (schema: Schema, path: readonly Schema[]): number => {
    const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : [])
    const heights = propertiesOf(schema)
      .filter(([name]) => required.has(name))
      .map(([, property]) => 1 + measure(property, path))
    return Math.max(0, ...heights)
  }

  const measureItems = (schema: Schema, path: readonly Schema[]): number => {
    const prefix = Array.isArray(schema['prefixItems']) ? (schema['prefixItems'] as SchemaOrBoolean[]) : []
    const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : prefix.length
    const items = isObject(schema['items']) ? [schema['items']] : []
    const needed = [...prefix.slice(0, least), ...(least > prefix.length ? items : [])]
    return Math.max(0, ...needed.map((item) => 1 + measure(item, path)))
  }

  return { of: (schema) => measure(schema, []) }
}
