import { lazy } from '../../engine/lazy.ts'
import { groupBy } from '../../grouping.ts'
import { pathShape, splitItemPath } from '../../routing/path-template.ts'
import { findActions } from './actions.ts'
import type { NamedItems } from './copied-fields.ts'
import { besidesAt, type Elsewhere, findElsewhere, type Sought, withSamples } from './elsewhere.ts'
import type { Folded } from './fold-paths.ts'
import { findItemPlace, type Item, type ItemPlace, listIn, placeOfMade } from './item-place.ts'
import { findListedPlace, isMaking, placeOfMadeAt } from './listed-place.ts'
import { createIdOf, type IdOf, withIds } from './named-items.ts'
import type { Paging } from './paging.ts'
import { play, type Played } from './play-collection.ts'
import { showsAbove } from './same-item.ts'
import { findSightings } from './sightings.ts'
import { findBeside, separateWrites, type WholeWrite } from './whole-writes.ts'

/** A collection whose items are created, read, changed and deleted, and what it held before the recording began. */
export interface Resource extends Played {
  /** The host it is at, in a recording of several. */
  readonly host: string | undefined
  /** The template of its items, such as `/users/{id}`; that of the collection where items have no routes. */
  readonly path: string
  readonly collection: string
  /** Where items and their ids are. */
  readonly place: ItemPlace
  /** The ids of items that paths name by another field. */
  readonly idOf: IdOf
  /** The names that lead to the list in the collection's answers; absent where they are the list, or there are none. */
  readonly list?: readonly string[] | undefined
  /** Whether it is the only item of its kind, at the collection's own path. */
  readonly isOnly?: boolean
  /** What such an item is where no request has written it yet. */
  readonly otherwise?: Item | undefined
  /** The path of the items of another collection that a PUT puts into this one. */
  readonly of?: string | undefined
  /** Other paths at which requests are about its items. */
  readonly elsewhere: readonly Elsewhere[]
  /** What requests do to several items at once, by method and path. */
  readonly whole?: ReadonlyMap<string, WholeWrite> | undefined
}

type Place = { readonly host: string | undefined; readonly path: string; readonly isApart?: boolean }

/** Whether a path is that of a collection, or of its items. */
export function isAtResource({ host, path, collection }: Resource, at: Place): boolean {
  return at.isApart !== true && host === at.host && (path === at.path || collection === at.path)
}

/** What requests of a method and path do with the items of a collection that has other paths. */
export function elsewhereOf(
  { host, elsewhere }: Resource,
  at: Place & { readonly method: string },
): Elsewhere | undefined {
  if (host !== at.host || at.isApart === true) return undefined
  return elsewhere.find(({ method, path }) => method === at.method && path === at.path)
}

/** What requests of a method and path do to several items of a collection. */
export function wholeWriteOf(
  { host, whole }: Resource,
  at: Place & { readonly method: string; readonly samples: readonly { readonly index: number }[] },
): WholeWrite | undefined {
  const write = host === at.host ? whole?.get(`${at.method} ${at.path}`) : undefined
  return write !== undefined && at.samples.some(({ index }) => write.indexes.has(index)) ? write : undefined
}

/** The collection that the requests of a method and path are about. */
export function resourceOf(
  resources: readonly Resource[],
  at: Place & { readonly method: string },
): Resource | undefined {
  return (
    resources.find((each) => isAtResource(each, at)) ??
    resources.find(
      (each) =>
        elsewhereOf(each, at) !== undefined ||
        (at.isApart !== true && each.host === at.host && each.whole?.has(`${at.method} ${at.path}`) === true),
    )
  )
}

/** Where the items of each collection are, by the requests to one of them: findItemPlace's answer, if there is one. */
export function findPlaces(folded: readonly Folded[]): ReadonlyMap<Folded, PlacedItems> {
  const places = new Map(
    folded.flatMap((items) => {
      const { host, path } = items
      const split = splitItemPath(path)
      if (split === undefined) return []
      const own = folded.find((each) => each.host === host && each.path === split.collection)
      const place = findItemPlace(items.samples, own?.samples ?? [], split.parameter)
      return place === undefined ? [] : [[items, { collection: split.collection, own, place }] as const]
    }),
  )
  const byShape = new Map([...places].map((each) => [`${each[0].host} ${pathShape(each[0].path)}`, each]))
  const able = new Map(
    [...places].filter(([{ host, path, samples }]) => {
      const above = byShape.get(`${host} ${pathShape(path).replace(BELOW, '')}`)
      return above === undefined || above[0].path === path || !showsAbove(samples, above)
    }),
  )
  return new Map([...able, ...findShown(folded, able)])
}

/** What paths of other items have after those that they are below. */
const BELOW = /\/[^/{}]+\/\{\}$/

/** Where items are that are made at a path, and listed there or said to be below it, and that no request is about by themselves. */
export function findMadeLists(
  folded: readonly Folded[],
  known: readonly Resource[],
): ReadonlyMap<Folded, PlacedItems> {
  const free = folded.filter(
    ({ host, path }) =>
      !known.some(
        (each) =>
          isAtResource(each, { host, path }) ||
          ['GET', 'POST'].some((method) => elsewhereOf(each, { host, path, method }) !== undefined),
      ),
  )
  const places = new Map(
    free.flatMap((own): readonly (readonly [Folded, PlacedItems])[] => {
      const place = own.parameters.includes('id')
        ? undefined
        : (findListedPlace(own.samples) ?? placeOfMade([], own.samples, 'id'))
      const items = { ...own, path: `${own.path}/{id}`, samples: [] }
      return place === undefined ? [] : [[items, { collection: own.path, own, place }]]
    }),
  )
  const isFree = (own: Folded): boolean => free.includes(own)
  const elsewhere = findMadeElsewhere(folded, isFree)
  const makers = new Set([...elsewhere.values()].map(({ maker }) => maker))
  const others = [...places].filter(([, { own }]) => own === undefined || !makers.has(own))
  return new Map([...others, ...elsewhere])
}

/** Where items are that are only listed at a path, and made at another that ends in the same name, such as `/users/{id}/items`. */
export function findMadeElsewhere(
  folded: readonly Folded[],
  isFree: (own: Folded) => boolean,
): ReadonlyMap<Folded, MadeElsewhere> {
  const makers = groupBy(folded.filter(makes), nameOf)
  return new Map(
    folded.flatMap((own): readonly (readonly [Folded, MadeElsewhere])[] => {
      const able = isFree(own) && !makes(own) && !own.path.endsWith('}') ? makers.get(nameOf(own)) : undefined
      const [found] = (able ?? []).flatMap((maker) => {
        const place = placeOfMadeAt(own, maker)
        return place === undefined ? [] : [{ place, maker }]
      })
      const items = { ...own, path: `${own.path}/{id}`, samples: [] }
      return found === undefined ? [] : [[items, { collection: own.path, own, ...found }]]
    }),
  )
}

interface MadeElsewhere extends PlacedItems {
  /** The path at which they are made. */
  readonly maker: Folded
}

function makes({ samples }: Folded): boolean {
  return samples.some(isMaking)
}

function nameOf({ host, path }: Folded): string {
  return `${host} ${path.split('/').at(-1)}`
}

/** Where items are that are read at a path below their own: `/boxes/{id}/json` shows what `/boxes/{id}` removes. */
function findShown(
  folded: readonly Folded[],
  places: ReadonlyMap<Folded, PlacedItems>,
): readonly (readonly [Folded, PlacedItems])[] {
  const shown = folded.flatMap((each): readonly (readonly [Folded, PlacedItems])[] => {
    const { host, path } = each
    const [, above = ''] = /^(.*\/\{[^{}]+\})\/[^/{}]+$/.exec(path) ?? []
    const split = splitItemPath(above)
    const reads = each.samples.filter(({ method }) => method === 'GET')
    if (split === undefined || reads.every(({ status }) => status >= 300)) return []
    const at = (wanted: string): Folded | undefined =>
      folded.find((other) => other.host === host && pathShape(other.path) === pathShape(wanted))
    const [real, own] = [at(above), at(split.collection)]
    if (real !== undefined && places.has(real)) return []
    const moved = reads.map((sample) => ({ ...sample, segments: sample.segments.slice(0, -1) }))
    const place = findItemPlace(moved, own?.samples ?? [], split.parameter)
    if (place === undefined) return []
    const show: Elsewhere = { method: 'GET', path, does: 'show', at: above, isShown: true, samples: moved }
    const items = real ?? { ...each, path: above, samples: [] }
    return [[items, { collection: splitItemPath(items.path)?.collection ?? '', own, place, show }]]
  })
  const best = shown.toSorted(([, a], [, b]) => (b.show?.samples.length ?? 0) - (a.show?.samples.length ?? 0))
  return best.filter(([{ host, path }], at) =>
    best.slice(0, at).every(([other]) => other.host !== host || pathShape(other.path) !== pathShape(path)),
  )
}

// What paths answer of items once it is known what others change.
function partsAfter(
  sought: Sought,
  actions: readonly Elsewhere[],
  others: readonly Folded[],
): readonly Elsewhere[] {
  const changed = new Set(
    actions.flatMap(({ entry, path }) => (entry === undefined ? [] : path.split('/').at(-2))),
  )
  if (changed.size === 0) return []
  const sightings = findSightings(sought)
  return others.flatMap((each) =>
    changed.has(each.path.split('/').at(-1)) ? besidesAt(each, sought, sightings) : [],
  )
}

// The items of a collection that is below no other.
function namedItems(
  { path, samples }: Folded,
  { collection, own, place }: PlacedItems,
): readonly NamedItems[] {
  if (collection.includes('{')) return []
  const seen = findSightings({ place, items: samples, own: own?.samples ?? [] }).get(collection)
  return seen === undefined ? [] : [{ path, before: (id, index) => seen.before(id, index)?.item }]
}

/** Where the items of a collection are, and what was requested of the collection itself. */
interface PlacedItems {
  readonly collection: string
  readonly own: Folded | undefined
  readonly place: ItemPlace
  /** The path below theirs at which they are read. */
  readonly show?: Elsewhere
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
  const removals = folded
    .flatMap(({ samples }) => samples)
    .flatMap(({ method, status, index }) => (method === 'DELETE' && status < 300 ? [index] : []))
    .toSorted((a, b) => a - b)
  const namedItemsOf = lazy(() => [...places].flatMap(([items, placed]) => namedItems(items, placed)))
  return [...places].flatMap(([items, { collection, own, place, show }]) => {
    const { host, path } = items
    const able = others.filter((each) => each.host === host)
    const ofItems = [...items.samples, ...(show?.samples ?? [])].toSorted((a, b) => a.index - b.index)
    const idOf = createIdOf(place, ofItems, own?.samples ?? [])
    const named = place.also === undefined ? ofItems : withIds(ofItems, idOf)
    const beside = findBeside(collection, place, named, own?.samples ?? [], able)
    const ofHost = able.filter((each) => !beside.some(({ path: at }) => at === each.path))
    const { whole, ...separated } = separateWrites(collection, place, named, own?.samples ?? [], beside)
    const sought = { collection, path, place, idOf, named: namedItemsOf, ...separated }
    const paths = findElsewhere(sought, own, ofHost)
    const actions = findActions(withSamples(sought, paths), own === undefined ? ofHost : [own, ...ofHost])
    const known = [...paths, ...actions]
    const elsewhere = [...known, ...partsAfter(withSamples(sought, known), actions, ofHost)]
    // Items that are only read, one by one, may be anything.
    const isKept = items.samples.some(({ method, status }) => method !== 'GET' && status < 300)
    if (!isKept && own === undefined && elsewhere.length === 0) return []
    const all = withSamples(sought, elsewhere)
    const shown =
      show === undefined ? elsewhere : [...elsewhere, { ...show, samples: withIds(show.samples, idOf) }]
    const lists = all.own.filter(({ method, status }) => method === 'GET' && status < 300)
    const { path: list } =
      lists.map(({ response }) => listIn(response)).find((each) => each !== undefined) ?? {}
    const changes = new Set(actions.flatMap(({ samples }) => samples))
    return [
      {
        host,
        path,
        collection,
        place,
        idOf,
        list,
        elsewhere: shown,
        ...(whole.size > 0 && { whole }),
        ...play(all, changes, own && pagingOf(own), removals),
      },
    ]
  })
}
