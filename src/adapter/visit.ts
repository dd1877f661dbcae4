import type { Credentials } from './auth.ts'
import { readJson } from './body.ts'
import type { AdapterConfig } from './config.ts'
import type { Operation, Visit } from './definition.ts'
import { fail } from './failure.ts'
import type { IdSource } from './ids.ts'
import type { AdapterRequest } from './request.ts'
import type { World } from './world.ts'

/** What a visit is made of. */
export interface VisitParts<State, Config extends AdapterConfig> {
  readonly request: AdapterRequest
  readonly operation: Operation<State, Config>
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly credentials: Credentials
  readonly world: World<State>
  readonly config: Config
  readonly ids: IdSource
  readonly requestId: string
}

/** What a handler is given. */
export function createVisit<State, Config extends AdapterConfig>({
  request,
  operation,
  params,
  query,
  credentials,
  world,
  config,
  ids,
  requestId,
}: VisitParts<State, Config>): Visit<State, Config> {
  let read: { readonly value: unknown } | undefined
  return {
    operation,
    params,
    query,
    headers: request.headers,
    bytes: request.body,
    body: () => (read ??= { value: readJson(request.body) }).value,
    // Read when it is asked for: what waited may find another state than the one it came to.
    get state() {
      return world.state
    },
    credentials,
    authorize(resource) {
      if (!credentials.isGranted(resource)) fail({ kind: 'denied', operation: operation.id, resource })
    },
    config,
    clock: world.clock,
    ids,
    pages: world.pagesOf(operation.id),
    requestId,
  }
}
