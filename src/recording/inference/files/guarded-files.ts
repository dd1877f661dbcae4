import { compareTexts, groupBy } from '../../../grouping.ts'
import { createRouter } from '../../../routing/router.ts'
import { isRefused, namesCaller } from '../callers.ts'
import { pathOf, type Sample } from '../sample.ts'
import type { FileRule } from './file-rule.ts'

/** What requests must have, and those that were refused since they had it not. */
export interface Guard {
  readonly header: string
  readonly refused: ReadonlySet<Sample>
}

/** The credentials that a server wants of its clients; `undefined` where it refused nobody for having none. */
export function guardOf(samples: readonly Sample[]): Guard | undefined {
  const fine = samples.filter(({ status }) => status < 400)
  const refused = samples.filter(isRefused)
  const names = [...new Set(fine.flatMap(({ headers }) => Object.keys(headers).filter(namesCaller)))]
  const isFirst = (name: string): boolean => name === 'authorization'
  const ordered = names.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)) || compareTexts(a, b))
  for (const header of ordered) {
    const lacking = refused.filter(({ headers }) => headers[header] === undefined)
    if (lacking.length > 0) return { header, refused: new Set(lacking) }
  }
  return undefined
}

type Route = FileRule & { readonly samples: readonly Sample[] }

/** Routes with the requests that they refused for having no credentials, where all others of a route had some. */
export function withRefused<Each extends Route>(
  routes: readonly Each[],
  guard: Guard | undefined,
): readonly Each[] {
  if (guard === undefined) return routes
  const guarded = routes.filter(({ samples }) =>
    samples.every(({ headers }) => headers[guard.header] !== undefined),
  )
  // What divides the requests of one path by their bodies is not looked into: all of them are refused alike.
  const places = [...groupBy(guarded, ({ method, path }) => `${method} ${path}`).values()]
  const router = createRouter(
    places.flatMap(([first]) => (first ? [{ method: first.method, path: first.path, first }] : [])),
  )
  const refused = groupBy(guard.refused, (sample) => {
    return router.match({ method: sample.method, path: pathOf(sample) })?.route.first
  })
  return routes.map((route) => ({ ...route, samples: [...route.samples, ...(refused.get(route) ?? [])] }))
}
