import { at, isJson, textOf, type Json } from './json.ts'
import { wellFormed } from './well-formed.ts'

const ONE = [
  'not',
  'if',
  'then',
  'else',
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
] as const
const MANY = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const
const NAMED = ['properties', 'patternProperties', 'dependentSchemas'] as const
/** What JSON Schema has no use for. */
const SILENT = ['discriminator', 'example', 'examples', 'externalDocs', 'nullable', 'collectionFormat']

/** Schemas of one document as JSON Schema 2020-12, made by rules of their own: sim's are what is being tested. */
export interface Schemas {
  /** The schema; other parts of the document are reached as `urn:corpus:N`. */
  convert(schema: unknown): Json | boolean
  /** The schema with all that it reaches in its own `$defs`. */
  selfContained(schema: unknown): Json
  /** What `urn:corpus:N` stands for, by N; grows as schemas are converted. */
  readonly parts: readonly (Json | boolean)[]
}

/**
 * What schemas are read for: in requests `readOnly` properties do not count, in responses `writeOnly` ones; for their
 * meaning alone all count.
 */
export type Use = 'request' | 'response' | 'meaning'

export function createSchemas(document: Json, use: Use): Schemas {
  const isOld = !/^3\.[12]/.test(textOf(document['openapi'] ?? ''))
  const numbers = new Map<string, number>()
  const parts: (Json | boolean)[] = []

  const partOf = (pointer: string): string => {
    let number = numbers.get(pointer)
    if (number === undefined) {
      number = parts.push(true) - 1
      numbers.set(pointer, number)
      parts[number] = convert(named(pointer))
    }
    return `urn:corpus:${number}`
  }

  // What leads nowhere says nothing.
  const named = (pointer: string): unknown => {
    try {
      return at(document, pointer)
    } catch {
      return true
    }
  }

  const convert = (schema: unknown): Json | boolean => {
    if (!isJson(schema)) return schema !== false
    const { $ref, ...rest } = schema
    const own = isOld && $ref !== undefined ? besideReference(rest) : convertKeywords(rest)
    return typeof $ref === 'string' ? { ...own, $ref: partOf($ref) } : own
  }

  // By the letter of the older versions nothing counts there; what authors mean by these is clear.
  const besideReference = ({ readOnly, writeOnly }: Json): Json => {
    if (use !== 'meaning') return {}
    return { ...(readOnly === true && { readOnly }), ...(writeOnly === true && { writeOnly }) }
  }

  const convertKeywords = (schema: Json): Json => {
    const result = wellFormed(schema)
    for (const word of SILENT) delete result[word]
    for (const word of ONE) if (isJson(schema[word])) result[word] = convert(schema[word])
    for (const word of MANY) {
      if (!Array.isArray(schema[word])) continue
      result[word] = schema[word].map((member) => convertMember(schema, word, member))
    }
    for (const word of NAMED) {
      if (!isJson(schema[word])) continue
      result[word] = Object.fromEntries(
        Object.entries(schema[word]).map(([name, part]) => [name, convert(part)]),
      )
    }
    if (isOld) modernize(schema, result)
    hide(schema, result)
    return use === 'meaning' && isNullComposed(schema) ? { anyOf: [result, { type: 'null' }] } : result
  }

  // What a discriminator maps values to has one of them (OpenAPI 3.0.3, Discriminator Object): else many a value that is
  // meant to be of one member is one of others as well.
  const convertMember = (schema: Json, word: string, member: unknown): Json | boolean => {
    const own = convert(member)
    const { propertyName, mapping } = isJson(schema['discriminator']) ? schema['discriminator'] : ({} as Json)
    const $ref = isJson(member) ? member['$ref'] : undefined
    if (word === 'allOf' || typeof propertyName !== 'string' || typeof $ref !== 'string') return own
    const values = Object.entries(isJson(mapping) ? mapping : {})
      .filter(([, target]) => target === $ref || `#/components/schemas/${textOf(target)}` === $ref)
      .map(([value]) => value)
    if (values.length === 0) return own
    return { allOf: [own, { properties: { [propertyName]: { enum: values } } }] }
  }

  const hide = (schema: Json, result: Json): void => {
    const hidden = { request: 'readOnly', response: 'writeOnly', meaning: '' }[use]
    const names = Object.entries(isJson(schema['properties']) ? schema['properties'] : {})
      .filter(([, property]) => isJson(property) && property[hidden] === true)
      .map(([name]) => name)
    if (!Array.isArray(schema['required'])) delete result['required']
    else result['required'] = schema['required'].filter((name) => !names.includes(textOf(name)))
    if (use === 'request') for (const name of names) delete (result['properties'] as Json)[name]
  }

  const selfContained = (schema: unknown): Json => {
    const $defs: Json = {}
    const localize = (text: string): string =>
      text.replaceAll(/"\$ref":"urn:corpus:(\d+)"/g, (_, number: string) => {
        if (!(number in $defs)) {
          $defs[number] = true
          $defs[number] = JSON.parse(localize(JSON.stringify(parts[Number(number)])))
        }
        return `"$ref":"#/$defs/${number}"`
      })
    const whole = JSON.parse(localize(JSON.stringify(convert(schema)))) as Json | boolean
    return { ...(isJson(whole) ? whole : {}), $defs }
  }

  return { convert, selfContained, parts }
}

/** OpenAPI 3.0.3 and Swagger 2.0, Schema Object: what they say otherwise than JSON Schema 2020-12. */
function modernize(schema: Json, result: Json): void {
  const {
    type,
    nullable = schema['x-nullable'],
    minimum,
    maximum,
    exclusiveMinimum,
    exclusiveMaximum,
  } = schema
  if (type === 'file') Object.assign(result, { type: 'string', format: 'binary' })
  else if (nullable === true && typeof type === 'string') result['type'] = [type, 'null']
  if (typeof exclusiveMinimum === 'boolean') delete result['exclusiveMinimum']
  if (typeof exclusiveMaximum === 'boolean') delete result['exclusiveMaximum']
  if (exclusiveMinimum === true) {
    delete result['minimum']
    result['exclusiveMinimum'] = minimum
  }
  if (exclusiveMaximum === true) {
    delete result['maximum']
    result['exclusiveMaximum'] = maximum
  }
}

// By the letter of OpenAPI 3.0.3 `nullable` without a type has no effect, and answers go by the letter. What authors
// mean by it is clear nevertheless, and OpenAPI 3.1 has words for it.
function isNullComposed({ type, nullable, allOf, anyOf, oneOf }: Json): boolean {
  return nullable === true && type === undefined && [allOf, anyOf, oneOf].some((list) => list !== undefined)
}
