import { findEchoes } from './echo-links.ts'
import { foldPaths, type Folded } from './fold-paths.ts'
import { groupBy } from './group-by.ts'
import { inferRoute, pagingOf, type InferredRoute } from './infer-route.ts'
import { findListed } from './listed.ts'
import { findMentions } from './mentions.ts'
import { findResources, type Resource } from './resources.ts'
import type { Sample } from './sample.ts'

/** The methods that a route can be declared for. */
const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** All that a recording tells of an API. */
export interface Inference {
  readonly routes: readonly InferredRoute[]
  /** Collections that answer what was done to them. */
  readonly resources: readonly Resource[]
  /** Exchanges that no route can stand for, by reason. */
  readonly skipped: ReadonlyMap<string, number>
}

/** Infers routes, models, links and collections. The same samples give the same routes. */
export function inferRoutes(samples: readonly Sample[]): Inference {
  const skipped = new Map<string, number>()
  const usable = samples.filter((sample) => {
    const reason = reasonToSkip(sample)
    if (reason !== undefined) skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
    return reason === undefined
  })
  const mentions = findMentions(usable)
  const hosts = groupBy(usable, ({ origin }) => new URL(origin).host)
  const folded = [...hosts]
    .flatMap(([host, own]) => foldPaths(own, mentions, hosts.size > 1 ? host : undefined))
    .map(nameByEchoes)
  const pagings = new Map(folded.map((each) => [each, pagingOf(each)]))
  const kept = findResources(folded, pagings).filter(
    ({ confirmed, contradicted }) => confirmed > contradicted * 4,
  )
  const resources = [...kept, ...findListed(folded, pagings, kept)]
  const isStored = ({ host, path }: Folded): boolean =>
    resources.some((each) => each.host === host && (each.path === path || each.collection === path))
  const routes = folded.flatMap((each) =>
    [...groupBy(each.samples, ({ method }) => method)].map(([method, own]) =>
      inferRoute(method, { ...each, samples: own }, { isStored: isStored(each), paging: pagings.get(each) }),
    ),
  )
  return { routes, resources, skipped }
}

function reasonToSkip({ method, status }: Sample): string | undefined {
  if (method === 'HEAD') return 'HEAD, which the route of GET answers'
  if (method === 'OPTIONS') return 'OPTIONS, which is answered from the routes there are'
  if (!METHODS.has(method)) return `method ${method}`
  if (status === 304) return 'answers 304, since simulated answers are always whole'
  return status < 200 ? `answers ${status}, which have no answer of their own` : undefined
}

// A parameter that answers repeat under a name of their own is called by that name.
function nameByEchoes(folded: Folded): Folded {
  const fine = folded.samples.filter(({ status }) => status < 300)
  const names = new Map<string, string>()
  for (const { field, source } of findEchoes(fine, folded.values)) {
    const name = /(?:^|\.)(\w+)$/.exec(field)?.[1] ?? 'id'
    const isFree = name !== 'id' && !folded.parameters.includes(name) && ![...names.values()].includes(name)
    if (source.in === 'path' && isFree && !names.has(source.name)) names.set(source.name, name)
  }
  return folded.rename((name) => names.get(name) ?? name)
}
