import { isObject, typesOf, type Schema, type SchemaOrBoolean } from './schema.ts'

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
  const [type] = typesOf(schema)
  return (
    type ?? SPEAKING.find(([, keywords]) => keywords.some((keyword) => keyword in schema))?.[0] ?? 'string'
  )
}

const SPEAKING: readonly [string, readonly string[]][] = [
  ['object', ['properties', 'patternProperties', 'additionalProperties', 'required', 'minProperties']],
  ['object', ['maxProperties', 'propertyNames', 'dependentRequired', 'dependentSchemas']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]
