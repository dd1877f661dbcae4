import { pathShape } from '../../routing/path-template.ts'
import type { Folded } from './fold-paths.ts'
import { withSamples } from './elsewhere.ts'
import { withIds } from './named-items.ts'
import type { Resource } from './resources.ts'
import { pathOf, type Sample } from './sample.ts'
import { type Exchanges, findSightings, otherPath } from './sightings.ts'

/** Finds the item that has to be there for the requests of a method and path, as the path of such items. */
type FindParent = (folded: Folded, samples: readonly Sample[]) => string | undefined

/**
 * Which items others are below, and have to be there: requests below one that nobody made were answered 404, and all that
 * succeeded are below one that was there.
 */
export function createParents(folded: readonly Folded[], resources: readonly Resource[]): FindParent {
  const exchangesOf = ({ host, path, collection, place, idOf, elsewhere }: Resource): Exchanges => {
    const at = (wanted: string): readonly Sample[] =>
      folded.find((each) => each.host === host && each.path === wanted)?.samples ?? []
    const items = path === collection ? [] : withIds(at(path), idOf)
    return withSamples({ place, idOf, items, own: at(collection) }, elsewhere)
  }
  const known = new Map<Resource, ReturnType<typeof findSightings>>()
  const sightingsOf = (resource: Resource): ReturnType<typeof findSightings> => {
    const found = known.get(resource) ?? findSightings(exchangesOf(resource))
    known.set(resource, found)
    return found
  }
  return (below, samples) => {
    const missed = samples.filter(({ status }) => status === 404)
    const fine = samples.filter(({ status }) => status < 300)
    if (missed.length === 0 || fine.length === 0) return undefined
    const above = resources.filter(
      ({ host, path }) =>
        host === below.host && `${pathShape(below.path)}/`.startsWith(`${pathShape(path)}/`),
    )
    return above
      .filter(({ path }) => path.includes('{') && pathShape(path) !== pathShape(below.path))
      .toSorted((a, b) => b.path.length - a.path.length)
      .map((resource) => {
        const other = otherPath(resource.path, below)
        const isThere = (sample: Sample): boolean => {
          const segments = other?.segments(sample) ?? []
          const path = pathOf({ segments: segments.slice(0, -1) })
          const id = resource.idOf(path, segments.at(-1) ?? '', sample.index)
          const seen = sightingsOf(resource).get(path)
          const before = seen?.before(id, sample.index)
          return before === undefined
            ? seen?.after(id, sample.index)?.item !== undefined
            : before.item !== undefined
        }
        return fine.every(isThere) && missed.some((sample) => !isThere(sample)) ? other?.at : undefined
      })
      .find((at) => at !== undefined)
  }
}
