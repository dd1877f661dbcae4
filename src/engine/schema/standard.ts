import { ModelInvalid } from '../../errors.ts'
import { isObject, type Model, type Schema } from './schema.ts'
import { SUBSCHEMAS } from './keywords.ts'

/** Whether a model is used for what a client sends or for what it receives; for a library the two may differ. */
export type Role = 'input' | 'output'

/** A schema of a library that implements Standard Schema; with `jsonSchema`, Standard JSON Schema as well. */
export interface StandardModel {
  readonly '~standard': {
    readonly vendor: string
    readonly version: number
    readonly jsonSchema?: Readonly<Record<Role, (options: StandardOptions) => Record<string, unknown>>>
  }
}

interface StandardOptions {
  readonly target: string
  readonly libraryOptions?: Record<string, unknown> | undefined
}

/** Whether a model is a schema of a library that implements Standard Schema. Some of them are functions. */
export function isStandard(model: unknown): model is StandardModel {
  const holder = typeof model === 'function' || isObject(model)
  return holder && isObject((model as unknown as Record<string, unknown>)['~standard'])
}

/**
 * A model as JSON Schema: what a library says of its own schema, or the schema as it is.
 * @throws ModelInvalid when a library cannot say it, or some of its fields have no JSON
 */
export function schemaOfModel(model: Model, role: Role): Schema {
  if (!isStandard(model)) return withoutStandard(model as Schema)
  const { vendor, jsonSchema } = model['~standard']
  if (jsonSchema === undefined) throw new ModelInvalid(`a schema of ${vendor} ${ADVICE}`)
  const schema = convert(vendor, () =>
    jsonSchema[role]({ target: 'draft-2020-12', libraryOptions: markingOptions(vendor) }),
  )
  const marks = marksOf(schema)
  if (marks.length > 0) throw new ModelInvalid(marks.map((mark) => `${mark} (${vendor})`).join('; '))
  return whole(role === 'output' && vendor === 'arktype' ? (withoutSpecialUuids(schema) as Schema) : schema)
}

// To JSON Schema, a schema of a library is an object without keywords: it would stand for any value.
function withoutStandard(model: Schema): Schema {
  const seen = new Set<unknown>()
  const walk = (value: unknown, keys: readonly string[]): void => {
    if (isStandard(value)) {
      const { vendor } = value['~standard']
      throw new ModelInvalid(`${keys.join('.')}: a schema of ${vendor} cannot stand inside of a JSON Schema`)
    }
    if (value === null || typeof value !== 'object' || seen.has(value)) return
    seen.add(value)
    for (const [key, part] of Object.entries(value)) walk(part, [...keys, key])
  }
  walk(model, [])
  return model
}

const ADVICE =
  'does not describe itself in JSON Schema. Zod does from 4.2 on and ArkType from 2.1.28 on; Valibot does when it is ' +
  'wrapped by toStandardJsonSchema of @valibot/to-json-schema'

function convert(vendor: string, jsonSchema: () => Record<string, unknown>): Schema {
  try {
    return jsonSchema()
  } catch (error) {
    throw new ModelInvalid(`${(error as Error).message} (${vendor})`, { cause: error })
  }
}

/** A schema that means the same wherever it is put, as long as its definitions stay at the root. */
function whole({ $schema: _dialect, ...schema }: Schema): Schema {
  const { $ref: reference, $defs, ...others } = schema
  const [, name] = /^#\/\$defs\/([^/]+)$/.exec(typeof reference === 'string' ? reference : '') ?? []
  const named = isObject($defs) && name !== undefined ? $defs[name] : undefined
  if (isObject(named) && Object.keys(others).length === 0) return { title: name, ...named, $defs }
  if (!refersToItself(schema)) return schema
  const { title: own = 'Model' } = schema
  const key = typeof own === 'string' ? own : 'Model'
  const root = replaceRoot(
    { ...others, ...(reference !== undefined && { $ref: reference }) },
    `#/$defs/${key}`,
  ) as Schema
  return { ...root, $defs: { ...(replaceRoot($defs ?? {}, `#/$defs/${key}`) as object), [key]: root } }
}

function refersToItself(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return (value as Schema)['$ref'] === '#' || Object.values(value).some(refersToItself)
}

function replaceRoot(value: unknown, reference: string): unknown {
  if (Array.isArray(value)) return value.map((each) => replaceRoot(each, reference))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([keyword, part]) => [
      keyword,
      keyword === '$ref' && part === '#' ? reference : replaceRoot(part, reference),
    ]),
  )
}

const MARK = 'x-sim-unrepresentable'

/**
 * Options that make a library mark what it cannot say in JSON Schema where it stands, in place of an error that names
 * no field, or of silence. A library that is not known here reports it by itself.
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

// A constraint that has no keyword is left out, as these libraries do by themselves; a type that is not of JSON is an error.
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
  const walk = (value: unknown, field: readonly string[]): void => {
    if (Array.isArray(value)) return value.forEach((each) => walk(each, field))
    if (!isObject(value)) return
    const mark = value[MARK]
    if (typeof mark === 'string')
      marks.push([...(field.length > 0 ? [field.join('.')] : []), mark].join(': '))
    for (const [keyword, part] of Object.entries(value)) {
      const isNamed = SUBSCHEMAS.get(keyword) === 'named' && isObject(part)
      if (!isNamed) walk(part, field)
      else for (const [name, each] of Object.entries(part)) walk(each, [...field, name])
    }
  }
  walk(schema, [])
  return marks
}

/**
 * A schema in which UUIDs are only UUIDs. ArkType says of each that it may also be the one of zeros or the one of Fs;
 * as members of a union they would be every other answer.
 */
export function withoutSpecialUuids(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutSpecialUuids)
  if (!isObject(schema)) return schema
  const members = schema['anyOf']
  if (schema['format'] === 'uuid' && Array.isArray(members)) {
    const usual = members.filter((member) => !isObject(member) || !SPECIAL.test(String(member['const'])))
    if (usual.length === 1 && isObject(usual[0])) {
      const { anyOf: _members, ...others } = schema
      return { ...usual[0], ...others }
    }
  }
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, part]) => [keyword, withoutSpecialUuids(part)]),
  )
}

const SPECIAL = /^([0f])\1{7}-\1{4}-\1{4}-\1{4}-\1{12}$/
