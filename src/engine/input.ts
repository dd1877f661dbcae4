import { InputInvalid } from '../errors.ts'
import type { HttpRequest } from '../message.ts'
import { inputIssue } from './input-issue.ts'
import { createChecker } from './schema/checker.ts'
import { createTextReader, type ReadText } from './schema/coerce.ts'
import { fieldSchemasOf } from './schema/fields.ts'
import {
  createResolver,
  isObject,
  type Schema,
  type SchemaOrBoolean,
  setEntry,
  type Entries,
} from './schema/schema.ts'
import { createQueryReader, type TextReaders } from './query.ts'
import type { RouteDefinition } from './route.ts'

/** A request's validated input: the fields its model has, with defaults filled in. */
export type Input = Readonly<Record<string, unknown>>

/**
 * Reads and validates the input of one route's requests.
 * @throws InputInvalid with an issue for each thing that does not fit
 */
export type ReadInput = (call: HttpRequest, params: Readonly<Record<string, string>>) => Input

/** A reader that can be compiled before the first request, which would wait for it. @throws ModelInvalid */
export interface InputReader extends ReadInput {
  compile(): void
}

/** Makes the reader of a route's input. GET and HEAD read the query, other methods the body; path parameters join both. */
export function createInputReader(route: RouteDefinition): InputReader {
  const model = route.options.input ?? parametersModel(route.parameters)
  const checker = createChecker(model, { defaults: true })
  const fields = createFieldReaders(model)
  const source = readsQuery(route.method) ? 'query' : 'body'
  const readSource = createSourceReader(route, fields)

  const read = (call: HttpRequest, params: Readonly<Record<string, string>>): Input => {
    const input = readSource(call)
    for (const name in params) {
      const readText = fields.declared.get(name)
      if (readText !== undefined) setEntry(input, name, readText(params[name] ?? ''))
    }
    const violations = checker.check(input)
    if (violations.length > 0) {
      const isBound = (name: string): boolean => Object.hasOwn(params, name) && fields.declared.has(name)
      const sourceOf = (name: unknown): string =>
        typeof name === 'string' && isBound(name) ? 'path' : source
      throw new InputInvalid(
        violations.map((violation) => inputIssue(violation, input, [sourceOf(violation.path[0])])),
      )
    }
    return fields.isClosed ? input : withoutUnknown(input, fields)
  }
  return Object.assign(read, { compile: () => void checker.fits({}) })
}

/** Whether the input of a method is the query, since its requests have no body (RFC 9110, section 9.3). */
export function readsQuery(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

// A route without an input model takes its path's parameters, as texts.
function parametersModel(parameters: readonly string[]): Schema {
  const properties = Object.fromEntries(parameters.map((name) => [name, { type: 'string' }]))
  return { type: 'object', properties }
}

interface FieldReaders extends TextReaders {
  /** Whether every field that passes validation is one the model speaks of. */
  readonly isClosed: boolean
}

function createFieldReaders(model: Schema): FieldReaders {
  const resolve = createResolver(model)
  const { declared, other, isClosed } = fieldSchemasOf(model, resolve)
  const others = new Map<SchemaOrBoolean, ReadText>()
  return {
    declared: new Map([...declared].map(([name, schema]) => [name, createTextReader(schema, resolve)])),
    other(name) {
      const schema = other(name)
      const read = others.get(schema) ?? createTextReader(schema, resolve)
      others.set(schema, read)
      return read
    },
    isClosed,
  }
}

/** The input that a request gives, but for its path. */
type ReadSource = (call: HttpRequest) => Entries

function createSourceReader(route: RouteDefinition, fields: FieldReaders): ReadSource {
  if (route.options.input === undefined) return () => ({})
  if (readsQuery(route.method)) {
    const readQuery = createQueryReader(fields)
    return ({ search }) => readQuery(search)
  }
  const needsBody = requiresBody(route, [...fields.declared.keys()])
  return ({ body }) => {
    // A copy, since defaults and path parameters are added.
    if (isObject(body)) return { ...body }
    if (route.method === 'PATCH' && isJsonPatch(body)) return {}
    // A text, or what is known of bytes, has no fields of its own.
    if (body !== undefined && fields.declared.has('body')) return { body }
    if (body !== undefined && body !== null) {
      const msg = 'Value must be object'
      throw new InputInvalid([{ type: 'object_type', loc: ['body'], msg, input: body }])
    }
    if (!needsBody) return {}
    const msg = 'Field required: a JSON body'
    throw new InputInvalid([{ type: 'missing', loc: ['body'], msg, input: null }])
  }
}

/** Whether a body is a JSON Patch (RFC 6902), which names in its steps what it changes. */
export function isJsonPatch(body: unknown): body is readonly Entries[] {
  if (!Array.isArray(body) || body.length === 0) return false
  return body.every(
    (step) => isObject(step) && typeof step['op'] === 'string' && typeof step['path'] === 'string',
  )
}

// A body is needed where the model has fields that neither the path nor an empty DELETE can give.
function requiresBody({ method, parameters }: RouteDefinition, fields: readonly string[]): boolean {
  return method !== 'DELETE' && fields.some((name) => !parameters.includes(name))
}

// What a model leaves open is accepted and ignored, so that it changes no answer.
function withoutUnknown(input: Input, { declared }: FieldReaders): Input {
  for (const name in input)
    if (!declared.has(name))
      return Object.fromEntries(Object.entries(input).filter(([each]) => declared.has(each)))
  return input
}
