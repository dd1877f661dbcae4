import { isObject, LINK, SAID, typesOf, type Schema, type SchemaOrBoolean } from './schema.ts'

type Holding = 'one' | 'list' | 'named'

/** The keywords that hold schemas: one, a list of them, or several by name. Before 2020-12 `items` may be a list. */
export const SUBSCHEMAS: ReadonlyMap<string, Holding> = new Map<string, Holding>([
  ...['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'contentSchema', 'items'].map(holding('one')),
  ...['additionalProperties', 'unevaluatedProperties', 'additionalItems', 'unevaluatedItems'].map(
    holding('one'),
  ),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map(holding('list')),
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependencies'].map(holding('named')),
  ...['$defs', 'definitions'].map(holding('named')),
])

function holding(held: Holding): (keyword: string) => readonly [string, Holding] {
  return (keyword) => [keyword, held]
}

/** The keywords whose value is data, however much it looks like a schema. */
export const DATA_KEYWORDS: ReadonlySet<string> = new Set([
  ...['const', 'enum', 'default', 'example', 'examples', LINK, SAID],
])

/** What is right below a schema where schemas are. */
export function subschemasOf(schema: Schema): readonly unknown[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const held = SUBSCHEMAS.get(keyword)
    if (held === undefined) return []
    if (Array.isArray(value)) return value as unknown[]
    return held === 'named' && isObject(value) ? Object.values(value) : [value]
  })
}

/** A copy of a schema in which each schema right below it is changed. */
export function mapSubschemas(
  schema: Schema,
  change: (part: SchemaOrBoolean, keyword: string) => unknown,
): Record<string, unknown> {
  const changed = (value: unknown, keyword: string): unknown =>
    isObject(value) || typeof value === 'boolean' ? change(value, keyword) : value
  const entries = Object.entries(schema).map(([keyword, value]) => {
    const held = SUBSCHEMAS.get(keyword)
    if (held === undefined) return [keyword, value] as const
    if (Array.isArray(value)) return [keyword, value.map((each) => changed(each, keyword))] as const
    if (held !== 'named' || !isObject(value)) return [keyword, changed(value, keyword)] as const
    const parts = Object.entries(value).map(([name, part]) => [name, changed(part, keyword)] as const)
    return [keyword, Object.fromEntries(parts)] as const
  })
  return Object.fromEntries(entries)
}

/** The schema under a keyword that holds one, such as `items`. */
export function schemaOf(schema: Schema, keyword: string): SchemaOrBoolean | undefined {
  const part = schema[keyword]
  return typeof part === 'boolean' || isObject(part) ? part : undefined
}

/** The schemas under a keyword that holds a list of them, such as `anyOf`; `undefined` where it is absent. */
export function schemasOf(schema: Schema, keyword: string): readonly SchemaOrBoolean[] | undefined {
  const parts = schema[keyword]
  return Array.isArray(parts) ? (parts as SchemaOrBoolean[]) : undefined
}

/** The schemas under a keyword that holds them by name, such as `patternProperties`. */
export function schemaEntriesOf(schema: Schema, keyword: string): [string, SchemaOrBoolean][] {
  const named = schema[keyword]
  return isObject(named) ? (Object.entries(named) as [string, SchemaOrBoolean][]) : []
}

/** A number under a keyword such as `minItems`. */
export function numberOf(schema: Schema, keyword: string): number | undefined {
  const value = schema[keyword]
  return typeof value === 'number' ? value : undefined
}

/** A text under a keyword such as `format`. */
export function textOf(schema: Schema, keyword: string): string | undefined {
  const value = schema[keyword]
  return typeof value === 'string' ? value : undefined
}

/** The names an object must have. */
export function requiredOf(schema: Schema): readonly string[] {
  const required = schema['required']
  return Array.isArray(required) ? (required as string[]) : []
}

/** The schemas of an array's first items, one by one, and the schema of all that follow. */
export interface Items {
  readonly first: readonly SchemaOrBoolean[]
  readonly rest: SchemaOrBoolean
}

/** The items of an array schema. Before 2020-12, and in TypeBox, a tuple is an `items` that is a list. */
export function itemsOf(schema: Schema): Items {
  const old = schemasOf(schema, 'items')
  const rest = schemaOf(schema, old === undefined ? 'items' : 'additionalItems')
  return { first: old ?? schemasOf(schema, 'prefixItems') ?? [], rest: rest ?? true }
}

/** The type a schema is about: the first it names, else the one its keywords speak of; a text without any. */
export function kindOf(schema: Schema): string {
  return typesOf(schema)[0] ?? kindByKeywords(schema) ?? 'string'
}

/** The type that a schema's keywords speak of; `undefined` where they speak of none. */
export function kindByKeywords(schema: Schema): string | undefined {
  return SPEAKING.find(([, keywords]) => keywords.some((keyword) => keyword in schema))?.[0]
}

const SPEAKING: readonly [string, readonly string[]][] = [
  ['object', ['properties', 'patternProperties', 'additionalProperties', 'required', 'minProperties']],
  ['object', ['maxProperties', 'propertyNames', 'dependentRequired', 'dependentSchemas']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format']],
]
