import { Validator } from '@seriousme/openapi-schema-validator'
import { checkSchema } from '../../src/engine/schema/checker.ts'
import { isObject, type Schema } from '../../src/engine/schema/schema.ts'
import type { RouteOptions } from '../../src/engine/route-options.ts'
import { createRoute, type Method, type RouteDefinition } from '../../src/engine/route.ts'
import {
  type OpenApiDocument,
  type Operation,
  operationsIn,
  type Response,
} from '../../src/openapi/export/document.ts'
import { toOpenApi, type ApiInfo } from '../../src/openapi/export/to-openapi.ts'

const validator = new Validator()

/** Everything that keeps a document from being a valid OpenAPI 3.1 document; empty for a valid one. */
export async function problemsOf(document: OpenApiDocument): Promise<unknown[]> {
  const text = JSON.stringify(document)
  const copy = JSON.parse(text) as Record<string, unknown>
  const { valid, errors } = await validator.validate(copy)
  const lost = referencesOf(document).filter((reference) => atPointer(document, reference) === undefined)
  const schemas = schemasOf(document)
  const ids = operationsOf(document).map((each) => each.operationId)
  return [
    ...(valid ? [] : [errors]),
    ...lost.map((reference) => `${reference} is not there`),
    ...schemas.flatMap((schema) => checkSchema(schema)),
    ...(new Set(ids).size === ids.length ? [] : ['an operationId is there twice']),
    ...(JSON.stringify(withoutUndefined(document)) === text ? [] : ['it has undefined values']),
  ]
}

function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.values(paths).flatMap((item) => operationsIn(item).map(([, operation]) => operation))
}

/** A model whose type has no index signature, as those of TypeBox, as a schema. */
export function schema(model: object): Schema {
  return model as Schema
}

/** The document of one route. */
export function documentOf(
  method: Method,
  path: string,
  options: RouteOptions,
  info?: ApiInfo,
): OpenApiDocument {
  return toOpenApi([createRoute(method, path, options)], info)
}

/** The operation of one route. */
export function operationOf(
  method: Method,
  path: string,
  options: RouteOptions = {},
  info?: ApiInfo,
): Operation {
  return operationIn(documentOf(method, path, options, info), method, path)
}

/** The operation of a method and path in a document that has it. */
export function operationIn(document: OpenApiDocument, method: Method, path: string): Operation {
  const found = operationsIn(document.paths[path] ?? {}).find(([each]) => each === method)
  const operation = found?.[1]
  if (operation === undefined) throw new Error(`the document has no ${method} ${path}`)
  return operation
}

/** The responses of one route's operation. */
export function responsesOf(method: Method, path: string, options: RouteOptions = {}, info?: ApiInfo) {
  return operationOf(method, path, options, info).responses
}

/** The JSON media type of a response. */
export function bodyOf(response: Response | undefined) {
  return response?.content?.['application/json']
}

/** Routes from a short form. */
export function routes(
  ...declared: readonly (readonly [Method, string, RouteOptions?])[]
): RouteDefinition[] {
  return declared.map(([method, path, options = {}]) => createRoute(method, path, options))
}

function atPointer(document: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1)
  return keys.reduce((value, key) => (isObject(value) ? value[key] : undefined), document)
}

function referencesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesOf)
  if (!isObject(value)) return []
  const own = typeof value['$ref'] === 'string' ? [value['$ref']] : []
  return [...own, ...Object.values(value).flatMap(referencesOf)]
}

function schemasOf(document: OpenApiDocument): Schema[] {
  const operations = operationsOf(document)
  const contents = operations.flatMap(({ requestBody, responses }) => [
    requestBody?.content,
    ...Object.values(responses).map(({ content }) => content),
  ])
  const schemas: unknown[] = [
    ...Object.values(document.components?.schemas ?? {}),
    ...operations.flatMap(({ parameters = [] }) => parameters.map(({ schema }) => schema)),
    ...contents.map((content) => content?.['application/json']?.schema),
  ]
  return schemas.filter(isObject)
}

function withoutUndefined(value: unknown): unknown {
  if (value === undefined || typeof value === 'function') return 'a value that JSON lacks'
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutUndefined(each)]))
}
