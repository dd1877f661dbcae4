import type { FastifyInstance } from 'fastify'
import { createEngine, type EngineOptions } from '../../../src/simulation/engine.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import type {
  MediaType,
  Operation,
  Parameter,
  ResponseHeader,
  ResponseRule,
} from '../../../src/engine/operation.ts'
import { createRoute, type Method, type RouteDefinition } from '../../../src/engine/route.ts'
import { createMemoryStore } from '../../../src/state/memory-store.ts'
import { createGateway } from '../../../src/gateway.ts'

/** A body in one media type; examples by name. */
export function media(model?: Schema, examples: Record<string, unknown> = {}): MediaType {
  return { model, examples: Object.entries(examples).map(([name, value]) => ({ name, value })) }
}

/** A response; its content by media type. */
export function response(
  status: ResponseRule['status'],
  content: Record<string, MediaType> = {},
  headers: readonly ResponseHeader[] = [],
): ResponseRule {
  return { status, content: new Map(Object.entries(content)), headers }
}

/** A JSON response. */
export function json(
  status: ResponseRule['status'],
  model: Schema,
  examples: Record<string, unknown> = {},
  headers: readonly ResponseHeader[] = [],
): ResponseRule {
  return response(status, { 'application/json': media(model, examples) }, headers)
}

/** A header of a response. */
export function header(
  name: string,
  more: { readonly required?: boolean; readonly model?: Schema; readonly example?: unknown } = {},
): ResponseHeader {
  const { required = false, model = { type: 'string' }, example } = more
  const examples = example === undefined ? [] : [{ name: 'default', value: example }]
  return { name, required, model, examples }
}

/** A query parameter. */
export function query(name: string, model: Schema): Parameter {
  return { name, in: 'query', required: false, style: 'form', explode: true, model }
}

/** A path parameter. */
export function inPath(name: string, model: Schema = { type: 'string' }): Parameter {
  return { name, in: 'path', required: true, style: 'simple', explode: false, model }
}

/** A route as a description declares it. */
export function described(
  method: Method,
  path: string,
  responses: readonly ResponseRule[],
  more: Partial<Operation> & {
    readonly takes?: Schema
    readonly options?: Parameters<typeof createRoute>[2]
  } = {},
): RouteDefinition {
  const { takes, options = {}, ...rest } = more
  const route = createRoute(method, path, options)
  const operation: Operation = {
    place: `api.yaml#/paths/${path}`,
    parameters: route.parameters.map((name) => inPath(name)),
    responses,
    security: [],
    ...(takes !== undefined && {
      body: { required: false, content: new Map([['application/json', media(takes)]]) },
    }),
    ...rest,
  }
  return { ...route, operation }
}

/** A gateway that answers the given routes. */
export function gatewayOf(
  routes: readonly RouteDefinition[],
  options: Partial<EngineOptions> = {},
): FastifyInstance {
  return createGateway({ engine: createEngine({ routes, seed: 1, ...options }) })
}

/** A gateway whose resource-shaped routes are stateful. */
export function statefulGatewayOf(
  routes: readonly RouteDefinition[],
  options: Partial<EngineOptions> = {},
): FastifyInstance {
  return gatewayOf(routes, { store: createMemoryStore(), ...options })
}
