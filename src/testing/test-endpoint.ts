import type { FastifyInstance } from 'fastify'
import { SimAPI } from '../api.ts'
import type { Model } from '../engine/schema/schema.ts'
import { schemaOfModel } from '../engine/schema/standard.ts'
import { createRoute, type Method, type RouteDefinition } from '../engine/route.ts'
import { OptionInvalid } from '../errors.ts'
import { createClient } from './client.ts'
import { checkEndpoint } from './endpoint/check-endpoint.ts'
import {
  type Endpoint,
  type Invariant,
  type RunOptions,
  type Sender,
  describeRoute,
} from './endpoint/endpoint.ts'

/** The endpoint of a test, and what must hold for its answers. */
export interface EndpointTest extends RunOptions {
  /** The method and path template, such as `/users/{id}`; of a SimAPI's route, its models are known. */
  readonly method?: Method
  readonly path?: string
  /** The route, in place of method, path and models. */
  readonly route?: RouteDefinition
  /** The model that inputs are drawn from. */
  readonly input?: Model
  /** The model that the body of a success must fit. */
  readonly output?: Model
  /** Fixed values for path parameters. Others come from the input, or are drawn. */
  readonly pathParams?: Readonly<Record<string, string | number>>
  readonly headers?: Readonly<Record<string, string>>
  /** The statuses that answers should have. Default: that of the route, or any from 200 to 299. */
  readonly statuses?: readonly number[]
  /** What must hold for every answer that has such a status, by its name in messages. */
  readonly invariants?: Readonly<Record<string, Invariant>>
}

/**
 * Sends inputs drawn from a model to an endpoint and checks the status, the model and the invariants of each answer.
 * @param target an app, or anything that has `fetch`, such as a client or a server's far end
 * @throws EndpointFailed with the smallest failing request, as a curl command and as a fetch call
 */
export async function testEndpoint(
  target: SimAPI | FastifyInstance | Sender,
  options: EndpointTest,
): Promise<void> {
  const api = SimAPI.is(target) ? target : undefined
  const route = routeOf(options, api?.routes ?? [])
  const {
    statuses,
    headers,
    invariants = {},
    pathParams = {},
    method: _method,
    path: _path,
    ...rest
  } = options
  const known = describeRoute(route)
  const endpoint: Endpoint = {
    ...rest,
    ...known,
    ...(statuses !== undefined && { expects: (status: number) => statuses.includes(status) }),
    routes: api?.routes ?? [],
    headers: { ...known.headers, ...headers },
    pathParams,
    invariants,
    ...(api !== undefined && { appSeed: api.seed }),
  }
  if (isSender(target)) return checkEndpoint(endpoint, () => target)
  const client = createClient(target)
  try {
    await checkEndpoint(endpoint, () => client)
  } finally {
    if (api !== undefined) await client.close()
  }
}

function routeOf(
  { route, method, path, input, output }: EndpointTest,
  routes: readonly RouteDefinition[],
): RouteDefinition {
  const models = {
    ...(input !== undefined && { input: schemaOfModel(input, 'input') }),
    ...(output !== undefined && { output: schemaOfModel(output, 'output') }),
  }
  if (route !== undefined) return { ...route, options: { ...route.options, ...models } }
  if (method === undefined || path === undefined)
    throw new OptionInvalid('testEndpoint needs a route, or a method and a path')
  const known = routes.find((each) => each.method === method && each.path === path)
  if (known !== undefined && Object.keys(models).length === 0) return known
  return createRoute(method, path, { ...known?.options, ...models })
}

function isSender(target: SimAPI | FastifyInstance | Sender): target is Sender {
  return 'fetch' in target && typeof target.fetch === 'function'
}
