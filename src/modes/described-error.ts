import { MethodNotAllowed } from '../errors.ts'
import type { RouteDefinition } from '../engine/route.ts'
import type { HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { problemResponse } from '../pipeline/problem-details.ts'
import type { Policies } from '../pipeline/route.ts'
import type { AppEngine } from '../simulation/engine.ts'
import { toResponse } from './to-response.ts'

/**
 * An error as the description of the route says, or else as problem details where that is wanted. A method that a
 * path does not have is refused as an operation that it has says.
 */
export function describedError(
  error: Error,
  exchange: Exchange,
  engine: AppEngine,
  { problemDetails = false }: Policies,
): HttpResponse | undefined {
  const route = error instanceof MethodNotAllowed ? routeBeside(exchange, engine) : exchange.match?.route
  const { session, input } = exchange
  const described =
    route?.operation === undefined ? undefined : engine.answerError(route, error, exchange, input, session)
  if (described !== undefined && (described.content !== undefined || !problemDetails))
    return toResponse(described)
  const problem = problemDetails ? problemResponse(error, exchange, described?.status) : undefined
  return problem ?? (described && toResponse(described))
}

function routeBeside(
  { host, path, headers, search, scheme }: Exchange,
  engine: AppEngine,
): RouteDefinition | undefined {
  const [method] = engine.allowed({ host, path, headers, search, scheme })
  return method === undefined
    ? undefined
    : engine.match({ host, path, headers, search, scheme, method })?.route
}
