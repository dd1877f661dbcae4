import { nearest } from '../../data-files/words.ts'
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

/**
 * The routes that came nearest to a request besides the one that got it, the nearest first, each with why it did not.
 * @param shown a segment of its path as it may be shown
 */
export function nearestRoutes(
  request: RequestAddress,
  routes: readonly RouteDefinition[],
  matched: RouteDefinition | undefined,
  shown: (segment: string) => string,
): readonly RouteMiss[] {
  const found: { readonly miss: RouteMiss; readonly distance: number }[] = []
  for (const route of routes) {
    if (route === matched) continue
    const near = missOf(request, route, matched, shown)
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
  shown: (segment: string) => string,
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
  const differing = differencesOf(request.path, route.path, shown)
  if (differing === undefined) return undefined
  const reasons = isMethod ? differing : [...differing, `its method is ${method}`]
  return of('path', 1 + differing.length + others, reasons.join(', '))
}

// How a path differs from a template, where it differs in little: in a segment or two, a base path, or a segment at the end.
function differencesOf(
  path: string,
  template: string,
  shown: (segment: string) => string,
): readonly string[] | undefined {
  const [own, wanted] = [segmentsOf(path), segmentsOf(template)]
  if (own.length === wanted.length) return segmentDifferences(own, wanted, shown)
  const [short, long] = own.length < wanted.length ? [own, wanted] : [wanted, own]
  const before = long.slice(0, -short.length)
  if (areAlike(own.slice(-short.length), wanted.slice(-short.length)) && !before.join('').includes('{'))
    return own === short
      ? [`its path begins with /${before.join('/')}`]
      : [`its path does not begin with /${before.map(shown).join('/')}`]
  if (Math.abs(own.length - wanted.length) > 1 || !areAlike(own, wanted.slice(0, own.length)))
    return undefined
  return [`its path ${template} has ${wanted.length} segments, and the request's ${own.length}`]
}

function segmentDifferences(
  own: readonly string[],
  wanted: readonly string[],
  shown: (segment: string) => string,
): readonly string[] | undefined {
  const differing = wanted.flatMap((each, at) => {
    const segment = own[at] ?? ''
    return isAlike(segment, each) ? [] : [[segment, each] as const]
  })
  // Of a path that has nothing in common with a route's, each segment may be a slip.
  const isSlip = differing.every(([segment, each]) => nearest(segment, [each]) !== undefined)
  if (differing.length > MAX_SEGMENTS || (differing.length === wanted.length && !isSlip)) return undefined
  return differing.map(
    ([segment, each]) => `its path has '${each}' where the request's has '${shown(segment)}'`,
  )
}

// Segments have something in common only where one is more than a parameter.
function areAlike(own: readonly string[], wanted: readonly string[]): boolean {
  const shared = Math.min(own.length, wanted.length)
  const all = wanted.slice(0, shared)
  return all.some((each) => !each.includes('{')) && all.every((each, at) => isAlike(own[at] ?? '', each))
}

function isAlike(segment: string, wanted: string): boolean {
  return wanted.includes('{') || segment === wanted
}
