import { methodRequested } from '../../plugins/cors.ts'
import { MethodNotAllowed, RouteNotFound } from '../errors.ts'
import { placesText } from '../routing/condition.ts'
import { createRouter } from '../routing/router.ts'
import { forwardTo, targetOf } from './forward.ts'
import type { Mode } from './mode.ts'
import { remembered } from '../engine/lazy.ts'
import type { HttpRequest, HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Engine } from '../engine/engine.ts'
import { hostOf, type RouteDefinition } from '../engine/route.ts'

/** What neither a declared route nor an adapter takes is for an upstream; the rest is not found. */
export const simulate: Mode = (exchange, parts) => {
  const { engine, describe, letPageIn } = parts
  const page = exchange.headers['origin'] === undefined ? undefined : letPageIn
  // A page asks beforehand about a request that may well be for a declared route.
  if (page !== undefined && asksForDeclared(engine, exchange)) return page(exchange) as HttpResponse
  const target = targetOf(exchange, parts)
  if (target !== undefined) return forwardTo(target, exchange, parts)
  const preflight = page?.(exchange)
  if (preflight !== undefined) return preflight
  const described = describe?.(exchange)
  if (described !== undefined) return described

  const { method, path } = exchange
  const allowed = engine.allowed(exchange)
  const others = routesAside(engine, exchange)
  if (others.length > 0) throw exchange.content?.problem ?? noneFits(others, exchange)
  if (allowed.length === 0) throw new RouteNotFound(method, path, basePathHint(engine, exchange))
  if (method === 'OPTIONS') return { status: 204, headers: ['allow', allowed.join(', ')] }
  throw new MethodNotAllowed(method, path, allowed)
}

function asksForDeclared(engine: Engine, exchange: Exchange): boolean {
  const method = methodRequested(exchange)
  return method !== undefined && engine.allowed(exchange).includes(method)
}

/** The routes of a request's method and path whose conditions it does not meet. */
function routesAside(engine: Engine, request: HttpRequest): readonly RouteDefinition[] {
  return conditionalRoutes(engine).flatMap(({ route, router }) =>
    router.match(request) === undefined ? [] : [route],
  )
}

/** Each route of an engine that has conditions, and what finds it by method and path alone. */
const conditionalRoutes = remembered(
  ({ routes }: Engine) =>
    routes
      .filter(({ when }) => when !== undefined)
      .map((route) => ({ route, router: createRouter([{ ...route, when: undefined }], { hostOf }) })),
  new WeakMap(),
)

function noneFits(own: readonly RouteDefinition[], { method, path }: HttpRequest): RouteNotFound {
  const places = placesText(own.flatMap(({ when = [] }) => when))
  const names = own.slice(0, MAX_NAMED).map(({ key }) => key)
  const more = own.length > MAX_NAMED ? ` and ${own.length - MAX_NAMED} more` : ''
  return new RouteNotFound(method, path, `By ${places} it is none of ${names.join(', ')}${more}`)
}

const MAX_NAMED = 5

/** Where a path would have been found that is declared below a server's base path; `undefined` where it is not. */
export function basePathHint(
  { routes, allowed }: Pick<Engine, 'routes' | 'allowed'>,
  { path, ...call }: Pick<HttpRequest, 'host' | 'path'>,
): string | undefined {
  const bases = new Set(routes.map(({ operation }) => operation?.basePath ?? ''))
  const base = [...bases].find(
    (each) => each !== '' && allowed({ ...call, path: `${each}${path}` }).length > 0,
  )
  return base === undefined
    ? undefined
    : `The description's server has its operations below ${base}: ask for ${base}${path}`
}
