import { createTextReader } from '../../engine/schema/coerce.ts'
import {
  createResolver,
  isObject,
  typesOf,
  type Schema,
  type SchemaOrBoolean,
} from '../../engine/schema/schema.ts'
import { flatten } from '../../engine/schema/merge.ts'
import { propertiesOf } from '../../engine/schema/schema.ts'
import { requiredOf } from '../../engine/schema/keywords.ts'
import type { Operation, Parameter } from '../../engine/operation.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import { kindOf } from '../files/media.ts'
import type { ExpectedInput } from './baseline.ts'
import { createComparison, type CompareValue } from './compare-value.ts'

/** What a declared route says of its requests. */
export function declaredInput(route: RouteDefinition): ExpectedInput {
  const { operation, options, method, parameters } = route
  if (operation !== undefined) return { query: queryOf(operation), body: bodyOf(operation) }
  const { input } = options
  if (input === undefined) return {}
  const own = withoutParameters(input, parameters)
  return method === 'GET' ? { query: compareTexts(own) } : { body: createComparison(own) }
}

// What comes with the path is none of the query or body.
function withoutParameters(input: Schema, parameters: readonly string[]): Schema {
  if (parameters.length === 0) return input
  const flat = flatten(input, createResolver(input))
  const fields = propertiesOf(flat)
  const isOwn = (name: string): boolean => !parameters.includes(name)
  return {
    ...Object.fromEntries(Object.entries(input).filter(([keyword]) => DEFINITIONS.has(keyword))),
    ...flat,
    properties: {
      ...Object.fromEntries(fields.filter(([name]) => isOwn(name))),
      ...Object.fromEntries(parameters.map((name) => [name, true])),
    },
    required: requiredOf(flat).filter(isOwn),
  }
}

const DEFINITIONS = new Set(['$defs', 'definitions', 'components'])

// Texts are read as what the model asks for, as they are when a request is answered.
function compareTexts(model: Schema): CompareValue {
  const resolve = createResolver(model)
  const readers = new Map(
    propertiesOf(flatten(model, resolve)).map(
      ([name, part]) => [name, createTextReader(part, resolve)] as const,
    ),
  )
  const compare = createComparison(model)
  return (query) => {
    if (!isObject(query)) return []
    const read = Object.entries(query).map(([name, text]) => [
      name,
      readers.get(name)?.(text as string | readonly string[]) ?? text,
    ])
    return compare(Object.fromEntries(read))
  }
}

function queryOf({ parameters, security }: Operation): CompareValue {
  const own = parameters.filter((parameter) => parameter.in === 'query')
  const keys = security
    .flat()
    .flatMap((scheme) => ('in' in scheme && scheme.in === 'query' ? [scheme.field] : []))
  const compare = compareTexts({
    type: 'object',
    properties: Object.fromEntries([
      ...keys.map((name): [string, SchemaOrBoolean] => [name, true]),
      ...own.map((parameter): [string, SchemaOrBoolean] => [parameter.name, modelOf(parameter)]),
    ]),
    required: own.filter(({ required, style }) => required && style !== 'deepObject').map(({ name }) => name),
    patternProperties: { '^$': true },
  })
  const deep = own.filter(({ style, explode }) => style === 'deepObject' || explode).map(({ name }) => name)
  return (query) => compare(withoutDeep(query, deep))
}

// A list or object is written in many ways; of it only the name is compared.
function modelOf({ model, mediaType }: Parameter): SchemaOrBoolean {
  const isScalar = typesOf(model).every((type) => type !== 'array' && type !== 'object')
  return isScalar && typesOf(model).length > 0 && mediaType === undefined ? model : true
}

// `filter[state]=open` is a part of the parameter `filter`.
function withoutDeep(query: unknown, names: readonly string[]): unknown {
  if (!isObject(query)) return query
  const isPart = (name: string): boolean => names.some((each) => name.startsWith(`${each}[`))
  return Object.fromEntries(Object.entries(query).filter(([name]) => !isPart(name)))
}

function bodyOf({ body }: Operation): CompareValue | undefined {
  const json = [...(body?.content ?? [])].find(([type]) => kindOf(type) === 'json')?.[1].model
  return json && createComparison(json)
}
