import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../engine/schema/schema.ts'
import { countEach, entryOf } from '../../grouping.ts'
import type { Folded } from './fold-paths.ts'
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
  /** The field of an item that holds the id in its path. */
  readonly idField: string
  /** Items by concrete collection path. */
  readonly seeds: ReadonlyMap<string, readonly Item[]>
  /** How often a later answer showed what an earlier request did, and how often it did not. */
  readonly confirmed: number
  readonly contradicted: number
}

/** A stored item, as answers show it. */
export type Item = Readonly<Record<string, unknown>>

/** A collection at one concrete path, as far as the recording has gone. */
interface Known {
  readonly items: Map<string, Item>
  readonly gone: Set<string>
  /** What was there before anything in the recording changed it. */
  readonly seeds: Map<string, Item>
}

const LAST_PARAMETER = /\/\{([^{}]+)\}$/

/** Plays a recording back over the routes of each collection, and keeps score of what a store would have answered. */
export function findResources(
  folded: readonly Folded[],
  pagings: ReadonlyMap<Folded, Paging | undefined> = new Map(),
): readonly Resource[] {
  return folded.flatMap((items) => {
    const { host, path } = items
    const [suffix = '', parameter] = LAST_PARAMETER.exec(path) ?? []
    if (parameter === undefined) return []
    const collection = path.slice(0, -suffix.length)
    const own = folded.find((each) => each.host === host && each.path === collection)
    // Items that are only read, one by one, may be anything.
    const isKept = items.samples.some(({ method, status }) => method !== 'GET' && status < 300)
    const idField = findIdField(items, parameter)
    if (idField === undefined || (!isKept && own === undefined)) return []
    const { collections, ...score } = play(items, own, idField)
    const paging = own && pagings.get(own)
    const seeds = [...collections].map(([at, known]): [string, readonly Item[]] => [
      at,
      inOrder([...known.seeds.values()], idField, paging?.lists.get(at)),
    ])
    return [{ host, path, collection, idField, seeds: new Map(seeds), ...score }]
  })
}

// Pages may be read in any order.
function inOrder(items: readonly Item[], idField: string, walk: Walk | undefined): readonly Item[] {
  if (walk === undefined) return items
  const ids = new Map([...walk.items].map(([at, item]) => [isObject(item) ? item[idField] : item, at]))
  const orderOf = (item: Item): number => ids.get(item[idField]) ?? Number.MAX_SAFE_INTEGER
  return items.toSorted((a, b) => orderOf(a) - orderOf(b))
}

/** How often answers were those of a store, and how often not. */
type Score = Mutable<Pick<Resource, 'confirmed' | 'contradicted'>>
type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] }

function play(
  items: Folded,
  own: Folded | undefined,
  idField: string,
): Score & { readonly collections: ReadonlyMap<string, Known> } {
  const samples = [...items.samples, ...(own?.samples ?? [])].toSorted((a, b) => a.index - b.index)
  const ofItems = new Set(items.samples)
  const collections = new Map<string, Known>()
  const score: Score = { confirmed: 0, contradicted: 0 }
  for (const sample of samples) {
    const { segments } = sample
    const isItem = ofItems.has(sample)
    const path = pathOf({ segments: isItem ? segments.slice(0, -1) : segments })
    const known = entryOf(collections, path, nothingKnown)
    if (isItem) scoreItem(sample, segments.at(-1) ?? '', known, score)
    else scoreCollection(sample, idField, known, score)
  }
  return { collections, ...score }
}

function nothingKnown(): Known {
  return { items: new Map(), gone: new Set(), seeds: new Map() }
}

// The field of an item that holds the id in its path: that of the parameter's name, `id`, or whichever always does.
function findIdField(items: Folded, parameter: string): string | undefined {
  // What answers a deletion need not be the item.
  const read = items.samples.filter(
    ({ method, status, response }) => method !== 'DELETE' && status < 300 && isObject(response),
  )
  const named = read.flatMap(({ segments, response }) =>
    Object.entries(response as Item).filter(([, value]) => textOf(value) === (segments.at(-1) ?? '')),
  )
  const counts = countEach(named.map(([name]) => name))
  const always = [...counts.keys()].filter((name) => counts.get(name) === read.length)
  return [parameter, 'id', ...always].find((name) => always.includes(name))
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
  idField: string,
  known: Known,
  score: Score,
): void {
  if (status >= 300) return
  if (method === 'POST' && isObject(response)) {
    const id = textOf(response[idField])
    if (id !== undefined) {
      known.items.set(id, response)
      known.gone.delete(id)
    }
  }
  for (const item of method === 'GET' ? listedItems(response) : []) {
    const id = textOf(item[idField])
    if (id === undefined) continue
    const before = known.items.get(id)
    if (known.gone.has(id)) score.contradicted++
    else if (before === undefined) {
      known.seeds.set(id, item)
      known.items.set(id, item)
    } else if (isSameItem(before, item)) score.confirmed++
  }
}

function listedItems(response: unknown): readonly Item[] {
  const list: unknown = isObject(response)
    ? Object.values(response).find((value) => Array.isArray(value))
    : response
  return Array.isArray(list) ? list.filter((item): item is Item => isObject(item)) : []
}

// Lists often show less of an item than its own path does.
function isSameItem(a: Item, b: Item): boolean {
  const shared = Object.keys(a).filter((name) => Object.hasOwn(b, name))
  const same = shared.filter((name) => isDeepStrictEqual(a[name], b[name]))
  return same.length * 5 >= shared.length * 4
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
