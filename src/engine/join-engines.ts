import type { Engine } from './engine.ts'
import type { Seed } from './random.ts'
import { createRouteTable } from './route-table.ts'
import { joinRoutes, type Route } from './route.ts'

/**
 * One engine for the routes of several, each of which keeps answering its own.
 * @param seed what chaos is drawn from; each engine's content keeps the engine's seed
 * @throws DuplicateRoute when two of them answer the same method and path
 */
export function joinEngines(engines: readonly Engine[], seed: Seed): Engine {
  const owners = new Map<Route, Engine>()
  for (const engine of engines) for (const route of engine.routes) owners.set(route, engine)
  const routes = joinRoutes([...owners.keys()])
  const table = createRouteTable(routes)
  const ownerOf = (route: Route): Engine => owners.get(route) as Engine

  return {
    seed,
    routes,
    match: ({ method, path }) => table.match(method, path),
    allowed: (path) => table.allowed(path),
    readInput: (match, call) => ownerOf(match.route).readInput(match, call),
    answer: (match, call, input) => ownerOf(match.route).answer(match, call, input),
  }
}
