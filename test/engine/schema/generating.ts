import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { compileGenerator } from '../../../src/engine/schema/compile.ts'
import type { Scope } from '../../../src/engine/schema/generate.ts'
import type { Model, Schema } from '../../../src/engine/schema/schema.ts'
import { contentStream } from '../../../src/engine/random.ts'

/** A scope of an ordinary request. */
export function scopeOf(input: Scope['input'] = {}, headers: Scope['headers'] = {}): Scope {
  return { route: 'GET /x', input, headers, depth: 0 }
}

/** The first values of a model, as the items of a list have them. */
export function valuesOf<Value = unknown>(model: Model, count = 20, scope = scopeOf()): Value[] {
  const generate = compileGenerator(model as Schema)
  const items = contentStream(42, 'GET /x')
  return Array.from({ length: count }, (_, index) => generate(items.child(index), scope) as Value)
}

/** What a validator that knows nothing of the engine finds wrong with a value. */
export function createValidator(model: Model): (value: unknown) => readonly ErrorObject[] {
  const ajv = addFormats.default(new Ajv2020({ strict: false, logger: false }))
  const validate = ajv.compile(model)
  return (value) => (validate(value) ? [] : (validate.errors ?? []))
}

/** The first values of a model, which an independent validator accepts. */
export function fittingValuesOf<Value = unknown>(model: Model, count = 20): Value[] {
  const findErrors = createValidator(model)
  const values = valuesOf<Value>(model, count)
  for (const value of values) expect([value, findErrors(value)]).toEqual([value, []])
  return values
}
