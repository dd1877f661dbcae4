import { isContradiction, type Heights } from './height.ts'
import { itemsOf, kindOf, numberOf, requiredOf, schemaOf, schemasOf } from './keywords.ts'
import { pointerTo } from './pointer.ts'
import { propertiesOf, typesOf, type Resolve, type Schema, type SchemaOrBoolean } from './schema.ts'

/** Why no finite value fits a schema: the JSON pointer of the part that is to blame, and what is wrong there. */
export function whyNothing(root: Schema, resolve: Resolve, heights: Heights): string {
  const within = new Set<Schema>()
  const isEndless = (part: SchemaOrBoolean | undefined): boolean =>
    part !== undefined && heights.of(part) === Infinity

  const explain = (schema: SchemaOrBoolean, place: string): string => {
    if (typeof schema === 'boolean') return `${place} allows nothing`
    if (within.has(schema)) return `${place} requires itself without end`
    within.add(schema)
    const { $ref: reference } = schema
    if (typeof reference === 'string' && isEndless(resolve(reference)))
      return explain(resolve(reference), reference)
    const part = partsOf(schema).find(([each]) => isEndless(each))
    const union = ['anyOf', 'oneOf'].find((keyword) => schemasOf(schema, keyword)?.every(isEndless))
    const own = contradictionOf(schema)
    if (own !== undefined) return `${place}: ${own}`
    if (part !== undefined) return explain(part[0], place + pointerTo(part[1]))
    const [first] = union === undefined ? [] : (schemasOf(schema, union) ?? [])
    if (union !== undefined && first !== undefined) return explain(first, place + pointerTo([union, '0']))
    return `${place}: what is wanted together contradicts itself`
  }
  return explain(root, '#')
}

type Part = readonly [schema: SchemaOrBoolean, keys: readonly string[]]

// The parts that every value has to fit, or has to have a value of.
function partsOf(schema: Schema): readonly Part[] {
  const properties = new Map(propertiesOf(schema))
  const { first, rest } = itemsOf(schema)
  const least = numberOf(schema, 'minItems') ?? 0
  const keyword = schemasOf(schema, 'prefixItems') === undefined ? 'items' : 'prefixItems'
  return [
    ...(schemasOf(schema, 'allOf') ?? []).map((part, index): Part => [part, ['allOf', String(index)]]),
    ...requiredOf(schema).map((name): Part => {
      const own = properties.get(name)
      if (own !== undefined) return [own, ['properties', name]]
      return [schemaOf(schema, 'additionalProperties') ?? true, ['additionalProperties']]
    }),
    ...first.slice(0, least).map((part, index): Part => [part, [keyword, String(index)]]),
    ...(least > first.length ? [[rest, ['items']] as const] : []),
  ]
}

function contradictionOf(schema: Schema): string | undefined {
  const types = typesOf(schema)
  const kinds = types.length > 0 ? types : [kindOf(schema)]
  const values = schema['enum']
  if (kinds.every((kind) => isContradiction(kind, schema))) {
    const bounds = BOUNDS.filter((keyword) => Object.hasOwn(schema, keyword))
    return `${bounds.map((keyword) => `${keyword} ${JSON.stringify(schema[keyword])}`).join(' and ')} contradict each other`
  }
  return Array.isArray(values) ? `no value of enum is of type ${types.join(' or ')}` : undefined
}

const BOUNDS = [
  ...['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'format', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'required', 'minProperties', 'maxProperties'],
]
