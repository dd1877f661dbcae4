import type { AdapterConfig } from './config.ts'
import type { Operation, OperationContext } from './definition.ts'
import { createContext, createOpenPaths, type AdapterParts } from './plugins.ts'
import { headerOf, type AdapterRequest } from './request.ts'
import type { AdapterSession } from './session.ts'

/** A request as its handler saw it. */
interface NotedRequest {
  readonly operation: string
  readonly id: string
  /** Without the prefix of a mount and the query. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly search?: string
  readonly headers: AdapterRequest['headers']
  /** Base64. */
  readonly body?: string
}

/** By what a request can be handled again. */
export function noteOf<State, Config extends AdapterConfig>(
  { operation, requestId, params, query, headers, bytes }: OperationContext<State, Config>,
  path: string,
): NotedRequest {
  const search = query.toString()
  return {
    operation: operation.id,
    id: requestId,
    ...{ path, params, headers },
    ...(search !== '' && { search }),
    ...(bytes.length > 0 && { body: bytes.toString('base64') }),
  }
}

/** What the handler of an operation makes of a request, and of the state. */
export async function runHandler<State, Config extends AdapterConfig>(
  { stateful }: Config,
  operation: Operation<State, Config>,
  context: OperationContext<State, Config>,
  session: AdapterSession<State>,
): Promise<unknown> {
  const value = await operation.handle?.(context)
  if (stateful === false && (operation.sideEffects ?? []).length > 0) session.dropState()
  return value
}

/** Has requests handled again that were noted: what becomes of the state counts, and no answer. */
export function createRedo<State, Fixture, Config extends AdapterConfig>(
  parts: Pick<AdapterParts<State, Fixture, Config>, 'definition' | 'config' | 'ids' | 'authenticator'>,
): (session: AdapterSession<State>, request: object) => Promise<void> {
  const { definition, config, ids, authenticator } = parts
  const operations = new Map(definition.operations.map((operation) => [operation.id, operation]))
  const isOpenPath = createOpenPaths(definition)

  return async (session, given) => {
    const noted = given as NotedRequest
    const operation = operations.get(noted.operation)
    if (operation === undefined) return
    const { headers, path, params, search = '', body = '' } = noted
    try {
      const credentials = authenticator.authenticate(headerOf(headers, 'authorization'), isOpenPath(path))
      const request = {
        method: operation.method,
        url: search === '' ? path : `${path}?${search}`,
        headers,
        body: Buffer.from(body, 'base64'),
      }
      const context = createContext<State, Config>(
        { session, request, failed: { requestId: noted.id } },
        { operation, params, query: new URLSearchParams(search), credentials, config, ids },
      )
      await runHandler(config, operation, context, session)
    } catch {
      // As it was refused before.
    }
  }
}
