import { hostOf, type RouteDefinition } from '../../engine/route.ts'
import { conditionText, fitsAll } from '../../routing/condition.ts'
import { createRouter, type RequestAddress } from '../../routing/router.ts'
import { segmentsOf } from '../../routing/path-template.ts'

/** A route that did not get a request, though it nearly might have. */
export interface RouteMiss {
  readonly route: string
  readonly reason: 'method' | 'path' | 'host' | 'condition' | 'precedence'
  readonly detail: string
}

const NEAREST = 5
/** A route whose path differs in more segments than this is not near. */
const MAX_SEGMENTS = 2

/** The routes that came nearest to a request besides the one that got it, the nearest first, each with why it did not. */
export function nearestRoutes(
  request: RequestAddress,
  routes: readonly RouteDefinition[],
  matched: RouteDefinition | undefined,
): readonly RouteMiss[] {
  const found: { readonly miss: RouteMiss; readonly distance: number }[] = []
  for (const route of routes) {
    if (route === matched) continue
    const near = missOf(request, route, matched)
    if (near !== undefined) found.push(near)
  }
  return found
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, NEAREST)
    .map(({ miss }) => miss)
}

function missOf(
  request: RequestAddress,
  route: RouteDefinition,
  matched: RouteDefinition | undefined,
): { readonly miss: RouteMiss; readonly distance: number } | undefined {
  const { key, method, when } = route
  const of = (reason: RouteMiss['reason'], distance: number, detail: string) => ({
    miss: { route: key, reason, detail },
    distance,
  })
  const isMethod = method === request.method || (method === 'GET' && request.method === 'HEAD')
  const fits = (change: Partial<RouteDefinition>, isAnyHost = false): boolean =>
    createRouter([{ ...route, method: request.method as RouteDefinition['method'], ...change }], {
      hostOf: isAnyHost ? () => undefined : hostOf,
    }).match(request) !== undefined
  if (fits({})) {
    if (!isMethod) return of('method', 1, `its method is ${method}, and not ${request.method}`)
    const winner = matched === undefined ? 'another' : matched.key
    return of(
      'precedence',
      0,
      `${winner} says more about the request, or was declared for the same and later`,
    )
  }
  const others = isMethod ? 0 : 1
  if (when !== undefined && fits({ when: undefined })) {
    const failed = when.filter((condition) => !fitsAll([condition], request))
    return of('condition', 0.5 + others, `it is for requests with ${failed.map(conditionText).join(' and ')}`)
  }
  const host = hostOf(route)
  if (host !== undefined && fits({ when: undefined }, true))
    return of('host', 0.8 + others, `its host is ${host}, and not ${request.host ?? ''}`)
  const differing = segmentDifferences(request.path, route.path)
  if (differing === undefined) return undefined
  return of('path', 1 + differing.length + others, differing.join(', '))
}

// How a path differs from a template of as many segments, or of one more or less; `undefined` where it differs in much.
function segmentDifferences(path: string, template: string): readonly string[] | undefined {
  const [own, wanted] = [segmentsOf(path), segmentsOf(template)]
  if (own.length !== wanted.length) {
    if (Math.abs(own.length - wanted.length) > 1) return undefined
    const shared = Math.min(own.length, wanted.length)
    if (shared === 0 || wanted.slice(0, shared).some((each, at) => !isAlike(own[at] ?? '', each)))
      return undefined
    return [`its path ${template} has ${wanted.length} segments, and the request's ${own.length}`]
  }
  const differing = wanted.flatMap((each, at) =>
    isAlike(own[at] ?? '', each) ? [] : [`its path has '${each}' where the request's has '${own[at] ?? ''}'`],
  )
  return differing.length > MAX_SEGMENTS || differing.length === wanted.length ? undefined : differing
}

function isAlike(segment: string, wanted: string): boolean {
  return wanted.includes('{') || segment === wanted
}
