import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Schemas } from './schemas.ts'

/** What a value gets wrong by a schema of the document; undefined where it fits. */
export type Validate = (schema: unknown, value: unknown) => string | undefined

/** An Ajv of its own for one document, with formats. */
export function createValidate(schemas: Schemas): Validate {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, allErrors: false })
  formats.default(ajv)
  let added = 0
  const compiled = new Map<unknown, ValidateFunction>()
  const compile = (schema: unknown): ValidateFunction => {
    const converted = schemas.convert(schema)
    for (; added < schemas.parts.length; added++) {
      ajv.addSchema(schemas.parts[added] as object, `urn:corpus:${added}`)
    }
    return ajv.compile(converted)
  }
  return (schema, value) => {
    const validate = compiled.get(schema) ?? compile(schema)
    compiled.set(schema, validate)
    if (validate(value)) return undefined
    return ajv.errorsText(validate.errors, { dataVar: 'body' })
  }
}
