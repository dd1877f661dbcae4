import { lazy } from '../lazy.ts'
import { DATA_KEYWORDS, mapSubschemas, SUBSCHEMAS } from './keywords.ts'
import { isObject, namesIn, type Schema, type SchemaOrBoolean } from './schema.ts'

const BASE = 'sim://model/'
/** The address of the model that fills nothing in. */
export const PLAIN = 'sim://model-without-defaults/'

const CHOICES = new Set(['anyOf', 'oneOf', 'not', 'if', 'contains'])

/**
 * A form in which whatever a value is only compared with fills nothing in: the defaults of a member of `anyOf` that a
 * value turns out not to be would stay in it, and make it unfit for the one that it is.
 * @returns the same form where no choice names a part
 */
export function withPlainChoices(form: Schema): Schema {
  let isChanged = false
  const walk = (part: SchemaOrBoolean, isChoice: boolean): SchemaOrBoolean => {
    if (typeof part === 'boolean') return part
    const walked = mapSubschemas(part, (each, keyword) => walk(each, isChoice || CHOICES.has(keyword)))
    const { $ref: reference } = walked
    if (!isChoice || typeof reference !== 'string' || !reference.startsWith('#')) return walked
    isChanged = true
    return { ...walked, $ref: `${PLAIN}${reference}` }
  }
  const walked = walk(form, false) as Schema
  return isChanged ? walked : form
}

/** A form that fills nothing in. It has no names of its own, which are those of the other one. */
export function withoutDefaults(part: SchemaOrBoolean, base = BASE): SchemaOrBoolean {
  if (typeof part === 'boolean') return part
  const { default: _default, $id: _id, ...rest } = mapSubschemas(part, (each) => withoutDefaults(each, base))
  const { $ref: reference } = rest
  return typeof reference !== 'string' || reference.startsWith('#') || reference.startsWith(PLAIN)
    ? rest
    : { ...rest, $ref: absolute(reference, base) }
}

/** The base address of a model by its own name: the one that a reference to that name, or to a part's, is relative to. */
export function baseOf({ $id: id }: Schema): string {
  return typeof id === 'string' ? absolute(id.replace(/#[^]*$/, ''), BASE) : BASE
}

function absolute(reference: string, base: string): string {
  if (reference.startsWith('#')) return `${base}${reference}`
  return URL.canParse(reference, base) ? new URL(reference, base).href : base
}

/** A model as the validator takes it: tuples as 2020-12 has them, and each name once, however often it is there. */
export function formOfModel(model: Schema, base?: string): Schema {
  const names = new Set<unknown>(base === undefined ? [] : [model['$id']])
  const refer = createReferences(model)
  const form = copy(model, (keyword, value) => {
    if (keyword === '$dynamicRef' && typeof value === 'string') return [refer(value)]
    if (keyword !== '$id' || typeof value !== 'string') return [[keyword, value]]
    const isNew = !names.has(value)
    names.add(value)
    return isNew ? [[keyword, value]] : []
  })
  return base === undefined ? form : { ...form, $id: base }
}

/** The validator finds few of the dynamic anchors that it should, and takes the document for all others. */
export function createReferences(
  model: Schema,
  base = baseOf(model),
): (reference: string) => readonly [keyword: string, value: string] {
  const names = lazy(() => namesIn(model))
  return (reference) => {
    const found = names().staticReference(reference)
    if (found === undefined) return ['$dynamicRef', reference]
    // A name alone is one of the document, and not of the part that says it.
    return ['$ref', /^#[^/]/.test(found) ? absolute(found, base) : found]
  }
}

/** A part as the validator takes it: its references mean the model at an address, and it names nothing again. */
export function formOfPart(
  part: Schema,
  base: string,
  refer: ReturnType<typeof createReferences> = createReferences(part),
): Schema {
  return copy(part, (given, value) => {
    if (typeof value !== 'string') return [[given, value]]
    if (given === '$id' || given === '$anchor' || given === '$dynamicAnchor') return []
    const [keyword, reference] = given === '$dynamicRef' ? refer(value) : [given, value]
    return [[keyword, keyword === '$ref' ? absolute(reference, base) : reference]]
  })
}

type Change = (keyword: string, value: unknown) => readonly (readonly [string, unknown])[]

function copy(schema: Record<string, unknown>, change: Change): Schema {
  const entries = Object.entries(schema).flatMap(([keyword, value]) => {
    if (DATA_KEYWORDS.has(keyword)) return [[keyword, value] as const]
    if (SUBSCHEMAS.get(keyword) !== 'named' || !isObject(value))
      return change(keyword, copyAny(value, change))
    const parts = Object.entries(value).map(([name, part]) => [name, copyAny(part, change)] as const)
    return [[keyword, Object.fromEntries(parts)] as const]
  })
  return withBranches(withTuple(Object.fromEntries(entries)))
}

function copyAny(value: unknown, change: Change): unknown {
  if (Array.isArray(value)) return value.map((each) => copyAny(each, change))
  return isObject(value) ? copy(value, change) : value
}

// What a condition evaluates counts as evaluated, which the validator sees only beside `then` and `else`.
function withBranches(schema: Schema): Schema {
  if (schema['if'] === undefined || !isSchema(schema['if'])) return schema
  const { then: positive = ANYTHING, else: negative = ANYTHING } = schema
  return { ...schema, then: positive, else: negative }
}

const ANYTHING = { allOf: [{ not: { not: true } }] }

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isObject(value)
}

function withTuple(schema: Record<string, unknown>): Schema {
  if (!Array.isArray(schema['items'])) return schema
  const { items, additionalItems = true, ...others } = schema
  return { ...others, prefixItems: items, items: additionalItems }
}
