import { isObject } from '../../engine/schema/schema.ts'
import type { Folded } from './fold-paths.ts'
import { idIn, type Item, itemView, listIn } from './item-place.ts'
import { isSameItem } from './play-collection.ts'
import { pathOf, type Sample } from './sample.ts'
import { type Exchanges, findSightings, type OtherPath, otherPath, type Sightings } from './sightings.ts'

/** What requests of one method and path do with the items of a collection that has other paths. */
export interface Elsewhere {
  readonly method: string
  readonly path: string
  readonly does: 'create' | 'list' | 'change' | 'remove'
  /** The path of the collection, or of the item, with parameters as this path names them. */
  readonly at: string
  /** The path parameter whose value listed items have in the field of that name. */
  readonly filter?: string | undefined
  /** Fields that a change gives these values, and members of its bodies that items do not have. */
  readonly sets?: Item | undefined
  readonly drops?: readonly string[] | undefined
  /** Whether a change keeps what is sent, and whether its answers are the item. */
  readonly keepsSent?: boolean
  readonly isShown: boolean
  /** Its exchanges as if they had been sent to the collection, or to the item. */
  readonly samples: readonly Sample[]
}

/** A collection that is looked for at other paths. */
export interface Sought extends Exchanges {
  readonly collection: string
  /** The template of its items. */
  readonly path: string
}

/**
 * Finds the paths at which items of a collection are made or listed that has another path: what is answered there is
 * read, changed or removed by the paths of the items.
 * @param others the other paths of the host
 */
export function findElsewhere(sought: Sought, others: readonly Folded[]): readonly Elsewhere[] {
  const sightings = findSightings(sought)
  const made = others.flatMap((each) =>
    ['POST', 'PUT'].flatMap((method) => madeAt(each, method, sought, sightings) ?? []),
  )
  const known = made.length === 0 ? sightings : findSightings(withSamples(sought, made))
  const listed = others.flatMap((each) => listedAt(each, sought, known) ?? [])
  const hasList = sought.own.some(({ method, status }) => method === 'GET' && status < 300)
  // One list has all items.
  const [whole] = listed
    .filter(({ filter }) => !hasList && filter === undefined)
    .toSorted((a, b) => b.samples.length - a.samples.length)
  return [...made, ...listed.filter((each) => each.filter !== undefined || each === whole)]
}

/** A collection with the exchanges of other paths, too. */
export function withSamples<Each extends Exchanges>(sought: Each, elsewhere: readonly Elsewhere[]): Each {
  const joined = (samples: readonly Sample[], isOfItem: boolean): readonly Sample[] => {
    const own = elsewhere.filter(({ does }) => (does === 'change' || does === 'remove') === isOfItem)
    return [...samples, ...own.flatMap((each) => each.samples)].toSorted((a, b) => a.index - b.index)
  }
  return { ...sought, items: joined(sought.items, true), own: joined(sought.own, false) }
}

type ByPath = ReadonlyMap<string, Sightings>

// All that was made there has an id, and what is read of that later, and not before, is what was made.
function madeAt(folded: Folded, method: string, sought: Sought, sightings: ByPath): Elsewhere | undefined {
  const { collection, place } = sought
  const own = folded.samples.filter((sample) => sample.method === method)
  const fine = own.filter(({ status }) => status < 300)
  const other = fine.length === 0 ? undefined : otherPath(collection, folded)
  if (other === undefined) return undefined
  let confirmed = 0
  for (const sample of fine) {
    const { response } = itemView(sample, place)
    const id = isObject(response) ? idIn(response, place) : undefined
    if (id === undefined || !isObject(response) || sample.segments.includes(id)) return undefined
    const seen = sightings.get(pathAt(sample, other))
    if (seen?.before(id, sample.index)?.item !== undefined) return undefined
    const item = seen?.after(id, sample.index)?.item
    if (item === undefined) continue
    if (!isLike(response, item, id)) return undefined
    confirmed++
  }
  if (confirmed === 0) return undefined
  const samples = own.map((sample) => ({ ...sample, segments: other.segments(sample), method: 'POST' }))
  return { method, path: folded.path, does: 'create', at: other.at, isShown: true, samples }
}

interface List {
  readonly sample: Sample
  readonly items: readonly Item[]
  readonly ids: readonly string[]
}

// At least half of what is listed there is known, and nothing is left out that is there.
function listedAt(folded: Folded, { collection, place }: Sought, sightings: ByPath): Elsewhere | undefined {
  const own = folded.samples.filter(({ method }) => method === 'GET')
  const fine = own.filter(({ status }) => status < 300)
  const lists = fine.flatMap((sample): readonly List[] => {
    const { items } = listIn(sample.response) ?? {}
    const ids = items?.flatMap((item) => idIn(item, place) ?? [])
    return items === undefined || ids?.length !== items.length ? [] : [{ sample, items, ids }]
  })
  const other = lists.length < fine.length ? undefined : otherPath(collection, folded)
  if (other === undefined) return undefined
  const seenBy = ({ sample }: List): Sightings | undefined => sightings.get(pathAt(sample, other))
  const shown = lists.flatMap((list) =>
    list.ids.map((id) => ({ id, isKnown: seenBy(list)?.ids.has(id) === true })),
  )
  if (shown.length === 0 || shown.filter(({ isKnown }) => isKnown).length * 2 < shown.length) return undefined
  const chooses = (filter: string | undefined): boolean =>
    lists.every((list) => {
      const value = filter === undefined ? undefined : folded.values(list.sample)[filter]
      return isListOf(list, seenBy(list), (item) => filter === undefined || String(item[filter]) === value)
    })
  const filters = [...folded.parameters, undefined]
  const at = filters.findIndex(chooses)
  if (at < 0) return undefined
  const filter = filters[at]
  const samples = own.map((sample) => {
    const query = filter === undefined ? {} : { [filter]: folded.values(sample)[filter] ?? '' }
    return { ...sample, segments: other.segments(sample), query: { ...sample.query, ...query } }
  })
  return { method: 'GET', path: folded.path, does: 'list', at: other.at, filter, isShown: true, samples }
}

function isListOf(
  { sample: { index, query }, items, ids }: List,
  seen: Sightings | undefined,
  isChosen: (item: Item) => boolean,
): boolean {
  const isShown = new Set(ids)
  const isWhole = Object.keys(query).length === 0
  return (
    items.every((item, at) => {
      const known = seen?.before(ids[at] ?? '', index)?.item
      return isChosen(item) && (known === undefined || isLike(item, known, ids[at] ?? ''))
    }) &&
    (seen?.thereAt(index) ?? []).every(
      (id) => isShown.has(id) || !isWhole || !isChosen(seen?.before(id, index)?.item ?? {}),
    )
  )
}

function pathAt(sample: Sample, { segments }: OtherPath): string {
  return pathOf({ segments: segments(sample) })
}

// A number proves little by itself.
function isLike(one: Item, other: Item, id: string): boolean {
  const shared = Object.keys(one).filter((name) => Object.hasOwn(other, name))
  return (shared.length > 1 || !/^\d*$/.test(id)) && isSameItem(one, other)
}
