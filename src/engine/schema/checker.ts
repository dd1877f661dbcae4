import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { ModelInvalid } from '../../errors.ts'
import { createAjv, validator } from './create-ajv.ts'
import { lazy } from '../lazy.ts'
import { lateDefinitionsOf, whyInvalid, type Compiling } from './late-definitions.ts'
import { modelName, type Schema } from './schema.ts'
import { readPointer } from './pointer.ts'
import { createTries } from './tries.ts'
import {
  baseOf,
  createReferences,
  formOfModel,
  formOfPart,
  PLAIN,
  withoutDefaults,
  withPlainChoices,
} from './validator-form.ts'

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
  /** How many parts of the model the last value was tested against. */
  steps(): number
}

/**
 * A checker for a schema (JSON Schema 2020-12), compiled when it is first used.
 * @param options.defaults for input: `check` writes `default`s into the value it is given
 * @throws ModelInvalid on first use, when the schema itself is not valid
 */
export function createChecker(
  root: Schema,
  { defaults = false }: { readonly defaults?: boolean } = {},
): Checker {
  const compiling = lazy(() => lateDefinitionsOf(root, defaults) ?? createCompiling(root, defaults))
  const compiled = new Map<Schema, Compiled>()
  let last: Compiled | undefined

  const compile = (part: Schema): Compiled => {
    const known = compiled.get(part)
    if (known !== undefined) return known
    try {
      const create = (): Compiled => ({ tries: compiling().tries, validate: compiling().compile(part) })
      const made = part === root ? sharedOf(root, defaults, create) : create()
      compiled.set(part, made)
      return made
    } catch (error) {
      throw new ModelInvalid(`${modelName(root)} is not a valid JSON Schema: ${whyInvalid(error)}`, {
        cause: error,
      })
    }
  }
  const errorsOf = (value: unknown, part: Schema): readonly ErrorObject[] => {
    last = compile(part)
    return last.tries.errorsOf(last.validate, value, modelName(root))
  }
  return {
    check: (value, part = root) => errorsOf(value, part).slice(0, MAX_VIOLATIONS).map(violation),
    fits: (value, part = root) => errorsOf(value, part).length === 0,
    steps: () => last?.tries.steps() ?? 0,
  }
}

interface Compiled extends Pick<Compiling, 'tries'> {
  readonly validate: ValidateFunction
}

/** Small models that were compiled last, by what they say: those of thousands of operations are often the same. */
const shared = new Map<string, Compiled>()
const MAX_SHARED = 64
const LONGEST_SHARED = 2000

function sharedOf(root: Schema, defaults: boolean, create: () => Compiled): Compiled {
  const text = isSmall(root) ? JSON.stringify([defaults, root]) : ''
  if (text === '' || text.length > LONGEST_SHARED) return create()
  const known = shared.get(text)
  if (known !== undefined) return known
  const made = create()
  if (shared.size >= MAX_SHARED) shared.clear()
  shared.set(text, made)
  return made
}

const MAX_PARTS = 200

/** Whether a schema is worth a text of it: some are large, and some go in circles. */
function isSmall(root: Schema): boolean {
  let parts = 0
  const count = (value: unknown): boolean =>
    value === null ||
    typeof value !== 'object' ||
    (++parts <= MAX_PARTS && Object.values(value).every((each) => count(each)))
  return count(root)
}

function createCompiling(root: Schema, useDefaults: boolean): Compiling {
  const base = baseOf(root)
  const refer = createReferences(root)
  const tries = createTries()
  const ajvOf = lazy((): Ajv2020 => {
    const form = formOfModel(root, base)
    const create = (): Ajv2020 => {
      const ajv = createAjv(useDefaults, tries)
      // To find out whether a schema can be put in place of its name, the library goes through each list in it twice.
      if (nestsLists(form, MAX_LISTS)) ajv.opts.inlineRefs = false
      // What each of many branches evaluates is written out once more for each.
      if (!hasUnevaluated(form)) ajv.opts.unevaluated = false
      return ajv
    }
    if (!useDefaults) return create().addSchema(form)
    const filling = withPlainChoices(form)
    const ajv = create().addSchema(filling)
    return filling === form ? ajv : ajv.addSchema({ ...(withoutDefaults(form, base) as Schema), $id: PLAIN })
  })
  return {
    tries,
    compile: (part) => ajvOf().compile(part === root ? { $ref: base } : formOfPart(part, base, refer)),
  }
}

const MAX_LISTS = 10

/** Whether lists lie in each other deeper than that. */
function nestsLists(value: unknown, most: number): boolean {
  if (value === null || typeof value !== 'object') return false
  if (Array.isArray(value)) return most === 0 || value.some((each) => nestsLists(each, most - 1))
  return Object.values(value).some((each) => nestsLists(each, most))
}

/** Whether a schema says what becomes of what is not evaluated. */
function hasUnevaluated(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  if (Array.isArray(value)) return value.some(hasUnevaluated)
  return Object.entries(value).some(([key, each]) => key.startsWith('unevaluated') || hasUnevaluated(each))
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
