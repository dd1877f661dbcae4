import { isDeepStrictEqual } from 'node:util'
import { isJson, textOf, type Json } from '../corpus/json.ts'
import type { Operation } from '../corpus/operations.ts'
import type { Request } from '../corpus/request.ts'
import { itemsIn, type Answered, type Client } from './client.ts'
import { scalarText, type Collection } from './collections.ts'
import { pageWaysOf } from './pages.ts'

/** What a walk found wrong: a rule that does not hold, where, and the requests that show it. */
export interface Finding {
  readonly rule: string
  readonly at: string
  readonly what: string
  readonly requests: readonly string[]
}

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

/** One walk of so many steps. Each step goes somewhere by what was seen before, and checks what it sees. */
export async function walk(
  world: Walkable,
  steps: number,
  draw: Draw,
): Promise<{ findings: Finding[]; checks: number }> {
  const findings: Finding[] = []
  let checks = 0
  const { collections, client } = world
  for (let step = 0; step < steps; step++) {
    const collection = pick(collections, draw)
    if (collection === undefined) break
    client.taken()
    const step = { world, draw, place: await findPlace(world, collection, draw) }
    if (step.place === undefined) continue
    const act = pick(world.writes ? [...READS, ...WRITES] : READS, draw) as Act
    const wrong = await act({ ...step, place: step.place })
    checks++
    if (wrong !== undefined)
      findings.push({ rule: wrong[0], at: collection.item.name, what: wrong[1], requests: client.taken() })
  }
  return { findings, checks }
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

async function findPlace(world: Walkable, collection: Collection, draw: Draw): Promise<Place | undefined> {
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

const followItem: Act = async (step) => {
  const { items } = await list(step)
  const item = pick(items ?? [], step.draw)
  const id = idOf(step.place, item)
  if (item === undefined || id === undefined || id.includes('/')) return undefined
  const shown = await show(step, id)
  if (shown.status !== 200) return ['an id of a list leads nowhere', `${id} is answered with ${shown.status}`]
  const difference = isJson(shown.body) ? differenceOf(item, shown.body) : undefined
  if (difference === undefined) return undefined
  const isSaid = step.place.collection.contradictions?.get(id) === difference
  return [isSaid ? SAID_TWICE : 'a list contradicts an item', difference]
}

/** A fault of the description: what it shows of an item in a list is not what it shows of the same item by itself. */
export const SAID_TWICE = 'the examples of the description contradict each other'

const listAgain: Act = async (step) => {
  const [one, other] = [await list(step), await list(step)]
  return isDeepStrictEqual(one.body, other.body) ? undefined : ['a list changes by itself', step.place.path]
}

const isUnique: Act = async (step) => {
  const { items = [] } = await list(step)
  const ids = items.map((item) => idOf(step.place, item)).filter((id) => id !== undefined)
  return new Set(ids).size === ids.length ? undefined : ['two items have one id', ids.join(' ').slice(0, 200)]
}

const filter: Act = async (step) => {
  const { collection } = step.place
  const names = collection.list.parameters.filter(
    ({ in: place, name }) => place === 'query' && name in collection.properties,
  )
  const parameter = pick(names, step.draw)
  const item = pick((await list(step)).items ?? [], step.draw)
  const value = parameter && scalarText(item?.[parameter.name])
  if (parameter === undefined || value === undefined) return undefined
  const { items, status } = await list(step, [`${parameter.name}=${encodeURIComponent(value)}`])
  if (items === undefined)
    return status < 500 ? undefined : ['a filter fails', `${parameter.name}=${value}: ${status}`]
  const other = items.find((each) => scalarText(each[parameter.name]) !== value)
  if (other !== undefined)
    return [
      'a filter lets others through',
      `${parameter.name}=${value} gives ${textOf(other[parameter.name])}`,
    ]
  const hasIt = items.some((each) => idOf(step.place, each) === idOf(step.place, item))
  return hasIt ? undefined : ['a filter leaves out what fits', `${parameter.name}=${value}`]
}

const belongs: Act = async (step) => {
  const { parents } = step.place
  const { items = [] } = await list(step)
  for (const [name, value] of Object.entries(parents)) {
    if (!/[a-z]_?id$/i.test(name)) continue
    const other = items.find(
      (item) => name in item && scalarText(item[name]) !== undefined && scalarText(item[name]) !== value,
    )
    if (other !== undefined)
      return ['an item belongs to another parent', `${name} is ${textOf(other[name])} below ${value}`]
  }
  return undefined
}

const refers: Act = async (step) => {
  const { world, draw } = step
  const item = pick((await list(step)).items ?? [], draw)
  for (const [name, value] of Object.entries(item ?? {})) {
    const called = /^(.+?)_?[iI]d$/.exec(name)?.[1]?.toLowerCase()
    const id = scalarText(value)
    if (called === undefined || id === undefined) continue
    const target = world.collections.find(
      ({ path, parameter }) =>
        parameter === name && !path.includes('{') && path.split('/').at(-1)?.toLowerCase().startsWith(called),
    )
    const place = target && (await findPlace(world, target, draw))
    if (place === undefined) continue
    const { status } = await show({ ...step, place }, id)
    if (status !== 200)
      return ['an id refers to nothing', `${name} ${id} is answered with ${status} by ${target?.item.name}`]
  }
  return undefined
}

const followUrls: Act = async (step) => {
  const { client } = step.world
  const item = pick((await list(step)).items ?? [], step.draw)
  // What is left open in a URL (RFC 6570) is not there.
  const urls = textsIn(item)
    .filter(([, text]) => text.startsWith(`${client.url}/`))
    .map(([name, text]) => [name, text.replaceAll(/\{[^{}]*\}/g, '')] as const)
  const url = pick(urls, step.draw)
  if (url === undefined) return undefined
  const path = url[1].slice(client.url.length)
  const { status } = await client.ask('GET', path, undefined, step.place.headers)
  return status === 404 ? ['a URL leads nowhere', url.join(' ')] : undefined
}

const MAX_DEPTH = 3

function textsIn(value: unknown, path: readonly string[] = []): (readonly [name: string, text: string])[] {
  if (typeof value === 'string') return [[path.join('/'), value]]
  if (!isJson(value) || path.length > MAX_DEPTH) return []
  return Object.entries(value).flatMap(([name, each]) => textsIn(each, [...path, name]))
}

const pages: Act = async (step) => {
  const way = pageWaysOf(step.place.collection.list)
  if (way === undefined) return undefined
  const whole = await list(step, [`${way.size}=100`])
  if (whole.items === undefined || whole.items.length === 0 || whole.items.length >= 100) return undefined
  const ids = whole.items.map((item) => idOf(step.place, item))
  const size = 1 + Math.floor(step.draw() * 4)
  const seen: (string | undefined)[] = []
  for (let page = 0; page * size < ids.length; page++) {
    const { items, status } = await list(step, [`${way.size}=${size}`, `${way.at}=${way.place(page, size)}`])
    if (items === undefined)
      return status === 422 || status === 400 ? undefined : ['a page fails', `page ${page}: ${status}`]
    if (items.length > size) return ['a page is longer than requested for', `${items.length} of ${size}`]
    seen.push(...items.map((item) => idOf(step.place, item)))
  }
  return isDeepStrictEqual(seen, ids)
    ? undefined
    : ['pages are not the list', `${seen.join(' ').slice(0, 150)} in place of ${ids.join(' ').slice(0, 150)}`]
}

const READS: readonly Act[] = [
  followItem,
  followItem,
  listAgain,
  isUnique,
  filter,
  belongs,
  refers,
  followUrls,
  pages,
]

const create: Act = async (step) => {
  const { world, place } = step
  const made = place.collection.create && attempt(() => world.requestOf(place.collection.create as Operation))
  if (made === undefined || typeof made.body !== 'string') return undefined
  const sent = attempt(() => JSON.parse(made.body as string) as unknown)
  if (!isJson(sent)) return undefined
  const query = made.path.split('?', 2)[1]
  const { idField } = place.collection
  const { [idField]: _own, ...body } = sent
  const answer = await world.client.ask(
    'POST',
    query === undefined ? place.path : `${place.path}?${query}`,
    body,
    made.headers,
  )
  const id = isJson(answer.body) ? scalarText(answer.body[idField]) : undefined
  if (answer.status >= 300 || id === undefined || id.includes('/')) return undefined
  const shown = await show(step, id)
  if (shown.status !== 200) return ['what was created is not there', `${id}: ${shown.status}`]
  const difference = isJson(shown.body) ? differenceOf(body, shown.body) : undefined
  return difference === undefined ? undefined : ['what was created is something else', difference]
}

const remove: Act = async (step) => {
  const { world, place } = step
  const operation = place.collection.remove
  const made = operation && attempt(() => world.requestOf(operation))
  const id = idOf(place, pick((await list(step)).items ?? [], step.draw))
  if (made === undefined || id === undefined || id.includes('/')) return undefined
  const query = made.path.split('?', 2)[1]
  const path = `${place.path}/${encodeURIComponent(id)}`
  const body =
    typeof made.body === 'string' ? attempt(() => JSON.parse(made.body as string) as unknown) : undefined
  const answer = await world.client.ask(
    'DELETE',
    query === undefined ? path : `${path}?${query}`,
    body,
    made.headers,
  )
  if (answer.status >= 300) return answer.status === 404 ? ['an item cannot be deleted', id] : undefined
  const shown = await show(step, id)
  if (shown.status < 400) return ['what was deleted is there', `${id}: ${shown.status}`]
  const { items = [] } = await list(step)
  return items.some((item) => idOf(place, item) === id) ? ['what was deleted is listed', id] : undefined
}

const change: Act = async (step) => {
  const { world, place } = step
  const operation = place.collection.change
  const made = operation && attempt(() => world.requestOf(operation))
  const id = idOf(place, pick((await list(step)).items ?? [], step.draw))
  if (operation === undefined || typeof made?.body !== 'string') return undefined
  if (id === undefined || id.includes('/')) return undefined
  const sent = attempt(() => JSON.parse(made.body as string) as unknown)
  if (!isJson(sent)) return undefined
  const { [place.collection.idField]: _own, ...body } = sent
  const query = made.path.split('?', 2)[1]
  const path = `${place.path}/${encodeURIComponent(id)}`
  const answer = await world.client.ask(
    operation.method,
    query === undefined ? path : `${path}?${query}`,
    body,
    made.headers,
  )
  if (answer.status >= 300) return undefined
  const shown = await show(step, id)
  const difference = isJson(shown.body)
    ? differenceOf(body, shown.body)
    : `${id} is answered with ${shown.status}`
  if (difference !== undefined) return ['a change does not show', difference]
  const listed = ((await list(step)).items ?? []).find((item) => idOf(place, item) === id)
  const inList = listed && differenceOf(body, listed)
  return inList === undefined ? undefined : ['a change does not show in the list', inList]
}

const WRITES: readonly Act[] = [create, change, remove]
