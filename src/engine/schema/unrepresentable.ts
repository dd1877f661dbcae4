import { isObject, type Schema } from './schema.ts'

const MARK = 'x-sim-unrepresentable'

/**
 * Options that make a library mark what it cannot say in JSON Schema where it stands, in place of an error that names
 * no field, or of silence. A library that is not known here tells in its own way.
 */
export function markingOptions(vendor: string): Record<string, unknown> | undefined {
  return Object.hasOwn(OPTIONS, vendor) ? OPTIONS[vendor] : undefined
}

interface ZodContext {
  readonly message: string
}
interface ValibotContext {
  readonly jsonSchema: Schema
  readonly errors?: readonly string[]
  readonly valibotAction?: { readonly type: string }
}
interface ArkContext {
  readonly code: string
  readonly base: Schema
  readonly proto?: { readonly name?: string }
  readonly domain?: string
}

// A constraint that has no keyword is left out, as these libraries do by themselves; a type that is no JSON is not.
const CHANGES_TYPE =
  /^(to_(bigint|boolean|date|number|string)|.*transform|parse_json|find_item|reduce_items)$/

const OPTIONS: Readonly<Record<string, Record<string, unknown>>> = {
  zod: { unrepresentable: ({ message }: ZodContext) => ({ [MARK]: message }) },
  valibot: {
    errorMode: 'ignore',
    overrideSchema: ({ jsonSchema, errors }: ValibotContext) => marked(jsonSchema, errors),
    overrideAction: ({ jsonSchema, errors, valibotAction }: ValibotContext) =>
      CHANGES_TYPE.test(valibotAction?.type ?? '') ? marked(jsonSchema, errors) : jsonSchema,
  },
  arktype: {
    fallback: Object.fromEntries([
      ...['date', 'domain', 'proto', 'symbolKey', 'unit'].map((code) => [code, markArk] as const),
      ...['arrayObject', 'morph', 'patternIntersection', 'predicate'].map((code) => [code, keep] as const),
    ]),
  },
}

function marked(schema: Schema, errors: readonly string[] = []): Schema {
  return errors.length === 0 ? schema : { ...schema, [MARK]: errors.join(' ') }
}

function keep({ base }: ArkContext): Schema {
  return base
}

function markArk({ code, base, proto, domain }: ArkContext): Schema {
  const type = proto?.name ?? domain ?? code
  return { ...base, [MARK]: `${type} cannot be represented in JSON Schema` }
}

/** What a schema was marked with, each with the field it stands at. */
export function marksOf(schema: Schema): readonly string[] {
  const marks: string[] = []
  const visit = (value: unknown, field: readonly string[]): void => {
    if (Array.isArray(value)) return value.forEach((each) => visit(each, field))
    if (!isObject(value)) return
    const mark = value[MARK]
    if (typeof mark === 'string')
      marks.push([...(field.length > 0 ? [field.join('.')] : []), mark].join(': '))
    for (const [keyword, part] of Object.entries(value)) {
      const isNamed = (keyword === 'properties' || keyword === '$defs') && isObject(part)
      if (!isNamed) visit(part, field)
      else for (const [name, each] of Object.entries(part)) visit(each, [...field, name])
    }
  }
  visit(schema, [])
  return marks
}
