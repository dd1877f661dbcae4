import { InputInvalid, type InputIssue } from '../sim-error.ts'
import type { Call } from './call.ts'
import { createChecker, type Violation } from './model/checker.ts'
import { coerceText } from './model/coerce.ts'
import { fieldsOf } from './model/fields.ts'
import { createResolver, isObject, type Schema, type SchemaOrBoolean } from './model/schema.ts'
import { parseQuery } from './query.ts'
import type { Route } from './route.ts'

/** A request's validated input: every field its model has, with defaults filled in. */
export type Input = Readonly<Record<string, unknown>>

/**
 * Reads and validates the input of one route's requests.
 * @throws InputInvalid with an issue for each thing that does not fit
 */
export type ReadInput = (call: Call, params: Readonly<Record<string, string>>) => Input

/** Makes the reader of a route's input. GET reads the query, other methods the JSON body; path parameters join both. */
export function createInputReader(route: Route): ReadInput {
  const model = route.options.input ?? parametersModel(route.parameters)
  const resolve = createResolver(model)
  const properties = fieldsOf(model, resolve)
  const checker = createChecker(model, { defaults: true })
  const source = route.method === 'GET' ? 'query' : 'body'
  const needsBody = requiresBody(route, properties)

  const coerce = ([name, raw]: readonly [string, string | readonly string[]]): [string, unknown] => [
    name,
    coerceText(raw, properties.get(name) ?? true, resolve),
  ]
  return (call, params) => {
    const bound = Object.entries(params).filter(([name]) => properties.has(name))
    const own =
      source === 'query' ? Object.entries(parseQuery(call.search)).map(coerce) : bodyEntries(call, needsBody)
    const input: Input = Object.fromEntries([...own, ...bound.map(coerce)])

    const violations = checker.check(input)
    if (violations.length === 0) return input
    const fromPath = new Set(bound.map(([name]) => name))
    throw new InputInvalid(violations.map((violation) => issueOf(violation, input, source, fromPath)))
  }
}

// A route without an input model takes its path's parameters, as texts.
function parametersModel(parameters: readonly string[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((name) => [name, { type: 'string' }])),
  }
}

// A body is needed where the model has fields that neither the path nor an empty DELETE can give.
function requiresBody(
  { method, options, parameters }: Route,
  properties: ReadonlyMap<string, SchemaOrBoolean>,
): boolean {
  if (options.input === undefined || method === 'GET' || method === 'DELETE') return false
  return [...properties.keys()].some((name) => !parameters.includes(name))
}

function bodyEntries({ body }: Call, needsBody: boolean): [string, unknown][] {
  if (isObject(body)) return Object.entries(body)
  if (body === undefined || body === null) {
    if (!needsBody) return []
    throw new InputInvalid([
      { type: 'missing', loc: ['body'], msg: 'Field required: a JSON body', input: null },
    ])
  }
  throw new InputInvalid([{ type: 'object_type', loc: ['body'], msg: 'Value must be object', input: body }])
}

function issueOf(
  { keyword, path, message }: Violation,
  input: Input,
  source: string,
  fromPath: ReadonlySet<string>,
): InputIssue {
  const place = typeof path[0] === 'string' && fromPath.has(path[0]) ? 'path' : source
  const parent = keyword === 'required' ? path.slice(0, -1) : path
  const value = parent.reduce<unknown>(
    (at, key) => (at as Record<string | number, unknown> | undefined)?.[key],
    input,
  )
  return { type: TYPES[keyword] ?? keyword, loc: [place, ...path], msg: message, input: value ?? null }
}

/** Names that clients of this error format know; a keyword without one keeps its own name. */
const TYPES: Readonly<Record<string, string>> = {
  required: 'missing',
  type: 'type_error',
  enum: 'enum',
  const: 'literal_error',
  additionalProperties: 'extra_forbidden',
  unevaluatedProperties: 'extra_forbidden',
  minimum: 'greater_than_equal',
  exclusiveMinimum: 'greater_than',
  maximum: 'less_than_equal',
  exclusiveMaximum: 'less_than',
  minLength: 'string_too_short',
  maxLength: 'string_too_long',
  minItems: 'too_short',
  maxItems: 'too_long',
  pattern: 'string_pattern_mismatch',
  multipleOf: 'multiple_of',
}
