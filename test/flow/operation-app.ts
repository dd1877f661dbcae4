import { createRoute, type Method, type RouteDefinition } from '../../src/engine/route.ts'
import type { Operation } from '../../src/engine/operation.ts'
import type { RouteOptions } from '../../src/engine/route-options.ts'
import type { Schema } from '../../src/engine/schema/schema.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { createEngine } from '../../src/simulation/engine.ts'
import { operationOf } from '../openapi/serve/reading.ts'
import { startGateway, type Served } from './kit.ts'

/** A route of an operation. */
export function described(
  method: Method,
  path: string,
  given: Partial<Operation>,
  options: RouteOptions<Schema> = {},
): RouteDefinition {
  return { ...createRoute(method, path, options), operation: operationOf(given) }
}

/** Serves routes, each of which answers with the input it read. */
export function serveInput(
  routes: readonly RouteDefinition[],
  options: Partial<GatewayOptions> = {},
): Promise<Served> {
  const answer: Engine['answer'] = (_match, _call, input) => ({ status: 200, headers: {}, body: input })
  return startGateway({ engine: { ...createEngine({ routes, seed: 1 }), answer }, ...options })
}
