import { createRouter } from '../routing/router.ts'
import { hostOf, type RouteDefinition } from '../engine/route.ts'
import { routeProblem, type Problem } from './problem.ts'

/** Routes that are never reached, because another one answers their paths on the same host. */
export function findShadowed(routes: readonly RouteDefinition[]): Problem[] {
  const hosts = new Set(routes.map(hostOf))
  return [...hosts].flatMap((host) => findShadowedOn(routes.filter((route) => hostOf(route) === host)))
}

function findShadowedOn(routes: readonly RouteDefinition[]): Problem[] {
  const router = createRouter(routes)
  return routes.flatMap((route) => {
    const path = route.path.replace(/\{[^{}]+\}/g, 'sim-sample')
    const answering = router.match({ method: route.method, path })?.route
    if (answering === undefined || answering === route) return []
    return [routeProblem('route', route.key, `never asked, since ${answering.key} answers its paths`)]
  })
}
