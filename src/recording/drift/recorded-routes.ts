import { createRoute, type Method } from '../../engine/route.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { isObservable } from '../../shape/read-value.ts'
import { namesOf, pathShape } from '../../routing/path-template.ts'
import { createRouter } from '../../routing/router.ts'
import { entryOf } from '../../grouping.ts'
import { foldPaths } from '../inference/fold-paths.ts'
import { eachSample, pathOf, type Sample } from '../inference/sample.ts'
import { createMentions, type Mentions, segmentKind } from '../inference/values.ts'
import { isHidden } from '../redaction/secrets.ts'
import { COMPARED, type RouteQuery } from './baseline.ts'

/** Finds the route of a request, by method and path template; `undefined` where none is like it. */
type NameRoute = (request: Pick<RouteQuery, 'method' | 'segments'>) => string | undefined

/**
 * The routes of a recording.
 * @param others samples that are compared with it: they help to distinguish values in paths from names
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

type Paths = readonly { readonly method: string; readonly path: string; readonly like?: string }[]

function tableOf(paths: Paths): NameRoute {
  const firsts = (some: typeof paths): Map<string, (typeof paths)[number]> =>
    new Map(some.toReversed().map((each) => [`${each.method} ${pathShape(each.path)}`, each]))
  const own = firsts(paths)
  const others = [...firsts(withAnyName(paths))].filter(([shape]) => !own.has(shape))
  const routes = [...own.values(), ...others.map(([, each]) => each)].map(
    ({ method, path, like = path }) => ({
      ...{ method, path },
      key: createRoute(method as Method, like, {}).key,
    }),
  )
  const router = createRouter(routes)
  return (request) => router.match({ method: request.method, path: pathOf(request) })?.route.key
}

const IN_BRACKETS = /^(.*\/)[^/{}]+(\(\{[^{}]+\}\))$/

// Beside `/{id}`, what has its key in brackets is like others that do, whatever its name: `/people({id})`, `/{name}({id})`.
function withAnyName(paths: Paths): Paths {
  const above = new Set(paths.map(({ path }) => pathShape(path)))
  return paths.flatMap(({ method, path }) => {
    const [, before, key] = IN_BRACKETS.exec(path) ?? []
    return before !== undefined && above.has(pathShape(`${before}{name}`))
      ? [{ method, path: `${before}{name}${key}`, like: path }]
      : []
  })
}

/** The path template of a request whose route is not known: what looks like an id is taken for one. */
export function templateOf({ segments }: Pick<RouteQuery, 'segments'>): string {
  return asTemplate(pathOf({ segments }))
}

// What looks like an id is one, though it was the only one so far.
function asTemplate(path: string): string {
  const taken = new Set(namesOf(path))
  const freeName = (): string => {
    let name = 'id'
    for (let count = 2; taken.has(name); count++) name = `id${count}`
    taken.add(name)
    return `{${name}}`
  }
  return path
    .split('/')
    .map((segment) => (isValue(segment) ? freeName() : segment))
    .join('/')
}

// So is what was hidden.
function isValue(segment: string): boolean {
  return segmentKind(segment) !== 'word' || isHidden(segment)
}

/** What of many samples shows which segments of paths are values: little enough that it can be held at once. */
interface ThinSamples {
  /** Those that differ, in the order they came, numbered by their `index`. */
  readonly samples: readonly Sample[]
  readonly mentions: Mentions
  add(sample: Sample): void
}

/** As many names of an object as show its form. */
const NAMES = 3

/** @param words the segments of all paths: nothing else that answers hold is of interest */
export function createThinSamples(words: ReadonlySet<string>): ThinSamples {
  const samples = new Map<string, Sample>()
  const skeletons = new Map<string, unknown>()
  const mentions = createMentions((text) => words.has(text))
  return {
    get samples() {
      return [...samples.values()]
    },
    mentions,
    add({ method, segments, status, response }) {
      const skeleton = skeletonOf(response, DEPTH)
      const form = JSON.stringify(skeleton) ?? ''
      const known = entryOf(samples, JSON.stringify([method, segments, status, form]), () => ({
        ...{ index: samples.size, method, segments, status },
        response: entryOf(skeletons, form, () => skeleton),
        // The same API at two hosts is one.
        ...{ origin: '', query: {}, headers: {}, responseHeaders: {}, mimeType: '' },
      }))
      if (status < 400) mentions.add(response, known.index)
    },
  }
}

/** How deep the form of an answer is looked at. */
const DEPTH = 3

// The form of an answer: types, and the first names of objects.
function skeletonOf(value: unknown, depth: number): unknown {
  if (depth === 0) return null
  if (Array.isArray(value)) return value.length === 0 ? [] : [skeletonOf(value[0], depth - 1)]
  if (typeof value === 'string') return ''
  if (typeof value === 'number') return 0
  if (!isObject(value)) return value
  const names = Object.keys(value).toSorted().slice(0, NAMES)
  return Object.fromEntries(names.map((name) => [name, skeletonOf(value[name], depth - 1)]))
}

/** Reads samples one after another, as often as it is called. */
export type ReadSamples = () => AsyncIterable<Sample> | Iterable<Sample>

/**
 * Reads a recording one exchange at a time.
 * @param onProgress called after every thousand exchanges with how many were read
 * @throws RecordingUnusable when there is no recording, or a line of it is not an exchange
 */
export function samplesIn(directory: string, onProgress?: (count: number) => void): ReadSamples {
  // Of other bodies only whether there is one is compared, and they may be of any size.
  return () => eachSample(directory, { onProgress, isWanted: ({ mimeType }) => isObservable(mimeType) })
}
