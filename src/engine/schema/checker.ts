import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { ModelInvalid } from '../../errors.ts'
import { createAjv, validator } from './create-ajv.ts'
import { lazy } from '../lazy.ts'
import { modelName, namesIn, type Schema, type SchemaOrBoolean, isObject } from './schema.ts'
import { readPointer } from './pointer.ts'
import { DATA_KEYWORDS, mapSubschemas, SUBSCHEMAS } from './keywords.ts'
import { createTries } from './tries.ts'

/** One way in which a value breaks its schema. */
export interface Violation {
  /** The keyword that is broken, such as `required` or `format`. */
  readonly keyword: string
  /** Where in the value: keys and indexes from its root. */
  readonly path: readonly (string | number)[]
  readonly message: string
}

const MAX_VIOLATIONS = 1000

/** Tests values against a model, or against a part of its schema (whose references still mean the whole). */
export interface Checker {
  /** The violations, up to a thousand; none when the value fits. Fills in defaults when the checker was made to. */
  check(value: unknown, part?: Schema): readonly Violation[]
  fits(value: unknown, part?: Schema): boolean
}

/**
 * A checker for a schema (JSON Schema 2020-12), compiled when it is first used.
 * @param options.defaults for input: `check` writes `default`s into the value it is given, and forgives rounding
 * @throws ModelInvalid on first use, when the schema itself is not valid
 */
export function createChecker(root: Schema, options: { readonly defaults?: boolean } = {}): Checker {
  let ajv: Ajv2020 | undefined
  const base = baseOf(root)
  const compiled = new Map<Schema, ValidateFunction>()

  const refer = createReferences(root)
  const tries = createTries(modelName(root))
  const fillingAjv = (): Ajv2020 => {
    const form = formOfModel(root, base)
    const filling = withPlainChoices(form)
    const ajv = createAjv(true, tries).addSchema(filling)
    return filling === form ? ajv : ajv.addSchema({ ...(withoutDefaults(form, base) as Schema), $id: PLAIN })
  }
  const validatorOf = (part: Schema): ValidateFunction => {
    const known = compiled.get(part)
    if (known !== undefined) return known
    try {
      ajv ??=
        options.defaults === true ? fillingAjv() : createAjv(false, tries).addSchema(formOfModel(root, base))
      const validate = ajv.compile(part === root ? { $ref: base } : formOfPart(part, base, refer))
      compiled.set(part, validate)
      return validate
    } catch (error) {
      throw new ModelInvalid(`${modelName(root)} is not a valid JSON Schema: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }
  return {
    check: (value, part = root) =>
      tries.errorsOf(validatorOf(part), value).slice(0, MAX_VIOLATIONS).map(violation),
    fits: (value, part = root) => tries.errorsOf(validatorOf(part), value).length === 0,
  }
}

let metaSchema: Ajv2020 | undefined

/** What is wrong with a schema as a schema, by the 2020-12 meta-schema; empty when nothing is. */
export function checkSchema(schema: Schema): readonly Violation[] {
  metaSchema ??= new (validator().Ajv2020)({ strict: false, logger: false, allErrors: true })
  if (metaSchema.validateSchema(formOfModel(schema)) === true) return []
  return (metaSchema.errors ?? []).map((error) => violation(error))
}

function violation({ keyword, instancePath, message, params }: ErrorObject): Violation {
  const path = readPointer(instancePath).map((key) => (/^(0|[1-9]\d*)$/.test(key) ? Number(key) : key))
  const missing: unknown = params['missingProperty']
  const extra: unknown = params['additionalProperty'] ?? params['unevaluatedProperty']
  if (typeof missing === 'string') return { keyword, path: [...path, missing], message: 'Field required' }
  if (typeof extra === 'string') return { keyword, path: [...path, extra], message: 'Unknown field' }
  const allowed: unknown = params['allowedValues'] ?? params['allowedValue']
  const suffix = allowed === undefined ? '' : `: ${JSON.stringify(allowed)}`
  return { keyword, path, message: `Value ${message ?? 'does not fit'}${suffix}` }
}

const BASE = 'sim://model/'
/** The address of the model that fills nothing in. */
const PLAIN = 'sim://model-without-defaults/'

const CHOICES = new Set(['anyOf', 'oneOf', 'not', 'if', 'contains'])

/**
 * A form in which whatever a value is only compared with fills nothing in: the defaults of a member of `anyOf` that a
 * value turns out not to be would stay in it, and make it unfit for the one that it is.
 * @returns the same form where no choice names a part
 */
function withPlainChoices(form: Schema): Schema {
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

// It has no names of its own, which are those of the other one.
function withoutDefaults(part: SchemaOrBoolean, base: string): SchemaOrBoolean {
  if (typeof part === 'boolean') return part
  const { default: _default, $id: _id, ...rest } = mapSubschemas(part, (each) => withoutDefaults(each, base))
  const { $ref: reference } = rest
  return typeof reference !== 'string' || reference.startsWith('#')
    ? rest
    : { ...rest, $ref: absolute(reference, base) }
}

/** The base address of a model by its own name: the one that a reference to that name, or to a part's, is relative to. */
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

// The validator finds few of the dynamic anchors that it should, and takes the document for all others.
function createReferences(
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
