import { isObject } from '../../engine/schema/schema.ts'
import { entryOf } from '../../grouping.ts'
import { type Computes, findComputedFields } from './computed-fields.ts'
import { drawnValues } from './drawn-values.ts'
import { idIn, type Item, type ItemPlace, itemView, listIn } from './item-place.ts'
import { createWriteNotes, type ItemWrites } from './item-writes.ts'
import {
  addSeed,
  emptyIn,
  enlargeSeed,
  isAbsent,
  noteGiven,
  nothingKnown,
  othersThan,
  UNKNOWN,
  wholeItems,
  type Known,
} from './known-items.ts'
import { learnIds } from './learn-ids.ts'
import { type ListEvent, orderOf } from './list-order.ts'
import type { Paging } from './paging.ts'
import { pathOf, type Sample } from './sample.ts'
import { madeId } from './segment-evidence.ts'
import type { Exchanges } from './sightings.ts'
import { findRepeatedIds } from './repeated-ids.ts'
import { isSameItem } from './same-item.ts'
import { gapsIn, type Unseen } from './unseen-items.ts'
import { createOrderNotes } from './sorted-lists.ts'
import { createUniqueNotes } from './unique-fields.ts'
import { createFilterNotes, showsAll } from './usual-filter.ts'

/** What the exchanges of a collection and its items show when they are played back. */
export interface Played {
  readonly writes: ItemWrites
  /** The order of lists, such as `name` or `-created`, where it is not that in which items were made. */
  readonly sorted: string | undefined
  /** The values that items must have to be listed where requests do not choose others. */
  readonly usual?: Readonly<Record<string, string>> | undefined
  /** How ids are made that are not the usual ones. */
  readonly ids?: string | undefined
  /** The ids of all that was made, where requests did not give them, and what else was drawn for it. */
  readonly assigned: readonly string[]
  /** Items that were there before the recording began, in the order of the list, by concrete collection path. */
  readonly seeds: ReadonlyMap<string, readonly Item[]>
  /** Likewise how many more there were that no answer shows, and before which of those. */
  readonly unseen: ReadonlyMap<string, Unseen>
  /** Fields that some item has not, or has as null. */
  readonly empty: ReadonlySet<string>
  /** Fields of which no two items have the same value. */
  readonly unique: readonly string[]
  /** Where items repeat their ids among other things, as texts with `{id}` by pointers. */
  readonly repeats: Readonly<Record<string, string>>
  /** Numbers that follow from others, as formulas by pointers. */
  readonly computes?: Computes
  /** How often a later answer showed what an earlier request did, and how often it did not. */
  readonly confirmed: number
  readonly contradicted: number
}

/**
 * Plays a recording back over a collection, and keeps score of what a store would have answered.
 * @param actions those of its exchanges that were sent to paths below items
 * @param removals the exchanges that removed something anywhere, in their order
 */
export function play(
  { items, own, place }: Exchanges,
  actions: ReadonlySet<Sample>,
  paging: Paging | undefined,
  removals: readonly number[] = [],
): Played {
  const samples = [...items, ...own].toSorted((a, b) => a.index - b.index)
  const ofItems = new Set(items)
  const collections = new Map<string, Known>()
  const score: Score = { confirmed: 0, contradicted: 0 }
  const writes = createWriteNotes(place)
  const order = createOrderNotes(place)
  const uniqueness = createUniqueNotes(place)
  const filter = createFilterNotes(place)
  const shown: Item[] = []
  let removed = 0
  for (const sample of samples) {
    const { segments } = sample
    while ((removals[removed] ?? Infinity) < sample.index) removed++
    const isItem = ofItems.has(sample)
    const path = pathOf({ ...sample, segments: isItem ? segments.slice(0, -1) : segments })
    const known = entryOf(collections, path, nothingKnown)
    const view = itemView(sample, place)
    if (view.status < 300 && isObject(view.response)) shown.push(view.response)
    if (isItem) {
      const id = segments.at(-1) ?? ''
      // What went through where nothing was to be there shows that there was nothing (RFC 9110, section 13.1.2).
      const isMade = view.status < 300 && view.method === 'PUT' && view.headers['if-none-match'] === '*'
      if (isMade && !known.items.has(id)) known.missing.add(id)
      uniqueness.note(view, othersThan(id, known.items))
      if (!actions.has(sample)) writes.note(view, true, known.items.get(id), isAbsent(known, id))
      playItem(view, id, known, score, removals[removed - 1])
    } else {
      writes.note(view, false, undefined, false)
      order.note(view, [...known.seeds.keys()], [...known.items.keys()])
      uniqueness.note(view, known.items.values())
      const page = pageIn(sample, path, paging)
      if (showsAll(view, page)) filter.note(view, known.items)
      playCollection(view, { place, page }, known, score)
    }
  }
  const orders = new Map(
    [...collections].map(([at, { seeds, events }]) => [at, orderOf(events, seeds.keys())]),
  )
  const all = [...orders.values()]
  const isBroken = all.some(({ agreed, broken }) => broken * 20 > agreed + broken)
  const isNewestFirst = all.some((each) => each.isNewestFirst)
  const field = order.found()
  const sorted = field ?? (isNewestFirst ? '-' : undefined)
  const seeds = new Map<string, readonly Item[]>()
  const unseen = new Map<string, Unseen>()
  for (const [at, { ids }] of orders) {
    const found = collections.get(at)?.seeds
    const inOrder = sorted === '-' ? ids.toReversed() : ids
    const items = inOrder.map((id) => found?.get(id ?? ''))
    const there = items.filter((item) => item !== undefined)
    seeds.set(at, there)
    if (!isBroken && field === undefined) unseen.set(at, gapsIn(items))
  }
  const repeats = findRepeatedIds([...shown, ...wholeItems(collections)], place)
  const computes = findComputedFields(
    shown.filter((item) => idIn(item, place) !== undefined),
    new Set([...sentIn(samples, place), ...place.id]),
  )
  const assigned = [...collections.values()].map((known) => known.assigned)
  const drawn = drawnValues([...collections.values()].flatMap(({ made }) => made))
  const before = [...collections.values()].flatMap((known) => [...known.seeds.keys()])
  return {
    ...{ writes: writes.found(), seeds, unseen, sorted, empty: emptyIn(collections) },
    ...{ usual: filter.found(), ...score },
    ...{ ids: learnIds(assigned, before), assigned: [...assigned.flat(), ...drawn] },
    ...{ unique: uniqueness.found(), repeats },
    ...(Object.keys(computes).length > 0 && { computes }),
  }
}

// The names of what requests send of items, and of the entries of their lists.
function sentIn(samples: readonly Sample[], place: ItemPlace): ReadonlySet<string> {
  const bodies = samples.map((sample) => itemView(sample, place).body).filter(isObject)
  return new Set(
    bodies.flatMap((body) =>
      Object.entries(body).flatMap(([name, value]) => [
        name,
        ...[value]
          .flat()
          .filter(isObject)
          .flatMap((entry) => Object.keys(entry).map((each) => `${name}.${each}`)),
      ]),
    ),
  )
}

/** How often answers were those of a store, and how often not. */
interface Score {
  confirmed: number
  contradicted: number
}

function playItem(
  sample: Sample,
  id: string,
  known: Known,
  score: Score,
  lastRemoval: number | undefined,
): void {
  const { method, status, response } = sample
  const before = known.items.get(id)
  const isGone = known.gone.has(id)
  if (status === 404) {
    if (isGone) score.confirmed++
    else if (before !== undefined && (lastRemoval ?? -1) > (known.seenAt.get(id) ?? -1)) {
      // It may have gone together with what it belonged to.
      known.items.delete(id)
      known.gone.add(id)
    } else if (before !== undefined) score.contradicted++
    else known.missing.add(id)
  }
  if (status >= 300) return
  known.seenAt.set(id, sample.index)
  if (method === 'DELETE') {
    if (isAbsent(known, id)) return
    known.items.delete(id)
    known.given.delete(id)
    known.gone.add(id)
    known.events.push({ kind: 'gone', id })
    return
  }
  // A POST may make what its own path names, as a PUT does.
  const makes = method === 'PUT' || (method === 'POST' && status === 201)
  if (isGone && !makes) score.contradicted++
  const isWrite = method === 'PUT' || method === 'PATCH' || method === 'POST'
  const isMade = makes && (isAbsent(known, id) || (before === undefined && status === 201))
  known.missing.delete(id)
  if (isMade) known.events.push({ kind: 'made', id })
  if (isObject(response)) {
    if (method === 'GET' && before !== undefined) {
      if (isSameItem(before, response)) score.confirmed++
      else score.contradicted++
    }
    // Seen before anything in the recording made it: it was there from the start.
    if (before === undefined && !isGone && !makes) addSeed(known, id, response)
    if (isWrite) noteGiven(known, id, sample)
    enlargeSeed(known, id, response)
    // A query may ask for some of its fields.
    const isPart = method === 'GET' && Object.keys(sample.query).length > 0
    known.items.set(id, isPart ? { ...before, ...response } : response)
    known.gone.delete(id)
  } else if (method === 'PUT' || method === 'PATCH') {
    noteGiven(known, id, sample)
    known.items.set(id, UNKNOWN)
    known.gone.delete(id)
  }
}

/** Which part of the list a sample shows; `undefined` where that is not known, as of those that are chosen from it. */
type Page = Pick<Extract<ListEvent, { readonly kind: 'page' }>, 'offset' | 'total'>

function pageIn(sample: Sample, path: string, paging: Paging | undefined): Page | undefined {
  if (paging !== undefined) return paging.lists.get(path)?.pages.get(sample.index)
  const list = Object.keys(sample.query).length === 0 ? listIn(sample.response) : undefined
  return list && { offset: 0, total: list.items.length }
}

function playCollection(
  sample: Sample,
  { place, page }: { readonly place: ItemPlace; readonly page: Page | undefined },
  known: Known,
  score: Score,
): void {
  const { method, status, body, response } = sample
  if (status >= 300) return
  if (method === 'POST') {
    const item = isObject(response) ? response : undefined
    // An answer without it may say where it is.
    const id = item === undefined ? madeId(sample) : idIn(item, place)
    if (id !== undefined) {
      if (madeId(sample) === id) score.confirmed++
      if (!known.items.has(id)) known.events.push({ kind: 'made', id })
      if (!known.items.has(id) && idIn(body, place) !== id) known.assigned.push(id)
      if (!known.items.has(id) && item) known.made.push({ sent: isObject(body) ? body : {}, item })
      known.items.set(id, item ?? UNKNOWN)
      known.seenAt.set(id, sample.index)
      known.gone.delete(id)
      known.missing.delete(id)
    }
  }
  if (method !== 'GET') return
  const ids: string[] = []
  for (const item of listIn(response)?.items ?? []) {
    const id = idIn(item, place)
    if (id === undefined) continue
    ids.push(id)
    const before = known.items.get(id)
    known.seenAt.set(id, sample.index)
    if (known.gone.has(id)) score.contradicted++
    else if (before === undefined) {
      addSeed(known, id, item)
      known.items.set(id, item)
    } else {
      if (isSameItem(before, item)) score.confirmed++
      enlargeSeed(known, id, item)
    }
  }
  const { events } = known
  if (showsAll(sample, page)) known.isListed = true
  if (page === undefined) events.push({ kind: 'chosen', ids })
  else events.push({ kind: 'page', ids, offset: page.offset, total: page.total })
}
