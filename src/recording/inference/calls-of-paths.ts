import { groupBy } from '../../grouping.ts'
import type { CallModel } from '../../engine/call-model.ts'
import { inferCalls } from '../calls/infer-model.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { PROTOCOLS } from '../protocols/protocols.ts'
import type { Folded } from './fold-paths.ts'
import { emptyRoute, type InferredRoute } from './infer-route.ts'
import { protocolOf } from './operations.ts'
import { pathOf, type Sample } from './sample.ts'

/** What calls do that have a path each. */
export interface PathCalls {
  /** What the requests of a path and method do; the same for all that are about the same objects. */
  modelOf(folded: Folded, method: string): CallModel | undefined
  /** Routes for what is below a path where all calls are about the same objects, and have no route of their own. */
  readonly others: readonly InferredRoute[]
  /** The paths of which those are the routes. */
  readonly covered: ReadonlySet<Folded>
  /** The tokens that answers gave, by the index of their requests. */
  readonly given: ReadonlyMap<number, readonly string[]>
}

/** Requests of one path and method, and the protocol they are in. */
interface SpokenPath {
  readonly folded: Folded
  readonly method: string
  readonly samples: readonly Sample[]
  readonly protocol: Protocol
}

interface Group {
  readonly of: readonly { readonly folded: Folded; readonly method: string }[]
  readonly samples: readonly Sample[]
  readonly protocol: Protocol
  readonly root?: string
}

/**
 * Finds what calls do that have a path each: those of one host, or of one root where their protocol has such.
 * @param isTogether whether to find protocols that no exchange shows alone
 */
export function callsOfPaths(all: readonly Folded[], isTogether: boolean): PathCalls {
  const spoken = all.flatMap((folded) =>
    [...groupBy(folded.samples, ({ method }) => method)].flatMap(
      ([method, samples]): readonly SpokenPath[] => {
        const protocol = protocolOf(samples)
        const isCall = protocol?.calls?.isOfPaths === true
        const isUsable = isCall && (protocol.calls?.roots !== undefined || !folded.path.includes('{'))
        return isUsable ? [{ folded, method, samples, protocol }] : []
      },
    ),
  )
  const groups = [
    ...groupBy(
      isTogether ? [...spoken, ...seenTogether(all, new Set(spoken.map(({ folded }) => folded)))] : spoken,
      ({ folded, protocol }) => `${folded.host} ${protocol.name}`,
    ).values(),
  ]
  const found = groups.flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const samples = own.flatMap((each) => each.samples).toSorted((a, b) => a.index - b.index)
    const { protocol, folded } = first
    const ofHost = all.filter(({ host }) => host === folded.host)
    const roots = protocol.calls?.roots?.(samples, ofHost)
    const divided: readonly Group[] =
      roots === undefined ? [{ of: own, samples, protocol }] : divide(ofHost, roots, protocol)
    return divided.flatMap((group) => {
      const ordered = group.samples.toSorted((a, b) => a.index - b.index)
      const model = inferCalls(ordered, protocol, group.root)
      return model === undefined ? [] : [{ ...group, model, host: folded.host }]
    })
  })
  // Of what no exchange shows alone, the first protocol that explains a path counts.
  const models = found.filter(
    ({ of, protocol }, at) =>
      protocol.isSeenTogether !== true ||
      !found
        .slice(0, at)
        .some(
          (other) => other.protocol.isSeenTogether === true && other.of.some((each) => isSameOf(of, each)),
        ),
  )
  return {
    modelOf: (folded, method) =>
      models.find(({ of }) => of.some((each) => each.folded === folded && each.method === method))?.model,
    others: models.flatMap(({ root, of, model, host, protocol, samples }) => {
      if (root === undefined) return []
      const path = `${root}/{path*}`
      if (protocol.isSeenTogether === true) return routesOfAll(samples, { root, path, host, model })
      // Where only the recorded calls are known, others have no answer.
      if (model.learned === undefined && model.unknown === undefined) return []
      const methods = new Set([...of.map(({ method }) => method), ...(protocol.calls?.methods ?? [])])
      const isThere = of.some(({ folded }) => folded.path === path)
      return isThere
        ? []
        : [...methods].map((method) => {
            const done = samples.find((each) => each.method === method && each.status < 300)
            const route = emptyRoute(method, host, path)
            return { ...route, ...(done !== undefined && { status: done.status }), calls: model }
          })
    }),
    given: new Map(
      models.flatMap(({ protocol: { calls }, samples }) =>
        samples.flatMap((sample) => {
          const tokens = calls?.gives?.(sample) ?? []
          return tokens.length === 0 ? [] : [[sample.index, tokens] as const]
        }),
      ),
    ),
    covered: new Set(
      models.flatMap(({ protocol, of }) =>
        protocol.isSeenTogether === true ? of.map(({ folded }) => folded) : [],
      ),
    ),
  }
}

function isSameOf(all: Group['of'], { folded }: Group['of'][number]): boolean {
  return all.some((each) => each.folded === folded)
}

// One path is like all others there.
function routesOfAll(
  samples: readonly Sample[],
  {
    root,
    path,
    host,
    model,
  }: {
    readonly root: string
    readonly path: string
    readonly host: string | undefined
    readonly model: CallModel
  },
): readonly InferredRoute[] {
  const pathFor = (sample: Sample): string => (pathOf(sample) === (root || '/') ? pathOf(sample) : path)
  return [...groupBy(samples, (sample) => `${sample.method} ${pathFor(sample)}`).values()].flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const route = emptyRoute(first.method, host, pathFor(first))
    const failed = own.map(({ status }) => status).filter((status) => status >= 400)
    const { status } = own.find((each) => each.status < 400) ?? first
    const errorCodes = [...new Set(failed)].toSorted((a, b) => a - b)
    return [{ ...route, samples: own, status, errorCodes, calls: model }]
  })
}

// What is in no protocol may be in one that no exchange shows alone.
function seenTogether(all: readonly Folded[], spoken: ReadonlySet<Folded>): readonly SpokenPath[] {
  const rest = all.filter((folded) => !spoken.has(folded))
  return PROTOCOLS.filter(({ isSeenTogether }) => isSeenTogether === true).flatMap((protocol) =>
    rest.flatMap((folded) =>
      [...groupBy(folded.samples, ({ method }) => method)].map(([method, samples]) => ({
        ...{ folded, method, samples, protocol },
      })),
    ),
  )
}

// Whatever is below a root is about its objects, whether or not it says so.
function divide(all: readonly Folded[], roots: readonly string[], protocol: Protocol): readonly Group[] {
  const taken = new Set<Folded>()
  return roots
    .toSorted((a, b) => b.length - a.length || Number(a > b) - Number(a < b))
    .flatMap((root): Group[] => {
      const own = all.filter((folded) => {
        const [sample] = folded.samples
        return sample !== undefined && !taken.has(folded) && `${pathOf(sample)}/`.startsWith(`${root}/`)
      })
      for (const folded of own) taken.add(folded)
      const of = own.flatMap((folded) =>
        [...new Set(folded.samples.map(({ method }) => method))].map((method) => ({ folded, method })),
      )
      return of.length === 0 ? [] : [{ of, samples: own.flatMap(({ samples }) => samples), protocol, root }]
    })
}
