import { DuplicateRoute, OptionInvalid } from '../sim-error.ts'
import { findOptionProblem } from './check-options.ts'
import type { Schema } from './model/schema.ts'
import type { RouteOptions } from './route-options.ts'

/** The methods a route can be declared for. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A route as the engine answers it. */
export interface Route {
  readonly method: Method
  /** The path template, such as `/users/{id}`. */
  readonly path: string
  /** Method and path: what seeds, counters and messages call the route. */
  readonly key: string
  /** Names of the path's parameters, in order. */
  readonly parameters: readonly string[]
  readonly options: RouteOptions<Schema>
}

/**
 * A checked route.
 * @throws OptionInvalid naming the route and the option that cannot be
 */
export function createRoute(method: Method, path: string, options: RouteOptions): Route {
  const key = `${method} ${path}`
  const parameters = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? '')
  const problem = findPathProblem(path, parameters) ?? findOptionProblem(options, parameters)
  if (problem !== undefined) throw new OptionInvalid(`${key}: ${problem}`)
  return { method, path, key, parameters, options: options as RouteOptions<Schema> }
}

function findPathProblem(path: string, parameters: readonly string[]): string | undefined {
  if (!path.startsWith('/')) return "the path must start with '/'"
  if (/[?#]/.test(path)) return 'the path must not hold a query or a fragment'
  if (/[{}]/.test(path.replace(/\{[^{}]+\}/g, ''))) return 'the path has a brace without its partner'
  const twice = parameters.find((name, index) => parameters.indexOf(name) !== index)
  return twice === undefined ? undefined : `the path names the parameter '${twice}' twice`
}

/** The routes of several sources in one list. @throws DuplicateRoute when two answer the same method and path */
export function joinRoutes(routes: readonly Route[]): readonly Route[] {
  const taken = new Set<string>()
  for (const { method, path } of routes) {
    const shape = `${method} ${path.replace(/\{[^{}]+\}/g, '{}').replace(/(.)\/$/, '$1')}`
    if (taken.has(shape)) throw new DuplicateRoute(method, path)
    taken.add(shape)
  }
  return routes
}
