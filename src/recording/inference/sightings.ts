import { isObject } from '../../engine/schema/schema.ts'
import { compareTexts, entryOf } from '../../grouping.ts'
import { isSafe } from '../../message.ts'
import { namesCaller } from './callers.ts'
import type { Folded } from './fold-paths.ts'
import { idIn, type Item, type ItemPlace, itemView, listIn } from './item-place.ts'
import type { IdOf } from './named-items.ts'
import { pathOf, type Sample } from './sample.ts'

/** What an exchange shows of an item: how it is, or that it is not there. */
interface Sighting {
  readonly index: number
  readonly item: Item | undefined
  /** Whether it was read, rather than answered by what changed it. */
  readonly isRead: boolean
  /** What says who requested it. */
  readonly by: string
  /** Whether the query may have requested some of its fields. */
  readonly isPart?: boolean
}

/** What was seen of the items of a collection, by their ids. */
export interface Sightings {
  readonly ids: ReadonlySet<string>
  /** The last sighting before an exchange, and the first one after it. */
  before(id: string, index: number): Sighting | undefined
  after(id: string, index: number): Sighting | undefined
  /** The ids of those that were there before an exchange. */
  thereAt(index: number): readonly string[]
}

/** The exchanges of a collection. */
export interface Exchanges {
  readonly place: ItemPlace
  /** Those of the paths of its items, and of its own path. */
  readonly items: readonly Sample[]
  readonly own: readonly Sample[]
  readonly idOf: IdOf
}

/** What exchanges show of the items of each collection, by its concrete path. */
export function findSightings({
  place,
  items,
  own,
}: Omit<Exchanges, 'idOf'>): ReadonlyMap<string, Sightings> {
  const found = new Map<string, Map<string, Sighting[]>>()
  const note = (path: string, id: string, sighting: Sighting): void => {
    const ofPath = entryOf(found, path, () => new Map<string, Sighting[]>())
    entryOf(ofPath, id, () => []).push(sighting)
  }
  for (const sample of items) {
    const { method, status, index, segments } = sample
    const by = callerOf(sample)
    const id = segments.at(-1) ?? ''
    const path = pathOf({ ...sample, segments: segments.slice(0, -1) })
    const { response } = itemView(sample, place)
    const isGone = method === 'DELETE' ? status < 300 : status === 404 || status === 410
    const isRead = isSafe(method)
    if (isGone) note(path, id, { index, item: undefined, isRead, by })
    else if (status < 300 && isObject(response)) note(path, id, { index, item: response, isRead, by })
  }
  for (const sample of own) {
    const { method, status, index, query } = sample
    if (status >= 300) continue
    const [path, by] = [pathOf(sample), callerOf(sample)]
    const { response } = itemView(sample, place)
    if (method === 'POST') {
      const id = idIn(response, place)
      if (id !== undefined && isObject(response)) note(path, id, { index, item: response, isRead: false, by })
    }
    if (method !== 'GET') continue
    const { items: listed } = listIn(sample.response) ?? {}
    const byId = new Map((listed ?? []).map((item) => [idIn(item, place) ?? '', item]))
    const isPart = Object.keys(query).length > 0
    for (const [id, item] of byId) if (id !== '') note(path, id, { index, item, isRead: true, by, isPart })
    // What a whole list no longer has is gone, but others may not be shown it.
    if (listed === undefined || isPart) continue
    for (const [id, seen] of found.get(path) ?? [])
      if (!byId.has(id) && seen.some((each) => each.by === by))
        note(path, id, { index, item: undefined, isRead: true, by })
  }
  return new Map([...found].map(([path, byId]) => [path, sightingsOf(byId)]))
}

function callerOf({ headers }: Sample): string {
  const own = Object.entries(headers).filter(([name]) => namesCaller(name))
  return JSON.stringify(own.toSorted(([a], [b]) => compareTexts(a, b)))
}

function sightingsOf(byId: ReadonlyMap<string, readonly Sighting[]>): Sightings {
  const inOrder = new Map(
    [...byId].map(([id, all]) => [id, whole(all.toSorted((a, b) => a.index - b.index))] as const),
  )
  const before: Sightings['before'] = (id, at) => inOrder.get(id)?.findLast(({ index }) => index < at)
  return {
    ids: new Set([...inOrder].flatMap(([id, all]) => (all.some(({ item }) => item) ? [id] : []))),
    before,
    after: (id, at) => inOrder.get(id)?.find(({ index }) => index > at),
    thereAt: (at) => [...inOrder.keys()].filter((id) => before(id, at)?.item !== undefined),
  }
}

// What was requested in part has the rest of what was seen before.
function whole(all: readonly Sighting[]): readonly Sighting[] {
  let before: Item | undefined
  return all.map((each) => {
    const { item, isPart = false } = each
    before = isPart && item !== undefined ? { ...before, ...item } : item
    return before === item ? each : { ...each, item: before }
  })
}

/** A path at which requests are about the items of a collection that has another one. */
export interface OtherPath {
  /** The collection's path, or its items', with parameters as the other path names them. */
  readonly at: string
  /** The segments that its requests would have there. */
  segments(sample: Sample): readonly string[]
}

/**
 * What of a collection, or of its items, requests at another path are about, by what both paths begin with: all that has
 * parameters in the first must be in the other. Where ids are without the form of the answer, both end in the same.
 */
export function otherPath(target: string, { path, samples }: Folded): OtherPath | undefined {
  const { suffix = '' } = samples[0] ?? {}
  if (!target.endsWith(suffix) || samples.some((sample) => (sample.suffix ?? '') !== suffix)) return undefined
  const plain = (text: string): readonly string[] => text.slice(0, text.length - suffix.length).split('/')
  const [wanted, given] = [plain(target), plain(path)]
  const end = wanted.findLastIndex((part) => part.includes('{')) + 1
  const isAlike = wanted
    .slice(0, end)
    .every((part, at) => (part.includes('{') ? (given[at]?.includes('{') ?? false) : part === given[at]))
  if (!isAlike) return undefined
  const rest = wanted.slice(end)
  return {
    at: `${[...given.slice(0, end), ...rest].join('/')}${suffix}`,
    segments: ({ segments }) => [
      ...segments.slice(0, Math.max(0, end - 1)),
      ...(end === 0 ? rest.slice(1) : rest).map(decodeURIComponent),
    ],
  }
}
