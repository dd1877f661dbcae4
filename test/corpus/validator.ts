import { dereference, validate as interpret } from '@cfworker/json-schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { isDeepStrictEqual } from 'node:util'
import { isJson, type Json } from './json.ts'
import type { Schemas } from './schemas.ts'
import { regExp, withUnicodePatterns } from './well-formed.ts'

/** What a value gets wrong by a schema of the document; undefined where it fits. */
export type Validate = (schema: unknown, value: unknown) => string | undefined

/** What is said of a value where no value can be right, since each member of `oneOf` says the same as another. */
const SAME = 'members of oneOf say the same'

/**
 * What is said where only a value with a field of the wrong type could be right: the members of `oneOf` name fields, and
 * neither require nor refuse any, so that what is right for one of them is for all.
 */
const LOOSE = 'members of oneOf take whatever fits one of them'

/** What is said where it is proven that no value fits a schema. */
export const NOTHING_FITS = 'no value fits it'

/** What of a value is the fault of its description, which no sensible answer could avoid. */
export const FAULTS: readonly string[] = [SAME, LOOSE, NOTHING_FITS]

/** An Ajv of its own for one document, with formats. */
export function createValidate(schemas: Schemas): Validate {
  const ajv = new Ajv2020({
    ...{ strict: false, validateSchema: false, logger: false, allErrors: false, verbose: true },
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
    if (several !== undefined) {
      const members = meaningsOf(several.schema as unknown[], schemas)
      const why = allTwins(members) ? SAME : areLoose(members) ? LOOSE : 'fits several members of oneOf'
      return `body${several.instancePath} ${why}`
    }
    return ajv.errorsText(validate.errors, { dataVar: 'body' })
  }
}

function meaningsOf(members: readonly unknown[], schemas: Schemas): readonly unknown[] {
  return members.map((member) => meaningOf(meant(member, schemas)))
}

const MAX_STEPS = 20

// What a reference leads to, and what stands alone in an allOf.
function meant(member: unknown, { parts }: Schemas): unknown {
  let found = member
  for (let step = 0; step < MAX_STEPS && isJson(found); step++) {
    const [, number] = /^urn:corpus:(\d+)$/.exec(String(found['$ref'])) ?? []
    const all = Array.isArray(found['allOf']) && Object.keys(found).length === 1 ? found['allOf'] : []
    if (number !== undefined) found = parts[Number(number)]
    else if (all.length === 1) found = all[0] as unknown
    else break
  }
  return found
}

function allTwins(members: readonly unknown[]): boolean {
  return members.every((one) => members.filter((other) => isDeepStrictEqual(one, other)).length > 1)
}

function areLoose(members: readonly unknown[]): boolean {
  const all: Json = {}
  const [first] = members
  const type = isJson(first) ? first['type'] : undefined
  return members.every((member) => {
    if (!isJson(member) || member['type'] !== type) return false
    const { type: _type, properties = {}, ...others } = member
    if (!isJson(properties) || Object.keys(others).some((word) => !word.startsWith('x-'))) return false
    return Object.entries(properties).every(([name, part]) => {
      all[name] ??= part
      return isDeepStrictEqual(all[name], part)
    })
  })
}

const NOTES = /^(title|description|default|example|examples|deprecated|readOnly|writeOnly|xml|\$comment)$/

// A schema without its notes; the properties have names of their own.
function meaningOf(schema: unknown, isNamed = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => meaningOf(each))
  if (!isJson(schema)) return schema
  const kept = Object.entries(schema).filter(([word]) => isNamed || !NOTES.test(word))
  return Object.fromEntries(
    kept.map(([word, part]) => {
      if (word === 'enum' || word === 'const') return [word, part]
      return [word, meaningOf(part, !isNamed && /^(properties|patternProperties)$/.test(word))]
    }),
  )
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
