import { test } from 'vitest'
import type { SimAPI } from '../api.ts'
import { isStateful, type RouteDefinition } from '../engine/route.ts'
import { collectionPath, pathShape, splitItemPath } from '../routing/path-template.ts'
import { OptionInvalid, TargetInvalid } from '../errors.ts'
import { createClient, type Client } from './client.ts'
import { checkEndpoint } from './endpoint/check-endpoint.ts'
import {
  describeRoute,
  type Endpoint,
  type Invariant,
  type RunOptions,
  type Sender,
  type Stored,
} from './endpoint/endpoint.ts'
import { openApp, restoreStore, type AppTarget } from './open-app.ts'

/** Which app's endpoints are tested, and what must hold for their answers. */
export interface PropertyTests extends RunOptions {
  readonly app: AppTarget
  /** Invariants by endpoint, such as `GET /users`; those under `*` hold for every endpoint. */
  readonly invariants?: Readonly<Record<string, Readonly<Record<string, Invariant>>>>
}

const DEFAULT_TIMEOUT_MS = 60_000

/**
 * Registers one vitest test for each endpoint of an app, such as `GET /users`: it sends valid inputs and checks the
 * status, the model and the invariants of each answer. Failures that the route simulates are none.
 * @throws TargetInvalid when the app cannot be loaded or has no routes
 */
export async function simPropertyTests(options: PropertyTests): Promise<void> {
  const { app, invariants = {}, numRuns = 100 } = options
  const { routes } = await openApp(app)
  if (routes.length === 0) throw new TargetInvalid('The app to test declares no routes')
  const names = ['*', ...routes.map(({ key }) => key)]
  const unknown = Object.keys(invariants).find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw new OptionInvalid(
      `invariants names the endpoint '${unknown}', which is none of ${names.join(', ')}`,
    )
  }

  for (const {
    key,
    options: { latencyMs = 0, jitterMs = 0 },
  } of routes) {
    const timeout = DEFAULT_TIMEOUT_MS + 3 * numRuns * (latencyMs + jitterMs)
    // The title is the endpoint, and the test asserts by throwing.
    // eslint-disable-next-line vitest/valid-title, vitest/expect-expect
    test(key, { timeout }, () => testRoute(key, options))
  }
}

async function testRoute(key: string, { app, invariants = {}, ...run }: PropertyTests): Promise<void> {
  const api = await openApp(app)
  const route = api.routes.find((each) => each.key === key)
  if (route === undefined) throw new TargetInvalid(`${key} is not there when the app is loaded again`)
  const endpoint: Endpoint = {
    ...run,
    ...describeRoute(route),
    routes: api.routes,
    pathParams: {},
    invariants: { ...invariants['*'], ...invariants[key] },
    stored: isStateful(route, api.options.stateful === true) ? storedOf(route, api.routes) : undefined,
    appSeed: api.seed,
  }
  const session = openSession(api, route)
  try {
    await checkEndpoint(endpoint, session.open)
  } finally {
    await session.close()
  }
}

// Each request finds the store as it was at first. Only a new client has its rate limit whole again.
function openSession(
  api: SimAPI,
  { options }: RouteDefinition,
): { open(): Promise<Sender>; close(): Promise<void> } {
  let client: Client | undefined
  const close = async (): Promise<void> => client?.close()
  return {
    async open() {
      restoreStore(api)
      if (client !== undefined && options.rateLimit === undefined) return client
      await close()
      client = createClient(api)
      return client
    },
    close,
  }
}

// A collection's items are created by the POST of its path.
function storedOf(route: RouteDefinition, routes: readonly RouteDefinition[]): Stored | undefined {
  const byId = splitItemPath(route.path) !== undefined
  const collection = pathShape(collectionPath(route.path))
  const creation = routes.find(({ method, path }) => method === 'POST' && pathShape(path) === collection)
  return route.method === 'POST' ? undefined : { creation, byId }
}
