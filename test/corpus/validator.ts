import { dereference, validate as interpret } from '@cfworker/json-schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Json } from './json.ts'
import type { Schemas } from './schemas.ts'
import { regExp, withUnicodePatterns } from './well-formed.ts'

/** What a value gets wrong by a schema of the document; undefined where it fits. */
export type Validate = (schema: unknown, value: unknown) => string | undefined

/** An Ajv of its own for one document, with formats. */
export function createValidate(schemas: Schemas): Validate {
  const ajv = new Ajv2020({
    ...{ strict: false, validateSchema: false, logger: false, allErrors: false },
    code: { regExp: Object.assign(regExp, { code: 'new RegExp' }) },
  })
  formats.default(ajv)
  let added = 0
  const compile = remembered((schema) => {
    const converted = schemas.convert(schema)
    for (; added < schemas.parts.length; added++) {
      ajv.addSchema(schemas.parts[added] as object, `urn:corpus:${added}`)
    }
    return ajv.compile(converted)
  })
  return (schema, value) => {
    const validate = compile(schema)
    if (validate(value)) return undefined
    const several = (validate.errors ?? []).find(({ params }) => Array.isArray(params['passingSchemas']))
    if (several !== undefined) return `body${several.instancePath} fits several members of oneOf`
    return ajv.errorsText(validate.errors, { dataVar: 'body' })
  }
}

/** The same by another author's validator, which interprets schemas. */
export function createSecondValidate(schemas: Schemas): Validate {
  const lookup = Object.create(null) as ReturnType<typeof dereference>
  let added = 0
  let roots = 0
  const prepare = remembered((schema) => {
    const converted = withUnicodePatterns(schemas.convert(schema))
    for (; added < schemas.parts.length; added++)
      dereference(withUnicodePatterns(schemas.parts[added] as Json), lookup, new URL(`urn:corpus:${added}`))
    dereference(converted, lookup, new URL(`urn:root:${roots++}`))
    return converted
  })
  return (schema, value) => {
    const { valid, errors } = interpret(value, prepare(schema), '2020-12', lookup)
    if (valid) return undefined
    const { instanceLocation, error, keyword } = errors.at(-1) ?? {}
    return `body${instanceLocation?.slice(1)} ${keyword}: ${error}`
  }
}

// Schemas that are objects of the document come again and again.
function remembered<Made>(make: (schema: unknown) => Made): (schema: unknown) => Made {
  const known = new WeakMap<object, Made>()
  return (schema) => {
    if (typeof schema !== 'object' || schema === null) return make(schema)
    const made = known.get(schema) ?? make(schema)
    known.set(schema, made)
    return made
  }
}
