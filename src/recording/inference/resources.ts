import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../engine/schema/schema.ts'
import { entryOf } from '../../grouping.ts'
import { splitItemPath } from '../../routing/path-template.ts'
import type { Folded } from './fold-paths.ts'
import { findItemPlace, idIn, type Item, type ItemPlace, itemView, listIn } from './item-place.ts'
import { createWriteNotes, type ItemWrites } from './item-writes.ts'
import type { Walk } from './page-walk.ts'
import type { Paging } from './paging.ts'
import { pathOf, type Sample } from './sample.ts'

/** A collection whose items are created, read, changed and deleted, and what it held before the recording began. */
export interface Resource {
  /** The host it is at, in a recording of several. */
  readonly host: string | undefined
  /** The template of its items, such as `/users/{id}`; that of the collection where items have no routes. */
  readonly path: string
  readonly collection: string
  /** Where items and their ids are. */
  readonly place: ItemPlace
  /** The names that lead to the list in the collection's answers; absent where they are the list, or there are none. */
  readonly list?: readonly string[] | undefined
  readonly writes: ItemWrites
  /** Items by concrete collection path. */
  readonly seeds: ReadonlyMap<string, readonly Item[]>
  /** How often a later answer showed what an earlier request did, and how often it did not. */
  readonly confirmed: number
  readonly contradicted: number
}

/** A collection at one concrete path, as far as the recording has gone. */
interface Known {
  readonly items: Map<string, Item>
  readonly gone: Set<string>
  /** What was there before anything in the recording changed it. */
  readonly seeds: Map<string, Item>
}

/** Plays a recording back over the routes of each collection, and keeps score of what a store would have answered. */
export function findResources(
  folded: readonly Folded[],
  pagings: ReadonlyMap<Folded, Paging | undefined> = new Map(),
): readonly Resource[] {
  return folded.flatMap((items) => {
    const { host, path } = items
    const split = splitItemPath(path)
    if (split === undefined) return []
    const { collection, parameter } = split
    const own = folded.find((each) => each.host === host && each.path === collection)
    // Items that are only read, one by one, may be anything.
    const isKept = items.samples.some(({ method, status }) => method !== 'GET' && status < 300)
    const place = findItemPlace(items.samples, own?.samples ?? [], parameter)
    if (place === undefined || (!isKept && own === undefined)) return []
    const { collections, ...score } = play(items, own, place)
    const lists = (own?.samples ?? []).filter(({ method, status }) => method === 'GET' && status < 300)
    const { path: list } =
      lists.map(({ response }) => listIn(response)).find((each) => each !== undefined) ?? {}
    const paging = own && pagings.get(own)
    const seeds = [...collections].map(([at, known]): [string, readonly Item[]] => [
      at,
      inOrder([...known.seeds.values()], place, paging?.lists.get(at)),
    ])
    return [{ host, path, collection, place, list, seeds: new Map(seeds), ...score }]
  })
}

// Pages may be read in any order.
function inOrder(items: readonly Item[], place: ItemPlace, walk: Walk | undefined): readonly Item[] {
  if (walk === undefined) return items
  const ids = new Map([...walk.items].map(([at, item]) => [idIn(item, place), at]))
  const orderOf = (item: Item): number => ids.get(idIn(item, place)) ?? Number.MAX_SAFE_INTEGER
  return items.toSorted((a, b) => orderOf(a) - orderOf(b))
}

/** How often answers were those of a store, and how often not. */
type Score = Mutable<Pick<Resource, 'confirmed' | 'contradicted'>>
type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] }

function play(
  items: Folded,
  own: Folded | undefined,
  place: ItemPlace,
): Score & Pick<Resource, 'writes'> & { readonly collections: ReadonlyMap<string, Known> } {
  const samples = [...items.samples, ...(own?.samples ?? [])].toSorted((a, b) => a.index - b.index)
  const ofItems = new Set(items.samples)
  const collections = new Map<string, Known>()
  const score: Score = { confirmed: 0, contradicted: 0 }
  const writes = createWriteNotes(place)
  for (const sample of samples) {
    const { segments } = sample
    const isItem = ofItems.has(sample)
    const path = pathOf({ ...sample, segments: isItem ? segments.slice(0, -1) : segments })
    const known = entryOf(collections, path, nothingKnown)
    const view = itemView(sample, place)
    if (isItem) {
      const id = segments.at(-1) ?? ''
      writes.note(view, true, known.items.get(id))
      scoreItem(view, id, known, score)
    } else {
      writes.note(view, false, undefined)
      scoreCollection(view, place, known, score)
    }
  }
  return { collections, writes: writes.found(), ...score }
}

function nothingKnown(): Known {
  return { items: new Map(), gone: new Set(), seeds: new Map() }
}

function scoreItem({ method, status, response }: Sample, id: string, known: Known, score: Score): void {
  const before = known.items.get(id)
  const isGone = known.gone.has(id)
  if (status === 404) {
    if (isGone) score.confirmed++
    else if (before !== undefined) score.contradicted++
  }
  if (status >= 300) return
  if (isGone && method !== 'PUT') score.contradicted++
  if (method === 'DELETE') {
    known.items.delete(id)
    known.gone.add(id)
  } else if (isObject(response)) {
    if (method === 'GET' && before !== undefined) {
      if (isSameItem(before, response)) score.confirmed++
      else score.contradicted++
    }
    // Seen before anything in the recording made it: it was there from the start.
    if (before === undefined && method !== 'PUT') known.seeds.set(id, response)
    known.items.set(id, response)
    known.gone.delete(id)
  } else if (method === 'PUT' || method === 'PATCH') {
    known.items.set(id, UNKNOWN)
    known.gone.delete(id)
  }
}

// It is there, and no answer says how.
const UNKNOWN: Item = {}

function scoreCollection(
  { method, status, response }: Sample,
  place: ItemPlace,
  known: Known,
  score: Score,
): void {
  if (status >= 300) return
  if (method === 'POST' && isObject(response)) {
    const id = idIn(response, place)
    if (id !== undefined) {
      known.items.set(id, response)
      known.gone.delete(id)
    }
  }
  for (const item of method === 'GET' ? (listIn(response)?.items ?? []) : []) {
    const id = idIn(item, place)
    if (id === undefined) continue
    const before = known.items.get(id)
    if (known.gone.has(id)) score.contradicted++
    else if (before === undefined) {
      known.seeds.set(id, item)
      known.items.set(id, item)
    } else if (isSameItem(before, item)) score.confirmed++
  }
}

// Lists often show less of an item than its own path does.
function isSameItem(a: Item, b: Item): boolean {
  const shared = Object.keys(a).filter((name) => Object.hasOwn(b, name))
  const same = shared.filter((name) => isDeepStrictEqual(a[name], b[name]))
  return same.length * 5 >= shared.length * 4
}
