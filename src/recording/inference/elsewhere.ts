import { fieldOf } from '../../collections/list-query.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { EntryOption, ItemOption, Selection } from '../../engine/route-options.ts'
import { aliasesOf, fieldsLike } from './aliases.ts'
import type { NamedItems } from './copied-fields.ts'
import type { Reason } from './taken.ts'
import { correlationFields } from './correlation.ts'
import type { Folded } from './fold-paths.ts'
import { idIn, type Item, itemView, listIn } from './item-place.ts'
import { isSameItem } from './same-item.ts'
import { pathOf, type Sample } from './sample.ts'
import { countedAt, firstAt } from './counted-items.ts'
import { partAt } from './item-parts.ts'
import { isScalar } from './values.ts'
import { type Exchanges, findSightings, type OtherPath, otherPath, type Sightings } from './sightings.ts'

/** What requests of one method and path do with the items of a collection that has other paths. */
export interface Elsewhere {
  readonly method: string
  readonly path: string
  readonly does: 'create' | 'list' | 'count' | 'first' | 'part' | 'show' | 'change' | 'remove'
  /** The path of the collection, or of the item, with parameters as this path names them. */
  readonly at: string
  /** The path parameter whose value listed items have in the field of that name, and the field where it has another. */
  readonly filter?: string | undefined
  readonly alias?: string | undefined
  /** Where answers have the number of items, and what chooses those that count. */
  readonly counts?: readonly string[] | undefined
  readonly select?: Selection | undefined
  /** Where a part of an item is in it, and in answers, which are that. */
  readonly part?: readonly string[] | undefined
  readonly answer?: readonly string[] | undefined
  /** Fields that a change gives these values, and members of its bodies that items do not have. */
  readonly sets?: Item | undefined
  readonly drops?: readonly string[] | undefined
  /** Whether a change was refused where an item had the values already that it sets. */
  readonly once?: boolean
  /** The values that items had in a field where they were changed, of which others were refused. */
  readonly from?: ItemOption['from']
  /** The models of fields that it makes anew, such as times. */
  readonly touches?: ItemOption['touches']
  /** Numbers that it adds to fields, and what these are not brought below. */
  readonly adds?: ItemOption['adds']
  readonly least?: ItemOption['least']
  /** The exchanges that were refused for what the item was, and what it was. */
  readonly refused?: ReadonlyMap<number, Item>
  /** Why, where it was not for what is set. */
  readonly reasons?: ReadonlyMap<number, Reason>
  /** Whether a change keeps what is sent, whether it takes away what is not, and whether answers are the item. */
  readonly keepsSent?: boolean
  readonly replaces?: boolean
  readonly isShown: boolean
  /** Which list of the item a change is of. */
  readonly entry?: EntryOption | undefined
  /** The items whose fields its entries copy. */
  readonly refers?: ItemOption['refers']
  /** Its exchanges as if they had been sent to the collection, or to the item. */
  readonly samples: readonly Sample[]
}

/** A collection that is looked for at other paths. */
export interface Sought extends Exchanges {
  readonly collection: string
  /** The template of its items. */
  readonly path: string
  /** The items of all collections. */
  readonly named?: (() => readonly NamedItems[]) | undefined
}

/**
 * Finds the paths at which items of a collection are made or listed that has another path: what is answered there is
 * read, changed or removed by the paths of the items.
 * @param own the collection's own path, which may answer what it makes by less than that
 * @param others the other paths of the host
 */
export function findElsewhere(
  sought: Sought,
  own: Folded | undefined,
  others: readonly Folded[],
): readonly Elsewhere[] {
  const sightings = findSightings(sought)
  const able = own === undefined ? others : [own, ...others]
  // What was made below a parent may have been listed there alone.
  const withOwnList = (each: Folded): ByPath => {
    const isMade = each !== own && each.samples.some(({ method }) => method === 'POST')
    const list = isMade ? listedAt(each, sought, sightings) : undefined
    return list?.filter === undefined ? sightings : findSightings(withSamples(sought, [list]))
  }
  const made = able.flatMap((each) =>
    ['POST', 'PUT'].flatMap((method) => madeAt(each, method, sought, withOwnList(each)) ?? []),
  )
  const known = made.length === 0 ? sightings : findSightings(withSamples(sought, made))
  const listed = others.flatMap((each) => listedAt(each, sought, known) ?? [])
  const hasList = sought.own.some(({ method, status }) => method === 'GET' && status < 300)
  // One list has all items.
  const [whole] = listed
    .filter(({ filter }) => !hasList && filter === undefined)
    .toSorted((a, b) => b.samples.length - a.samples.length)
  const shown = listed.filter((each) => each.filter !== undefined || each === whole)
  const rest = others.filter(({ path }) => ![...made, ...shown].some((each) => each.path === path))
  return [...made, ...shown, ...rest.flatMap((each) => besidesAt(each, sought, known))]
}

/** What answers something of the items, but none of them. */
export function besidesAt(
  folded: Folded,
  { collection, path, place }: Sought,
  known: ByPath,
): readonly Elsewhere[] {
  const part = partAt(folded, path, known)
  if (part !== undefined) return [{ method: 'GET', path: folded.path, does: 'part', isShown: false, ...part }]
  const counted = countedAt(folded, collection, known)
  if (counted !== undefined)
    return [{ method: 'GET', path: folded.path, does: 'count', isShown: false, ...counted }]
  const first = firstAt(folded, collection, place, known)
  return first === undefined
    ? []
    : [{ method: 'GET', path: folded.path, does: 'first', isShown: true, ...first }]
}

/** A collection with the exchanges of other paths, too. */
export function withSamples<Each extends Exchanges>(sought: Each, elsewhere: readonly Elsewhere[]): Each {
  const changes = elsewhere.filter(({ does }) => does === 'change' || does === 'remove')
  const moved = new Set(changes.flatMap((each) => each.samples.map(({ index }) => index)))
  const joined = (samples: readonly Sample[], isOfItem: boolean): readonly Sample[] => {
    const own = elsewhere.filter(
      ({ does }) =>
        !['count', 'first', 'part'].includes(does) && (does === 'create' || does === 'list') !== isOfItem,
    )
    const more = new Map(own.flatMap((each) => each.samples.map((sample) => [sample.index, sample])))
    const rest = samples.filter(({ index }) => !more.has(index) && (isOfItem || !moved.has(index)))
    return [...rest, ...more.values()].toSorted((a, b) => a.index - b.index)
  }
  return { ...sought, items: joined(sought.items, true), own: joined(sought.own, false) }
}

type ByPath = ReadonlyMap<string, Sightings>

/** What a request made, as far as it was read later. */
interface Making {
  readonly sample: Sample
  readonly item: Item | undefined
  /** Whether it was answered by the item. */
  readonly isShown: boolean
}

// All that was made there has an id, and what is read of that later, and not before, is what was made.
function madeAt(folded: Folded, method: string, sought: Sought, sightings: ByPath): Elsewhere | undefined {
  const own = folded.samples.filter((sample) => sample.method === method)
  // The id of a call says nothing of what it made.
  if (correlationFields(own).has(sought.place.id.join('/'))) return undefined
  const fine = own.filter(({ status }) => status < 300)
  const other = fine.length === 0 ? undefined : otherPath(sought.collection, folded)
  if (other === undefined) return undefined
  const makings = fine.map((sample) => makingOf(sample, sightings.get(pathAt(sample, other)), sought, other))
  const known = makings.filter((each) => each?.item !== undefined)
  if (known.length === 0 || makings.includes(undefined)) return undefined
  // An id may be that of what the path names by chance, though not every time.
  const isNamed = ({ sample, item }: Making): boolean =>
    sample.segments.includes(idIn(item, sought.place) ?? '')
  if (known.every((each) => each !== undefined && isNamed(each))) return undefined
  const isShown = known.some((each) => each?.isShown === true)
  // Its own path is known for what answers items.
  if (folded.path === sought.collection && isShown) return undefined
  const samples = own.map((sample) => {
    const moved = { ...sample, segments: other.segments(sample), method: 'POST' }
    const { item } = makings.find((each) => each?.sample === sample) ?? {}
    return isShown || item === undefined ? moved : { ...moved, response: within(sought.place.answer, item) }
  })
  return { method, path: folded.path, does: 'create', at: other.at, isShown, samples }
}

function within(path: readonly string[], item: Item): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), item)
}

// `undefined` where it made something else.
function makingOf(
  sample: Sample,
  seen: Sightings | undefined,
  { place, idOf }: Sought,
  other: OtherPath,
): Making | undefined {
  const { index } = sample
  const { response, body } = itemView(sample, place)
  const shown = isObject(response) ? idIn(response, place) : undefined
  const names = [place.id, ...(place.also === undefined ? [] : [[place.also]])]
  const said = [response, body].flatMap((value) => names.map((id) => idIn(value, { id })))
  const path = pathAt(sample, other)
  const ids = said.flatMap((name) => (name === undefined ? [] : [idOf(path, name, Infinity)]))
  const id = ids.find((each) => seen?.ids.has(each)) ?? shown
  if (id === undefined || seen?.before(id, index)?.item !== undefined) return undefined
  const { item, isRead = false } = seen?.after(id, index) ?? {}
  if (item === undefined) return { sample, item, isShown: shown !== undefined }
  const isWhole =
    isObject(response) &&
    Object.entries(item).every(
      ([name, value]) => Object.hasOwn(response, name) && (value === null || response[name] !== null),
    )
  if (isWhole && shown === id && isLike(response, item, id)) return { sample, item, isShown: true }
  // What something else has changed since, or is in an envelope, says nothing of how it was made.
  if (!isRead || place.answer.length > 0) return { sample, item: undefined, isShown: shown !== undefined }
  // An envelope has an id of its own, which may be that of an item by chance.
  const isItem = shown === id && isObject(response) && isLike(response, item, id)
  if (!isItem && isObject(response) && Object.values(response).some(isObject)) return undefined
  // What only names it says nothing else of it.
  const isOfItem = [response, body].every(
    (value) => !isObject(value) || !Object.keys(value).some((name) => isScalarOther(value[name], item[name])),
  )
  return isOfItem ? { sample, item, isShown: false } : undefined
}

function isScalarOther(one: unknown, other: unknown): boolean {
  return isScalar(one) && isScalar(other) && one !== null && other !== null && String(one) !== String(other)
}

type Filter = Pick<Elsewhere, 'filter' | 'alias'>

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
  const chooses = ({ filter, alias = filter }: Filter): boolean =>
    lists.every((list) => {
      const value = filter === undefined ? undefined : folded.values(list.sample)[filter]
      const isOf = (item: Item): boolean => alias === undefined || String(fieldOf(item, alias)) === value
      return isListOf(list, seenBy(list), isOf)
    })
  const filters: readonly Filter[] = [
    ...folded.parameters.map((filter) => ({ filter })),
    ...folded.parameters.flatMap((filter) => aliasesOf(filter).map((alias) => ({ filter, alias }))),
    ...folded.parameters.flatMap((filter) =>
      fieldsLike(lists.map(({ sample, items }) => ({ value: folded.values(sample)[filter], items }))).map(
        (alias) => ({ filter, alias }),
      ),
    ),
    {},
  ]
  const found = filters.find(chooses)
  if (found === undefined) return undefined
  const { filter, alias } = found
  const samples = own.map((sample) => {
    const query = filter === undefined ? {} : { [filter]: folded.values(sample)[filter] ?? '' }
    return { ...sample, segments: other.segments(sample), query: { ...sample.query, ...query } }
  })
  return {
    method: 'GET',
    path: folded.path,
    does: 'list',
    at: other.at,
    filter,
    alias,
    isShown: true,
    samples,
  }
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
      const id = ids[at] ?? ''
      const known = (seen?.before(id, index) ?? seen?.after(id, index))?.item
      return isChosen(item) && (known === undefined || isLike(item, known, id))
    }) &&
    (seen?.thereAt(index) ?? []).every(
      (id) => isShown.has(id) || !isWhole || !isChosen(seen?.before(id, index)?.item ?? {}),
    )
  )
}

function pathAt(sample: Sample, { segments }: OtherPath): string {
  return pathOf({ ...sample, segments: segments(sample) })
}

// A number proves little by itself, and with a few members that many things have.
function isLike(one: Item, other: Item, id: string): boolean {
  const [own, others] = [Object.keys(one), Object.keys(other)]
  const shared = own.filter((name) => Object.hasOwn(other, name))
  // What has nothing but the id in common is another thing that refers to it.
  if (shared.length === 1 && own.length > 1 && others.length > 1) return false
  const areMost = shared.length > 1 && shared.length * 2 >= Math.max(own.length, others.length)
  return (areMost || !/^\d*$/.test(id)) && isSameItem(one, other)
}
