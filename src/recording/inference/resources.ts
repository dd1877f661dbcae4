import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../engine/schema/schema.ts'
import type { Folded } from './fold-paths.ts'
import type { Walk } from './page-walk.ts'
import type { Paging } from './paging.ts'
import type { Sample } from './sample.ts'

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
  readonly seeds: ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>
  /** How often a later answer showed what an earlier request did, and how often it did not. */
  readonly confirmed: number
  readonly contradicted: number
}

type Item = Readonly<Record<string, unknown>>

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
    const [suffix, parameter] = LAST_PARAMETER.exec(items.path) ?? []
    if (suffix === undefined || parameter === undefined) return []
    const template = items.path.slice(0, -suffix.length)
    const own = folded.find(({ host, path }) => host === items.host && path === template)
    // Items that are only read, one by one, may be anything.
    const isKept = items.samples.some(({ method, status }) => method !== 'GET' && status < 300)
    if (!isKept && own === undefined) return []
    const score = play(items, own, parameter)
    if (score === undefined) return []
    const paging = own && pagings.get(own)
    const seeds = [...score.seeds].map(([path, all]): [string, readonly Item[]] => [
      path,
      inOrder(all, score.idField, paging?.lists.get(path)),
    ])
    const { host, path } = items
    return [{ host, path, collection: template, ...score, seeds: new Map(seeds) }]
  })
}

// Pages may be read in any order.
function inOrder(items: readonly Item[], idField: string, walk: Walk | undefined): readonly Item[] {
  if (walk === undefined) return items
  const places = new Map(
    [...walk.items].map(([place, item]) => [isObject(item) ? item[idField] : item, place]),
  )
  const placeOf = (item: Item): number => places.get(item[idField]) ?? Infinity
  return items.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : placeOf(a) > placeOf(b) ? 1 : 0))
}

type Score = Omit<Resource, 'path' | 'host' | 'collection'>

function play(items: Folded, own: Folded | undefined, parameter: string): Score | undefined {
  const samples = [...items.samples, ...(own?.samples ?? [])].toSorted((a, b) => a.index - b.index)
  const ofItems = new Set(items.samples)
  const idField = findIdField(items, parameter)
  if (idField === undefined) return undefined
  const collections = new Map<string, Known>()
  const score = { confirmed: 0, contradicted: 0 }
  for (const sample of samples) {
    const isItem = ofItems.has(sample)
    const path = `/${(isItem ? sample.segments.slice(0, -1) : sample.segments).map(encodeURIComponent).join('/')}`
    const known = collections.get(path) ?? { items: new Map(), gone: new Set(), seeds: new Map() }
    collections.set(path, known)
    if (isItem) scoreItem(sample, sample.segments.at(-1) ?? '', known, score)
    else scoreCollection(sample, idField, known, score)
  }
  const seeds = new Map([...collections].map(([path, { seeds: all }]) => [path, [...all.values()]]))
  return { idField, seeds, ...score }
}

// The field of an item that holds the id in its path: that of the parameter's name, `id`, or whichever always does.
function findIdField(items: Folded, parameter: string): string | undefined {
  // What answers a deletion need not be the item.
  const read = items.samples.filter(
    ({ method, status, response }) => method !== 'DELETE' && status < 300 && isObject(response),
  )
  const fields = new Map<string, number>()
  for (const sample of read) {
    const id = sample.segments.at(-1) ?? ''
    for (const [name, value] of Object.entries(sample.response as Item)) {
      if (textOf(value) === id) fields.set(name, (fields.get(name) ?? 0) + 1)
    }
  }
  const always = [...fields].filter(([, times]) => times === read.length).map(([name]) => name)
  return [parameter, 'id', ...always].find((name) => always.includes(name))
}

interface Tally {
  confirmed: number
  contradicted: number
}

function scoreItem({ method, status, response }: Sample, id: string, known: Known, score: Tally): void {
  const before = known.items.get(id)
  const isGone = known.gone.has(id)
  if (status === 404) {
    if (isGone) score.confirmed++
    else if (before !== undefined) score.contradicted++
  }
  if (status >= 300) return
  if (isGone) score.contradicted++
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
  }
}

function scoreCollection(
  { method, status, response }: Sample,
  idField: string,
  known: Known,
  score: Tally,
): void {
  if (status >= 300) return
  if (method === 'POST' && isObject(response)) {
    const id = textOf(response[idField])
    if (id === undefined) return
    known.items.set(id, response)
    known.gone.delete(id)
    return
  }
  if (method !== 'GET') return
  for (const item of listedItems(response)) {
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
