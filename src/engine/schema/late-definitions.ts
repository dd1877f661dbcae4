import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import { ModelInvalid } from '../../errors.ts'
import { remembered } from '../lazy.ts'
import { createAjv, DEFINITION, type CalledDefinition } from './create-ajv.ts'
import { mapSubschemas } from './keywords.ts'
import { definitionIn, manyDefinitionsOf, type Definitions } from './many-definitions.ts'
import type { Schema, SchemaOrBoolean } from './schema.ts'
import { createTries, type Tries } from './tries.ts'
import { formOfModel, PLAIN, withoutDefaults, withPlainChoices } from './validator-form.ts'

/** What compiles the parts of a model, and runs their validators. */
export interface Compiling {
  readonly tries: Tries
  /** @throws where a part is not a schema */
  compile(part: Schema): ValidateFunction
}

/**
 * Compiles the parts of large models, and each definition when a value first reaches it, once for all models that share
 * it: one of thousands that name each other in the end is compiled in seconds, of which an item reaches ten.
 * @returns nothing for a model whose validator is compiled as a whole
 */
export function lateDefinitionsOf(root: Schema, useDefaults: boolean): Compiling | undefined {
  const definitions = manyDefinitionsOf(root)
  if (definitions === undefined) return undefined
  const known = useDefaults ? FILLING : COMPARING
  const made = known.get(definitions) ?? createLateDefinitions(definitions, useDefaults)
  known.set(definitions, made)
  return made
}

const COMPARING = new WeakMap<Definitions, Compiling>()
const FILLING = new WeakMap<Definitions, Compiling>()

function createLateDefinitions(definitions: Definitions, useDefaults: boolean): Compiling {
  const tries = createTries()
  const called = remembered((reference: string): CalledDefinition => {
    const isPlain = reference.startsWith(PLAIN)
    const name = definitionIn(isPlain ? reference.slice(PLAIN.length) : reference)
    const body = name !== undefined && Object.hasOwn(definitions, name) ? definitions[name] : undefined
    if (body === undefined) throw new ModelInvalid(`can't resolve reference ${reference}`)
    const definition: CalledDefinition = {
      validate(value: unknown, context?: DataValidationCxt) {
        const validate = compileDefinition(body, isPlain, `${name}`)
        definition.validate = validate
        return validate(value, context)
      },
    }
    return definition
  })
  const ajv = createAjv(useDefaults, tries, called)
  const compileDefinition = (body: SchemaOrBoolean, isPlain: boolean, name: string): ValidateFunction => {
    try {
      return ajv.compile(typeof body === 'boolean' ? body : formOf(body, isPlain))
    } catch (error) {
      throw new ModelInvalid(`${name} is not a valid JSON Schema: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }
  const formOf = (part: Schema, isPlain: boolean): SchemaOrBoolean => {
    const form = formOfModel(part)
    if (!useDefaults) return withCalls(form, '')
    return isPlain ? withCalls(withoutDefaults(form), PLAIN) : withCalls(withPlainChoices(form), '')
  }
  return {
    tries,
    compile({ $defs: _definitions, ...part }) {
      return ajv.compile(formOf(part, false))
    },
  }
}

function withCalls(part: SchemaOrBoolean, before: string): SchemaOrBoolean {
  if (typeof part === 'boolean') return part
  const { $ref: reference, ...rest } = mapSubschemas(part, (each) => withCalls(each, before))
  return typeof reference === 'string' ? { ...rest, [DEFINITION]: `${before}${reference}` } : rest
}
