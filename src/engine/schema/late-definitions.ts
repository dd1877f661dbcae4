import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import { ModelInvalid } from '../../errors.ts'
import { remembered } from '../lazy.ts'
import { createChoice } from './choice.ts'
import { CHOICE, createAjv, DEFINITION, type CalledDefinition } from './create-ajv.ts'
import { mapSubschemas, schemasOf } from './keywords.ts'
import { definitionIn, manyDefinitionsOf, type Definitions } from './many-definitions.ts'
import type { Schema, SchemaOrBoolean } from './schema.ts'
import { createTries, type Tries } from './tries.ts'
import { formOfModel, PLAIN, withoutDefaults, withPlainChoices } from './validator-form.ts'

/** What is wrong with a schema that cannot be compiled: one whose `$ref` leads back to it is compiled without end. */
export function whyInvalid(error: unknown): string {
  return error instanceof RangeError ? 'its $ref leads back to it' : (error as Error).message
}

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

// With fewer members, a choice is compiled in one with what it is a part of.
const MANY_MEMBERS = 8
/** The most members of an `allOf` that are compiled in one: its code is made in time to the square of their number. */
const MAX_TOGETHER = 50

function createLateDefinitions(definitions: Definitions, useDefaults: boolean): Compiling {
  const tries = createTries()
  const bodyOf = (reference: string): SchemaOrBoolean | undefined => {
    const name = definitionIn(reference.startsWith(PLAIN) ? reference.slice(PLAIN.length) : reference)
    return name !== undefined && Object.hasOwn(definitions, name) ? definitions[name] : undefined
  }
  const pieces = new Map<string, CalledDefinition>()
  const called = remembered((reference: string): CalledDefinition => {
    const piece = pieces.get(reference)
    if (piece !== undefined) return piece
    const body = bodyOf(reference)
    if (body === undefined) throw new ModelInvalid(`can't resolve reference ${reference}`)
    return late(() => compileDefinition(body, reference.startsWith(PLAIN), reference))
  })
  const ajv = createAjv(useDefaults, tries, called)
  const compileDefinition = (
    body: SchemaOrBoolean,
    isPlain: boolean,
    reference: string,
  ): ValidateFunction => {
    try {
      return ajv.compile(typeof body === 'boolean' ? body : formOf(body, isPlain))
    } catch (error) {
      const name = definitionIn(isPlain ? reference.slice(PLAIN.length) : reference)
      throw new ModelInvalid(`${name} is not a valid JSON Schema: ${whyInvalid(error)}`, {
        cause: error,
      })
    }
  }
  const formOf = (part: Schema, isPlain: boolean): SchemaOrBoolean => {
    const form = formOfModel(part)
    if (!useDefaults) return withCalls(form, '')
    return isPlain ? withCalls(withoutDefaults(form), PLAIN) : withCalls(withPlainChoices(form), '')
  }
  const withCalls = (part: SchemaOrBoolean, before: string): SchemaOrBoolean => {
    if (typeof part === 'boolean') return part
    const { allOf } = part
    const whole = isLong(allOf) ? { ...part, allOf: inPieces(allOf, before) } : part
    const { $ref: reference, ...rest } = mapSubschemas(whole, (each) => withCalls(each, before))
    const form = typeof reference === 'string' ? { ...rest, [DEFINITION]: `${before}${reference}` } : rest
    return withChoices(form, part, before)
  }
  const inPieces = (members: readonly SchemaOrBoolean[], before: string): Schema[] => {
    const size = Math.max(MAX_TOGETHER, Math.ceil(members.length / MAX_TOGETHER))
    return Array.from({ length: Math.ceil(members.length / size) }, (_, index) => {
      const allOf = members.slice(index * size, (index + 1) * size)
      const name = `${PIECE}${pieces.size}`
      pieces.set(
        name,
        late(() => ajv.compile(withCalls({ allOf }, before))),
      )
      return { [DEFINITION]: name }
    })
  }
  const withChoices = (form: Schema, part: Schema, before: string): Schema => {
    const keyword = CHOICES.find((each) => (schemasOf(part, each)?.length ?? 0) >= MANY_MEMBERS)
    if (keyword === undefined) return form
    const { [keyword]: _members, ...rest } = form
    const members = (schemasOf(part, keyword) ?? []).map((schema) => {
      const { $ref: reference, ...more } = typeof schema === 'boolean' ? {} : schema
      const isReference = typeof reference === 'string' && Object.keys(more).length === 0
      // What a value is only compared with fills nothing in.
      const own = useDefaults ? withoutDefaults(schema) : schema
      return {
        schema,
        called: isReference
          ? called(`${before}${reference}`)
          : late(() => ajv.compile(withCalls(own, before))),
      }
    })
    return { ...rest, [CHOICE]: createChoice(keyword, members, bodyOf) }
  }
  return {
    tries,
    compile({ $defs: _definitions, ...part }) {
      return ajv.compile(formOf(part, false))
    },
  }
}

/** No reference begins so. */
const PIECE = ' piece '

function isLong(members: unknown): members is readonly SchemaOrBoolean[] {
  return Array.isArray(members) && members.length > MAX_TOGETHER
}

const CHOICES = ['anyOf', 'oneOf'] as const

// Compiled when it is first called.
function late(compile: () => ValidateFunction): CalledDefinition {
  const definition: CalledDefinition = {
    validate(value: unknown, context?: DataValidationCxt) {
      const validate = compile()
      definition.validate = validate
      return validate(value, context)
    },
  }
  return definition
}
