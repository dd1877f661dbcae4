import { createRequire } from 'node:module'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import type { Ajv2020, ErrorObject, KeywordCxt, ValidateFunction } from 'ajv/dist/2020.js'
import { lazy } from '../lazy.ts'
import { canonicalText } from '../random.ts'
import type { RegExpEngine } from './tries.ts'

const require = createRequire(import.meta.url)
// An app is declared without them: the first request to one of its routes loads them.
export const validator = lazy(() => require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js'))
const references = lazy(
  () => require('ajv/dist/vocabularies/core/ref.js') as typeof import('ajv/dist/vocabularies/core/ref.js'),
)
export const formats = lazy(() => require('ajv-formats') as typeof import('ajv-formats'))

/** What the code of validators calls. */
export interface ValidatorCalls {
  readonly regExp: RegExpEngine
  /** Is called by each validator of a part when it begins. @throws where there were too many */
  readonly step: () => void
}

/** Names a definition that is compiled apart: like `$ref`, but for when it is compiled. */
export const DEFINITION = 'x-sim-definition'

/** Stands for a choice whose members are compiled apart: a function that decides on it. */
export const CHOICE = 'x-sim-choice'

/** Decides on a choice. Its errors are those of the last value that fits none. */
export interface Choose {
  (value: unknown, context?: DataValidationCxt): boolean
  errors?: Partial<ErrorObject>[]
}

/** A definition as validators call it. It may put another function there when it is called. */
export interface CalledDefinition {
  validate:
    | ValidateFunction
    | (((value: unknown, context?: DataValidationCxt) => boolean) & Pick<ValidateFunction, 'errors'>)
}

/**
 * A validator for models, which takes time in proportion to what it goes through.
 * @param useDefaults for input: it writes `default`s into the value
 * @param definition what the keyword of definitions that are compiled apart means; what is evaluated is not followed then
 */
export function createAjv(
  useDefaults: boolean,
  { regExp, step }: ValidatorCalls,
  definition?: (name: string) => CalledDefinition,
): Ajv2020 {
  const Validator = definition === undefined ? withSharedRules() : validator().Ajv2020
  const ajv = new Validator({
    allErrors: true,
    strict: false,
    // NaN and Infinity are none in JSON, and are written as null.
    strictNumbers: true,
    logger: false,
    // Models are checked against the meta-schema once, by checkSchema, and not again by each checker.
    meta: false,
    validateSchema: false,
    useDefaults,
    // Who sends 0.07 where multiples of 0.01 are wanted is right, though a division of the two is not whole.
    multipleOfPrecision: 6,
    // Code that is made shorter before it is compiled takes half as long again to compile, and runs no faster for it.
    code: { regExp, optimize: false, process: instrumented },
  })
  Object.assign(ajv, { step, join })
  if (definition === undefined) return ajv
  addOwn(ajv)
  ajv.opts.unevaluated = false
  ajv.addKeyword({
    keyword: DEFINITION,
    schemaType: 'string',
    code: (context) => call(context, definition(context.schema as string)),
  })
  ajv.addKeyword({ keyword: CHOICE, errors: 'full', compile: (choose: Choose) => choose })
  return ajv
}

// Descriptions have a validator for each of thousands of models, and all know the same keywords and formats.
const withSharedRules = lazy((): typeof Ajv2020 => {
  const { Ajv2020: Base } = validator()
  let first: Pick<Ajv2020, 'RULES' | 'formats'> | undefined
  return class extends Base {
    override _addVocabularies(): void {
      if (first === undefined) {
        super._addVocabularies()
        addOwn(this)
        const { RULES, formats: known } = this
        first = { RULES, formats: known }
      } else Object.assign(this, { RULES: first.RULES, formats: first.formats })
    }
  }
})

function addOwn(ajv: Ajv2020): void {
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: true,
    validate: isUnique,
  })
  formats().default(ajv)
}

function call(context: KeywordCxt, definition: CalledDefinition): void {
  const held = context.gen.scopeValue('wrapper', { ref: definition })
  references().callRef(context, validator()._`${held}.validate`)
}

const BEGIN = 'dynamicAnchors={}}={}){'
const JOINED = /\bvErrors\.concat\(([\w.]+\.errors)\)/g

// Each part counts a step, and errors of parts are added to those there are: to copy all each time is quadratic.
function instrumented(code: string): string {
  return code.replace(BEGIN, `${BEGIN}self.step();`).replaceAll(JOINED, 'self.join(vErrors,$1)')
}

function join(errors: ErrorObject[], more: readonly ErrorObject[]): ErrorObject[] {
  for (const error of more) errors.push(error)
  return errors
}

// By their canonical texts, not each item with each other.
const isUnique: {
  (isWanted: boolean, items: readonly unknown[]): boolean
  errors?: Partial<ErrorObject>[]
} = (isWanted, items) => {
  if (!isWanted || items.length < 2) return true
  const known = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const text = canonicalText(item)
    const other = known.get(text)
    if (other !== undefined) {
      const message = `must NOT have duplicate items (items ## ${other} and ${index} are identical)`
      isUnique.errors = [{ keyword: 'uniqueItems', params: { i: index, j: other }, message }]
      return false
    }
    known.set(text, index)
  }
  return true
}
