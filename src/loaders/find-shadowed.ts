import { createRouteTable } from '../routing/route-table.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { routeProblem, type Problem } from './problem.ts'

/** Routes that are never asked, because another one answers their paths. */
export function findShadowed(routes: readonly RouteDefinition[]): Problem[] {
  const hosts = new Set(routes.map(({ options }) => options.host))
  return [...hosts].flatMap((host) => findShadowedOn(routes.filter(({ options }) => options.host === host)))
}

// A route of another host takes nothing away: it answers there alone, and says so.
function findShadowedOn(routes: readonly RouteDefinition[]): Problem[] {
  const table = createRouteTable(routes)
  return routes.flatMap((route) => {
    const answering = table.match(route.method, route.path.replace(/\{[^{}]+\}/g, 'sim-sample'))?.route
    if (answering === undefined || answering === route) return []
    return [routeProblem('route', route.key, `never asked, since ${answering.key} answers its paths`)]
  })
}
