import { MethodNotAllowed, RouteNotFound } from '../errors.ts'
import { answerError, type ErrorAnswers } from '../engine/error-answer.ts'
import { remembered } from '../engine/lazy.ts'
import { hostOf, type RouteDefinition } from '../engine/route.ts'
import type { HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { problemResponse } from '../pipeline/problem-details.ts'
import type { Policies } from '../pipeline/route.ts'
import type { AppEngine } from '../simulation/engine.ts'
import { toResponse } from './to-response.ts'

/**
 * An error as the description of the route says, or else as problem details where that is wanted. A method that a
 * path does not have is refused as an operation that it has says, and a path that no route has as the nearest says.
 */
export function describedError(
  error: Error,
  exchange: Exchange,
  engine: AppEngine,
  { problemDetails = false }: Policies,
): HttpResponse | undefined {
  const unknown = RouteNotFound.is(error)
    ? answerError(answersBeside(exchange, engine), error, exchange)
    : undefined
  if (unknown !== undefined) return unknown
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

// Of apps that are on one gateway, the one whose paths begin like the request's.
function answersBeside({ host, path }: Exchange, { routes }: AppEngine): ErrorAnswers {
  const segments = path.split('/')
  const sharedBy = (route: RouteDefinition): number => {
    const own = route.path.split('/')
    const other = segments.findIndex((segment, at) => segment !== own[at])
    return other < 0 ? segments.length : other
  }
  const able = answeringUnknown(routes).filter((route) => [undefined, host].includes(hostOf(route)))
  const [nearest] = able.toSorted((a, b) => sharedBy(b) - sharedBy(a))
  return nearest?.options.errorAnswers ?? {}
}

// Descriptions have thousands of routes, and none of them may say how.
const answeringUnknown = remembered(
  (routes: readonly RouteDefinition[]) =>
    routes.filter(({ options }) => Object.hasOwn(options.errorAnswers ?? {}, 'SIM_ROUTE_NOT_FOUND')),
  new WeakMap(),
)
