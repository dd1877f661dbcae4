import { isObject } from '../../engine/schema/schema.ts'
import { entryOf } from '../../grouping.ts'
import type { Folded } from './fold-paths.ts'
import { idIn, type Item, type ItemPlace, itemView, listIn } from './item-place.ts'
import { isSameItem } from './same-item.ts'
import { pathOf, type Sample } from './sample.ts'
import { otherPath } from './sightings.ts'

/** What requests do to several items of a collection at once. */
export interface WholeWrite {
  /** Remove all, put others in the place of all, or make each of those that are sent. */
  readonly does: 'remove' | 'replace' | 'create'
  /** The names that lead to the list in bodies. */
  readonly body: readonly string[]
  /** The exchanges, by their indexes. */
  readonly indexes: ReadonlySet<number>
  /** What they made, as if each had been sent by itself. */
  readonly makes: readonly Sample[]
  /** The collection's path, with parameters as the requests' path names them, where that is another one. */
  readonly at?: string | undefined
}

/** A path beside that of a collection, such as `/users/bulk`, whose requests make several items of it. */
export interface Beside {
  readonly path: string
  readonly at: string
  /** Its exchanges as if they had been sent to the collection. */
  readonly samples: readonly Sample[]
}

/** The exchanges of a collection, where what was done to several items was done to each by itself. */
interface Separated {
  readonly items: readonly Sample[]
  readonly own: readonly Sample[]
  /** By method and path. */
  readonly whole: ReadonlyMap<string, WholeWrite>
}

/**
 * Finds the requests that write several items of a collection, where later answers show that they did.
 * @param collection its path
 */
export function separateWrites(
  collection: string,
  place: ItemPlace,
  items: readonly Sample[],
  ofCollection: readonly Sample[],
  beside: readonly Beside[] = [],
): Separated {
  const besideOf = new Map(beside.flatMap((each) => each.samples.map((sample) => [sample, each])))
  const own = inOrder(ofCollection, [...besideOf.keys()])
  const keyOf = (sample: Sample): string => `${sample.method} ${besideOf.get(sample)?.path ?? collection}`
  const candidates = own.filter((sample) => deedOf(sample, place) !== undefined)
  const wrong = new Set(candidates.filter((sample) => !isConfirmed(sample, place, items, own)).map(keyOf))
  const taken = candidates.filter((sample) => !wrong.has(keyOf(sample)))
  if (taken.length === 0) return { items, own, whole: new Map() }
  const isTaken = new Set(taken)
  const there = new Map<string, Set<string>>()
  const found = new Map<string, { indexes: Set<number>; makes: Sample[] }>()
  const [removed, made]: [Sample[], Sample[]] = [[], []]
  for (const sample of inOrder(items, own)) {
    if (!isTaken.has(sample)) {
      noteThere(sample, items.includes(sample), place, there)
      continue
    }
    const ids = entryOf(there, pathOf(sample), () => new Set())
    const each = deedOf(sample, place) === 'remove' ? [] : entriesOf(sample, place)
    const { indexes, makes } = entryOf(found, keyOf(sample), () => ({
      indexes: new Set<number>(),
      makes: [],
    }))
    indexes.add(sample.index)
    for (const entry of each) {
      makes.push(entry)
      made.push(entry)
    }
    const kept = new Set(
      each.map(({ response }) => idIn(itemView({ ...sample, response }, place).response, place)),
    )
    if (sample.method !== 'POST') for (const id of ids) if (!kept.has(id)) removed.push(removalOf(sample, id))
    if (sample.method !== 'POST') ids.clear()
    for (const id of kept) if (id !== undefined) ids.add(id)
  }
  const whole = [...found].map(([key, { indexes, makes }]): [string, WholeWrite] => {
    const first = taken.find((sample) => keyOf(sample) === key) as Sample
    const does = deedOf(first, place) as WholeWrite['does']
    const body = does === 'remove' ? [] : (listIn(first.body)?.path ?? [])
    return [key, { does, body, indexes, makes, at: besideOf.get(first)?.at }]
  })
  return {
    items: inOrder(items, removed),
    own: inOrder(
      own.filter((sample) => !isTaken.has(sample)),
      made,
    ),
    whole: new Map(whole),
  }
}

/**
 * Finds the paths beside a collection's own whose requests send a list, and are answered with as many items of it, which
 * are like what was sent, were not there before, and some of which are seen later.
 */
export function findBeside(
  collection: string,
  place: ItemPlace,
  items: readonly Sample[],
  own: readonly Sample[],
  others: readonly Folded[],
): readonly Beside[] {
  const able = others.filter(({ samples }) => samples.some((sample) => deedOf(sample, place) === 'create'))
  if (able.length === 0) return []
  const seen = [...items, ...own].flatMap((sample) =>
    sample.status < 300
      ? [...(listIn(sample.response)?.items ?? []), itemView(sample, place).response].map((item) => ({
          index: sample.index,
          id: idIn(item, place),
        }))
      : [],
  )
  const isMade = (sample: Sample): boolean => {
    const sent = sentList(sample.body) ?? []
    const shown = listIn(sample.response)?.items ?? []
    const ids = new Set(shown.map((item) => idIn(item, place)))
    const times = seen.filter(({ id }) => id !== undefined && ids.has(id)).map(({ index }) => index)
    const isLike = shown.length === sent.length && shown.every((item, at) => isSameItem(sent[at] ?? {}, item))
    return isLike && times.length > 0 && times.every((index) => index > sample.index)
  }
  return able.flatMap((folded) => {
    const other = otherPath(collection, folded)
    const posts = folded.samples.filter(({ method, status }) => method === 'POST' && status < 300)
    if (other === undefined || !posts.every(isMade)) return []
    const samples = posts.map((sample) => ({ ...sample, segments: other.segments(sample) }))
    return [{ path: folded.path, at: other.at, samples }]
  })
}

function inOrder(some: readonly Sample[], others: readonly Sample[]): readonly Sample[] {
  return [...some, ...others].toSorted((a, b) => a.index - b.index)
}

// What a request may do by what it sends.
function deedOf({ method, status, query, body }: Sample, place: ItemPlace): WholeWrite['does'] | undefined {
  if (status >= 300 || Object.keys(query).length > 0) return undefined
  if (method === 'DELETE') return body === undefined ? 'remove' : undefined
  const sent = method === 'PUT' || method === 'POST' ? sentList(body) : undefined
  if (sent === undefined) return undefined
  if (method === 'POST') return sent.length > 0 ? 'create' : undefined
  return sent.every((item) => idIn(item, place) !== undefined) ? 'replace' : undefined
}

// The body, or its only member.
function sentList(body: unknown): readonly Item[] | undefined {
  const [only, ...others] = isObject(body) ? Object.values(body) : [body]
  if (!Array.isArray(only) || others.length > 0) return undefined
  return only.every((item) => isObject(item)) ? only : undefined
}

function entriesOf(sample: Sample, place: ItemPlace): readonly Sample[] {
  const sent = sentList(sample.body) ?? []
  const shown = listIn(sample.response)?.items ?? []
  return sent.map((body, at) => {
    const id = idIn(body, place)
    const own = id === undefined ? shown[at] : shown.find((item) => idIn(item, place) === id)
    const item = own === undefined ? body : { ...body, ...own }
    return {
      ...{ ...sample, method: 'POST', status: 201 },
      body: within(place.body, body),
      response: within(place.answer, item),
    }
  })
}

function within(path: readonly string[], item: Item): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), item)
}

function removalOf({ response: _response, body: _body, ...sample }: Sample, id: string): Sample {
  return { ...sample, method: 'DELETE', segments: [...sample.segments, id] }
}

function noteThere(sample: Sample, isItem: boolean, place: ItemPlace, there: Map<string, Set<string>>): void {
  const { method, status, segments, query } = sample
  const path = pathOf({ ...sample, segments: isItem ? segments.slice(0, -1) : segments })
  const ids = entryOf(there, path, () => new Set())
  const id = isItem ? (segments.at(-1) ?? '') : idIn(itemView(sample, place).response, place)
  const isGone = isItem && (status === 404 || (method === 'DELETE' && status < 300))
  if (isGone) ids.delete(id ?? '')
  if (isGone || status >= 300) return
  if (isItem || method === 'POST') {
    if (id !== undefined) ids.add(id)
    return
  }
  const listed = method === 'GET' ? listIn(sample.response)?.items : undefined
  if (listed !== undefined && Object.keys(query).length === 0) ids.clear()
  for (const item of listed ?? []) ids.add(idIn(item, place) ?? '')
}

/** Whether what is answered and read next shows that it was done, and nothing that it was not. */
function isConfirmed(
  sample: Sample,
  place: ItemPlace,
  items: readonly Sample[],
  own: readonly Sample[],
): boolean {
  const does = deedOf(sample, place)
  const sent = does === 'remove' ? [] : (sentList(sample.body) ?? [])
  const shown = listIn(sample.response)?.items
  // What is answered with an item has the list in that.
  if (does === 'create' && idIn(itemView(sample, place).response, place) !== undefined) return false
  // Ids that were made are known by the answer alone.
  if (does === 'create')
    return shown?.length === sent.length && shown.every((item) => idIn(item, place) !== undefined)
  const ids = new Set(sent.map((item) => idIn(item, place) ?? ''))
  const path = pathOf(sample)
  const isNext = ({ index }: Sample): boolean => index > sample.index
  const end =
    own.find((each) => isNext(each) && each.method !== 'GET' && pathOf(each) === path)?.index ?? Infinity
  const changed = items.filter(({ method, status }) => method !== 'GET' && status < 300).map(lastOf)
  const isNear = (each: Sample): boolean => isNext(each) && each.index < end && each.status !== 304
  const lists = own.filter(
    (each) =>
      isNear(each) && each.method === 'GET' && Object.keys(each.query).length === 0 && pathOf(each) === path,
  )
  const ofLists = lists.flatMap(({ response }) => {
    const listed = listIn(response)?.items
    return listed === undefined
      ? []
      : [listed.length === ids.size && listed.every((item) => ids.has(idIn(item, place) ?? ''))]
  })
  const ofItems = items
    .filter((each) => isNear(each) && each.method === 'GET' && !changed.includes(lastOf(each)))
    .filter((each) => pathOf({ ...each, segments: each.segments.slice(0, -1) }) === path)
    .map((each) => each.status < 300 === ids.has(lastOf(each)))
  const evidence = [...ofLists.slice(0, 1), ...ofItems]
  // The last of a recording is like those before it.
  return evidence.length > 0 ? evidence.every(Boolean) : shown !== undefined
}

function lastOf({ segments }: Sample): string {
  return segments.at(-1) ?? ''
}
