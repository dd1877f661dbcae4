import { splitItemPath } from '../../routing/path-template.ts'
import type { Folded } from './fold-paths.ts'
import { findItemPlace, type ItemPlace, listIn } from './item-place.ts'
import type { Paging } from './paging.ts'
import { play, type Played } from './play-collection.ts'

/** A collection whose items are created, read, changed and deleted, and what it held before the recording began. */
export interface Resource extends Played {
  /** The host it is at, in a recording of several. */
  readonly host: string | undefined
  /** The template of its items, such as `/users/{id}`; that of the collection where items have no routes. */
  readonly path: string
  readonly collection: string
  /** Where items and their ids are. */
  readonly place: ItemPlace
  /** The names that lead to the list in the collection's answers; absent where they are the list, or there are none. */
  readonly list?: readonly string[] | undefined
}

/** Where the items of each collection are, by the requests to one of them: findItemPlace's answer, if there is one. */
export function findPlaces(folded: readonly Folded[]): ReadonlyMap<Folded, PlacedItems> {
  return new Map(
    folded.flatMap((items) => {
      const { host, path } = items
      const split = splitItemPath(path)
      if (split === undefined) return []
      const own = folded.find((each) => each.host === host && each.path === split.collection)
      const place = findItemPlace(items.samples, own?.samples ?? [], split.parameter)
      return place === undefined ? [] : [[items, { collection: split.collection, own, place }] as const]
    }),
  )
}

/** Where the items of a collection are, and what was requested of the collection itself. */
interface PlacedItems {
  readonly collection: string
  readonly own: Folded | undefined
  readonly place: ItemPlace
}

/**
 * Plays a recording back over the routes of each collection, and keeps score of what a store would have answered.
 * @param pagingOf how the list of a collection is answered in pages
 */
export function findResources(
  folded: readonly Folded[],
  pagingOf: (own: Folded) => Paging | undefined = () => undefined,
  places: ReadonlyMap<Folded, PlacedItems> = findPlaces(folded),
): readonly Resource[] {
  return [...places].flatMap(([items, { collection, own, place }]) => {
    const { host, path } = items
    // Items that are only read, one by one, may be anything.
    const isKept = items.samples.some(({ method, status }) => method !== 'GET' && status < 300)
    if (!isKept && own === undefined) return []
    const lists = (own?.samples ?? []).filter(({ method, status }) => method === 'GET' && status < 300)
    const { path: list } =
      lists.map(({ response }) => listIn(response)).find((each) => each !== undefined) ?? {}
    return [{ host, path, collection, place, list, ...play(items, own, place, own && pagingOf(own)) }]
  })
}
