import { groupBy } from '../../grouping.ts'
import type { CallModel } from '../../engine/call-model.ts'
import { inferCalls } from '../calls/infer-model.ts'
import type { Protocol } from '../protocols/protocol.ts'
import type { Folded } from './fold-paths.ts'
import { emptyRoute, type InferredRoute } from './infer-route.ts'
import { protocolOf } from './operations.ts'
import { pathOf, type Sample } from './sample.ts'

/** What calls do that have a path each. */
export interface PathCalls {
  /** What the requests of a path and method do; the same for all that are about the same objects. */
  modelOf(folded: Folded, method: string): CallModel | undefined
  /** Routes for what is below a path where all calls are about the same objects, and was not requested. */
  readonly others: readonly InferredRoute[]
}

interface Group {
  readonly of: readonly { readonly folded: Folded; readonly method: string }[]
  readonly samples: readonly Sample[]
  readonly protocol: Protocol
  readonly root?: string
}

/** Finds what calls do that have a path each: those of one host, or of one root where their protocol has such. */
export function callsOfPaths(all: readonly Folded[]): PathCalls {
  const spoken = all.flatMap((folded) =>
    [...groupBy(folded.samples, ({ method }) => method)].flatMap(([method, samples]) => {
      const protocol = protocolOf(samples)
      const isCall = protocol?.calls?.isOfPaths === true
      const isUsable = isCall && (protocol.calls?.roots !== undefined || !folded.path.includes('{'))
      return isUsable ? [{ folded, method, samples, protocol }] : []
    }),
  )
  const groups = [...groupBy(spoken, ({ folded, protocol }) => `${folded.host} ${protocol.name}`).values()]
  const models = groups.flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const samples = own.flatMap((each) => each.samples)
    const { protocol, folded } = first
    const roots = protocol.calls?.roots?.(samples)
    const divided: readonly Group[] =
      roots === undefined
        ? [{ of: own, samples, protocol }]
        : divide(
            all.filter(({ host }) => host === folded.host),
            roots,
            protocol,
          )
    return divided.flatMap((group) => {
      const ordered = group.samples.toSorted((a, b) => a.index - b.index)
      const model = inferCalls(ordered, protocol)
      return model === undefined ? [] : [{ ...group, model, host: folded.host }]
    })
  })
  return {
    modelOf: (folded, method) =>
      models.find(({ of }) => of.some((each) => each.folded === folded && each.method === method))?.model,
    others: models.flatMap(({ root, of, model, host }) => {
      if (root === undefined) return []
      const path = `${root}/{path*}`
      const methods = new Set(of.map(({ method }) => method))
      const isThere = of.some(({ folded }) => folded.path === path)
      return isThere
        ? []
        : [...methods].map((method) => ({ ...emptyRoute(method, host, path), calls: model }))
    }),
  }
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
