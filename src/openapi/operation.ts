import { isStateful, type RouteDefinition } from '../engine/route.ts'
import type { Components } from './components.ts'
import type { Operation, Server } from './document.ts'
import { inputModelOf } from './input-fields.ts'
import { summaryOf } from './operation-name.ts'
import { parametersOf } from './parameters.ts'
import { requestBodyOf } from './request-body.ts'
import { responsesOf } from './responses.ts'
import type { Hide } from './secrets.ts'
import { simOptionsOf } from './sim-options.ts'
import { storeUseOf } from './store-use.ts'

/** What the operations of one document have in common. */
export interface OperationContext {
  readonly routes: readonly RouteDefinition[]
  readonly stateful: boolean
  readonly verboseErrors: boolean
  /** Sampled success answers by route key. */
  readonly examples: ReadonlyMap<string, unknown>
  readonly components: Components
  readonly hide: Hide
}

/** The name of the security scheme of guarded routes. */
export const BEARER = 'bearerAuth'

/**
 * The operation of a route.
 * @param names the path's parameters as the document's path has them, in order
 */
export function operationOf(
  route: RouteDefinition,
  operationId: string,
  names: readonly string[],
  context: OperationContext,
): Operation {
  const { routes, stateful, verboseErrors, examples, components, hide } = context
  const { summary = summaryOf(route), description, tags = [], host } = route.options
  const input = inputModelOf(route)
  const parameters = parametersOf(route, names, input, components)
  const requestBody = requestBodyOf(route, input, components)
  const store = isStateful(route, stateful) ? storeUseOf(route, routes) : undefined
  const example = examples.get(route.key)
  const options = simOptionsOf(route.options, hide)
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    ...(tags.length > 0 && { tags }),
    ...(host !== undefined && { servers: [serverOf(host)] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: responsesOf({ route, input, store, verboseErrors, example, components, hide }),
    ...(needsToken(route) && { security: [{ [BEARER]: [] }] }),
    ...(options !== undefined && { 'x-sim-options': options }),
  }
}

// A path has no host of its own in OpenAPI; a wildcard is a variable of the server's URL.
function serverOf(host: string): Server {
  if (!host.startsWith('*.')) return { url: `https://${host}` }
  return { url: `https://{name}${host.slice(1)}`, variables: { name: { default: 'any' } } }
}

/** Whether a route is open to those with a bearer token only. */
export function needsToken({ options }: RouteDefinition): boolean {
  return (options.bearerTokens ?? []).length > 0
}
