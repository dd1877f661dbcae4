import { isDeepStrictEqual } from 'node:util'
import { textOf, type Json } from '../corpus/json.ts'
import type { Operation } from '../corpus/operations.ts'
import type { Request } from '../corpus/request.ts'
import { itemsIn, type Answered, type Client } from './client.ts'
import { scalarText, type Collection } from './collections.ts'

/** What a walk goes through. */
export interface Walkable {
  readonly collections: readonly Collection[]
  readonly client: Client
  /** A request of an operation with all that it requires. */
  requestOf(operation: Operation): Request
  /** Whether items are written, too. */
  readonly writes: boolean
}

/** Draws from 0 to below 1. */
export type Draw = () => number

export function drawsOf(seed: number): Draw {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A place in the world: a collection below certain parents. */
export interface Place {
  readonly collection: Collection
  /** The path of its list, filled in, without a query. */
  readonly path: string
  /** What lists of it must be requested with. */
  readonly query: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly parents: Readonly<Record<string, string>>
}

export interface Step {
  readonly world: Walkable
  readonly draw: Draw
  readonly place: Place
}

/** Something to do in a place; what is wrong is a rule and how it is broken. */
export type Act = (step: Step) => Promise<readonly [rule: string, what: string] | undefined>

export function pick<Value>(values: readonly Value[], draw: Draw): Value | undefined {
  return values[Math.floor(draw() * values.length)]
}

export async function findPlace(
  world: Walkable,
  collection: Collection,
  draw: Draw,
): Promise<Place | undefined> {
  const made = attempt(() => world.requestOf(collection.list))
  if (made === undefined) return undefined
  const [madePath = '', query = ''] = made.path.split('?', 2)
  const segments = madePath.split('/')
  const parents: Record<string, string> = {}
  for (const [index, segment] of collection.path.split('/').entries()) {
    const name = /^\{(.+)\}$/.exec(segment)?.[1]
    if (name === undefined) continue
    const above = collection.path.split('/').slice(0, index).join('/')
    const parent = world.collections.find(({ path }) => path === above)
    if (parent !== undefined) {
      const path = segments.slice(0, index).join('/')
      const listed = await world.client.ask(
        'GET',
        withQuery(path, requiredQuery(world, parent)),
        undefined,
        made.headers,
      )
      const id = scalarText(pick(itemsIn(listed.body, parent.field) ?? [], draw)?.[parent.idField])
      if (id === undefined) return undefined
      segments[index] = encodeURIComponent(id)
    }
    parents[name] = decodeURIComponent(segments[index] ?? '')
  }
  return {
    collection,
    path: segments.join('/'),
    query: query === '' ? [] : query.split('&'),
    headers: made.headers,
    parents,
  }
}

/** The collection whose items a property names, such as `/sites` for `site_id`, where their paths call it so. */
export function collectionNamed({ collections }: Walkable, name: string): Collection | undefined {
  const called = /^(.+?)_?[iI]d$/.exec(name)?.[1]?.toLowerCase()
  if (called === undefined) return undefined
  return collections.find(
    ({ path, parameter }) =>
      parameter === name && !path.includes('{') && path.split('/').at(-1)?.toLowerCase().startsWith(called),
  )
}

function requiredQuery(world: Walkable, { list }: Collection): readonly string[] {
  const query = attempt(() => world.requestOf(list))?.path.split('?', 2)[1] ?? ''
  return query === '' ? [] : query.split('&')
}

export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

export function withQuery(path: string, query: readonly string[]): string {
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

/** A list as the place shows it. */
export async function list(
  { world, place }: Step,
  more: readonly string[] = [],
): Promise<Answered & { items: Json[] | undefined }> {
  const names = new Set(more.map((each) => each.split('=')[0]))
  const query = [...place.query.filter((each) => !names.has(each.split('=')[0])), ...more]
  const answer = await world.client.ask('GET', withQuery(place.path, query), undefined, place.headers)
  return {
    ...answer,
    items: answer.status === 200 ? itemsIn(answer.body, place.collection.field) : undefined,
  }
}

export function idOf({ collection }: Place, item: Json | undefined): string | undefined {
  return scalarText(item?.[collection.idField])
}

export async function show({ world, place }: Step, id: string): Promise<Answered> {
  const query = attempt(() => world.requestOf(place.collection.item))?.path.split('?', 2)[1]
  const path = `${place.path}/${encodeURIComponent(id)}`
  return world.client.ask('GET', query === undefined ? path : `${path}?${query}`, undefined, place.headers)
}

/** Where two views of one item differ, of what both show as scalars. */
export function differenceOf(left: Json, right: Json): string | undefined {
  for (const [name, value] of Object.entries(left)) {
    const other = right[name]
    if (other === undefined || typeof value !== typeof other || typeof value === 'object') continue
    if (!isDeepStrictEqual(value, other))
      return `${name} is ${textOf(value).slice(0, 80)} in one and ${textOf(other).slice(0, 80)} in the other`
  }
  return undefined
}

/** Whether an example of the description says of an item what one of its properties is. */
export function isSaid({ collection }: Place, item: Json, name: string): boolean {
  const { examples, idField } = collection
  return (examples?.items ?? []).some(
    (each) => each[idField] === item[idField] && isDeepStrictEqual(each[name], item[name]),
  )
}

/** A fault of the description: what it shows of an item in a list is not what it shows of the same item by itself. */
export const SAID_TWICE = 'the examples of the description contradict each other'
