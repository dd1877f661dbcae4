import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { ModelInvalid } from '../../sim-error.ts'
import { isObject, LINK, modelName, type Schema } from './schema.ts'

/** One place where a value breaks its schema. */
export interface Violation {
  /** The keyword that is broken, such as `required` or `format`. */
  readonly keyword: string
  /** Where in the value: keys and indexes from its root. */
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Tests values against a model, or against a part of its schema (whose references still mean the whole). */
export interface Checker {
  /** Every violation; none when the value fits. Fills in defaults when the checker was made to. */
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

  const validatorOf = (part: Schema): ValidateFunction => {
    const known = compiled.get(part)
    if (known !== undefined) return known
    try {
      ajv ??= createAjv(options.defaults ?? false).addSchema({
        ...nameOnce(rewrite(root) as Schema),
        $id: base,
      })
      const validate = ajv.compile(part === root ? { $ref: base } : (rewrite(part, base) as Schema))
      compiled.set(part, validate)
      return validate
    } catch (error) {
      throw new ModelInvalid(`${modelName(root)} is not a valid JSON Schema: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }
  return {
    check(value, part = root) {
      const validate = validatorOf(part)
      return validate(value) ? [] : (validate.errors ?? []).map((error) => violation(error))
    },
    fits: (value, part = root) => validatorOf(part)(value),
  }
}

const BASE = 'sim://model/'

// Where the model's own name places it: what a reference to that name, or to a part's, is relative to.
function baseOf({ $id: id }: Schema): string {
  return absolute(typeof id === 'string' ? id.replace(/#.*$/, '') : '', BASE)
}

// A model that holds a part twice has it twice under one name; the validator takes a name once.
function nameOnce(root: Schema): Schema {
  const names = new Set<string>()
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (!isObject(value)) return value
    const { $id: name, ...others } = value
    const isAgain = typeof name === 'string' && names.has(name)
    if (typeof name === 'string') names.add(name)
    return Object.fromEntries(
      Object.entries(isAgain ? others : value).map(([key, part]) => [key, visit(part)]),
    )
  }
  return visit(root) as Schema
}

function absolute(reference: string, base: string): string {
  if (reference.startsWith('#')) return `${base}${reference}`
  return URL.canParse(reference, base) ? new URL(reference, base).href : base
}

/**
 * A copy of a schema for the validator, whose tuples are written as 2020-12 has it.
 * @param base for a part of a model: its references mean the model at this address, and it names nothing again
 */
function rewrite(schema: unknown, base?: string): unknown {
  if (Array.isArray(schema)) return schema.map((each) => rewrite(each, base))
  if (!isObject(schema)) return schema
  const copies = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (VALUES.has(keyword)) return [[keyword, value]]
    if (NAMED.has(keyword) && isObject(value)) {
      const parts = Object.entries(value).map(([name, part]) => [name, rewrite(part, base)] as const)
      return [[keyword, Object.fromEntries(parts)]]
    }
    if (base === undefined || typeof value !== 'string') return [[keyword, rewrite(value, base)]]
    if (keyword === '$id' || keyword === '$anchor') return []
    return [[keyword, keyword === '$ref' ? absolute(value, base) : value]]
  })
  return withTuple(Object.fromEntries(copies))
}

// Keywords whose value is no schema, and those whose value is schemas by name.
const VALUES = new Set(['const', 'enum', 'default', 'example', 'examples', LINK])
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

function withTuple(schema: Record<string, unknown>): Schema {
  if (!Array.isArray(schema['items'])) return schema
  const { items, additionalItems = true, ...others } = schema
  return { ...others, prefixItems: items, items: additionalItems }
}

function createAjv(useDefaults: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    logger: false,
    // Models are checked against the meta-schema once, by checkSchema, and not again by each checker.
    meta: false,
    validateSchema: false,
    useDefaults,
    // Who sends 0.07 where multiples of 0.01 are asked for is right, though a division of the two is not whole.
    ...(useDefaults && { multipleOfPrecision: 6 }),
    code: { regExp: Object.assign(regExp, { code: 'new RegExp' }) },
  })
  return addFormats.default(ajv)
}

/** JSON Schema asks for Unicode expressions; many documents hold ones that only work without. */
export function regExp(pattern: string, flags = 'u'): RegExp {
  try {
    return new RegExp(pattern, flags)
  } catch {
    return new RegExp(pattern, flags.replace('u', ''))
  }
}

let metaSchema: Ajv2020 | undefined

/** What is wrong with a schema as a schema, by the 2020-12 meta-schema; empty when nothing is. */
export function checkSchema(schema: Schema): readonly Violation[] {
  metaSchema ??= new Ajv2020({ strict: false, logger: false, allErrors: true })
  if (metaSchema.validateSchema(rewrite(schema) as Schema) === true) return []
  return (metaSchema.errors ?? []).map((error) => violation(error))
}

function violation({ keyword, instancePath, message, params }: ErrorObject): Violation {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^(0|[1-9]\d*)$/.test(part) ? Number(part) : part))
  const missing: unknown = params['missingProperty']
  const extra: unknown = params['additionalProperty'] ?? params['unevaluatedProperty']
  if (typeof missing === 'string') return { keyword, path: [...path, missing], message: 'Field required' }
  if (typeof extra === 'string') return { keyword, path: [...path, extra], message: 'Unknown field' }
  const allowed: unknown = params['allowedValues'] ?? params['allowedValue']
  const suffix = allowed === undefined ? '' : `: ${JSON.stringify(allowed)}`
  return { keyword, path, message: `Value ${message ?? 'does not fit'}${suffix}` }
}
