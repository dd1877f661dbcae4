import { splitItemPath } from '../../routing/path-template.ts'
import { findActions } from './actions.ts'
import { type Elsewhere, findElsewhere, withSamples } from './elsewhere.ts'
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
  /** Other paths at which requests are about its items. */
  readonly elsewhere: readonly Elsewhere[]
}

type Place = { readonly host: string | undefined; readonly path: string }

/** Whether a path is that of a collection, or of its items. */
export function isAtResource({ host, path, collection }: Resource, at: Place): boolean {
  return host === at.host && (path === at.path || collection === at.path)
}

/** What requests of a method and path do with the items of a collection that has other paths. */
export function elsewhereOf(
  { host, elsewhere }: Resource,
  at: Place & { readonly method: string },
): Elsewhere | undefined {
  if (host !== at.host) return undefined
  return elsewhere.find(({ method, path }) => method === at.method && path === at.path)
}

/** The collection that the requests of a method and path are about. */
export function resourceOf(
  resources: readonly Resource[],
  at: Place & { readonly method: string },
): Resource | undefined {
  return (
    resources.find((each) => isAtResource(each, at)) ??
    resources.find((each) => elsewhereOf(each, at) !== undefined)
  )
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
  const taken = new Set(
    [...places].flatMap(([items, { own }]) => (own === undefined ? [items] : [items, own])),
  )
  const others = folded.filter((each) => !taken.has(each))
  return [...places].flatMap(([items, { collection, own, place }]) => {
    const { host, path } = items
    const ofHost = others.filter((each) => each.host === host)
    const sought = { collection, path, place, items: items.samples, own: own?.samples ?? [] }
    const paths = findElsewhere(sought, ofHost)
    const actions = findActions(withSamples(sought, paths), ofHost)
    const elsewhere = [...paths, ...actions]
    // Items that are only read, one by one, may be anything.
    const isKept = items.samples.some(({ method, status }) => method !== 'GET' && status < 300)
    if (!isKept && own === undefined && elsewhere.length === 0) return []
    const all = withSamples(sought, elsewhere)
    const lists = all.own.filter(({ method, status }) => method === 'GET' && status < 300)
    const { path: list } =
      lists.map(({ response }) => listIn(response)).find((each) => each !== undefined) ?? {}
    const changes = new Set(actions.flatMap(({ samples }) => samples))
    return [{ host, path, collection, place, list, elsewhere, ...play(all, changes, own && pagingOf(own)) }]
  })
}
