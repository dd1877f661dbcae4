import { entryOf } from '../../grouping.ts'
import { pathShape } from '../../routing/path-template.ts'
import { type Folded, samplesAt } from './fold-paths.ts'
import { withSamples } from './elsewhere.ts'
import { withIds } from './named-items.ts'
import type { Resource } from './resources.ts'
import { pathOf, type Sample } from './sample.ts'
import { type Exchanges, findSightings, otherPath } from './sightings.ts'

/** Finds the item that has to be there for the requests of a method and path, as the path of such items. */
type FindParent = (folded: Folded, samples: readonly Sample[]) => string | undefined

/** Whether a collection at a path had an item, by its id or another name, when an exchange came. */
type IsThere = (resource: Resource, path: string, name: string, index: number) => boolean

/** What exchanges show of the items of a collection, by its concrete path. */
export type SightingsOf = (resource: Resource) => ReturnType<typeof findSightings>

/** Looks what exchanges show of the items of collections. */
export function createSightings(folded: readonly Folded[]): SightingsOf {
  const exchangesOf = ({ host, path, collection, place, idOf, elsewhere }: Resource): Exchanges => {
    const at = (wanted: string): readonly Sample[] => samplesAt(folded, host, wanted)
    const items = path === collection ? [] : withIds(at(path), idOf)
    return withSamples({ place, idOf, items, own: at(collection) }, elsewhere)
  }
  const known = new Map<Resource, ReturnType<typeof findSightings>>()
  return (resource) => entryOf(known, resource, () => findSightings(exchangesOf(resource)))
}

/** Looks what was there at some time; what was seen first later was there before. */
export function createIsThere(sightingsOf: SightingsOf): IsThere {
  return (resource, path, name, index) => {
    const id = resource.idOf(path, name, index)
    const seen = sightingsOf(resource).get(path)
    const before = seen?.before(id, index)
    return before === undefined ? seen?.after(id, index)?.item !== undefined : before.item !== undefined
  }
}

/**
 * Which items others are below, and have to be there: requests below one that nobody made were answered 404, and all that
 * succeeded are below one that was there.
 */
export function createParents(resources: readonly Resource[], isThere: IsThere): FindParent {
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
        const isBelowOne = (sample: Sample): boolean => {
          const segments = other?.segments(sample) ?? []
          const path = pathOf({ segments: segments.slice(0, -1) })
          return isThere(resource, path, segments.at(-1) ?? '', sample.index)
        }
        return fine.every(isBelowOne) && missed.some((sample) => !isBelowOne(sample)) ? other?.at : undefined
      })
      .find((at) => at !== undefined)
  }
}
