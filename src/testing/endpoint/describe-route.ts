import type { RouteDefinition } from '../../engine/route.ts'
import type { Endpoint } from './endpoint.ts'

/** What a route's options say about its answers. */
export type RouteDescription = Pick<Endpoint, 'route' | 'headers' | 'expects' | 'tolerated'>

/** A route's expected status, the statuses of the failures it simulates, and the headers that open it. */
export function describeRoute(route: RouteDefinition): RouteDescription {
  const {
    status,
    errors = [],
    scenario = [],
    errorRate = 0,
    errorCodes,
    rateLimit,
    pageTable,
  } = route.options
  const codes = errorCodes === undefined || errorCodes.length === 0 ? [404, 500] : errorCodes
  const declared = [
    ...errors.map((each) => each.status),
    ...scenario.map((each) => each.status).filter((each) => each !== 200),
    ...(errorRate > 0 ? codes : []),
    ...(rateLimit === undefined ? [] : [429]),
    ...(pageTable === undefined ? [] : [400]),
  ]
  const usual = status ?? 200
  const tolerated = declared.filter((each) => each !== usual)
  const expects = (each: number): boolean =>
    each === usual || (each >= 200 && each < 300 && !tolerated.includes(each))
  return { route, headers: bearerOf(route), expects, tolerated }
}

/** The header that opens a route; none for an open one. */
export function bearerOf({ options: { bearerTokens } }: RouteDefinition): Readonly<Record<string, string>> {
  const [token] = bearerTokens ?? []
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}
