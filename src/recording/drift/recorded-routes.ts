import { pathShape } from '../../routing/path-template.ts'
import { createRouter } from '../../routing/router.ts'
import { createRoute, type Method } from '../../engine/route.ts'
import { foldPaths } from '../inference/fold-paths.ts'
import { groupBy } from '../inference/group-by.ts'
import { segmentKind } from '../inference/segment-kind.ts'
import { withoutPseudonyms } from '../redaction/secrets.ts'
import { COMPARED, pathOf, type Asked } from './baseline.ts'
import type { ReadSamples } from './read-samples.ts'
import { createThinSamples } from './thin-samples.ts'

/** Finds the route of a request, by method and path template; `undefined` where none is like it. */
export type NameRoute = (request: Pick<Asked, 'method' | 'segments'>) => string | undefined

/**
 * The routes of a recording.
 * @param others samples that are compared with it: they help to tell values in paths from names
 */
export async function recordedRoutes(read: ReadSamples, others: ReadSamples = () => []): Promise<NameRoute> {
  const words = new Set<string>()
  for (const source of [read, others])
    for await (const { segments } of source()) for (const segment of segments) words.add(segment)

  const thin = createThinSamples(words)
  const take = async (source: ReadSamples): Promise<number> => {
    for await (const sample of source()) if (COMPARED.has(sample.method)) thin.add(sample)
    return thin.samples.length
  }
  const own = await take(read)
  await take(others)

  const { samples, mentions } = thin
  const folded = foldPaths(samples, mentions).flatMap(({ path, samples: alike }) =>
    alike.flatMap(({ index, method }) => (index < own ? [{ method, path: asTemplate(path) }] : [])),
  )
  const find = tableOf(folded)
  // A path that no template of the recording covers, such as that of a failure, stays as it is.
  const missed = samples.slice(0, own).filter((sample) => find(sample) === undefined)
  return missed.length === 0
    ? find
    : tableOf([...folded, ...missed.map((sample) => ({ method: sample.method, path: pathOf(sample) }))])
}

function tableOf(paths: readonly { readonly method: string; readonly path: string }[]): NameRoute {
  const byShape = groupBy(paths, ({ method, path }) => `${method} ${pathShape(path)}`)
  const routes = [...byShape.values()].flatMap(([first]) =>
    first === undefined ? [] : [createRoute(first.method as Method, first.path, {})],
  )
  const router = createRouter(routes)
  return (request) => router.match({ method: request.method, path: pathOf(request) })?.route.key
}

/** The path template of a request whose route is not known: what looks like an id is taken for one. */
export function templateOf({ segments }: Pick<Asked, 'segments'>): string {
  return asTemplate(pathOf({ segments }))
}

// What looks like an id is one, though it was the only one so far.
function asTemplate(path: string): string {
  const taken = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name))
  const nameOf = (): string => {
    const names = ['id', ...Array.from({ length: taken.size + 1 }, (_, index) => `id${index + 2}`)]
    const free = names.find((name) => !taken.has(name)) ?? 'id'
    taken.add(free)
    return `{${free}}`
  }
  return path
    .split('/')
    .map((segment) => (isValue(segment) ? nameOf() : segment))
    .join('/')
}

// So is what was hidden.
function isValue(segment: string): boolean {
  return segmentKind(segment) !== 'word' || withoutPseudonyms(segment) !== segment
}
