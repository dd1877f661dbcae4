import { isDeepStrictEqual } from 'node:util'
import { isJson, textOf, type Json } from '../corpus/json.ts'
import { scalarText } from './collections.ts'
import { lookUp, moments, nextPages, totals, wholeList } from './elsewhere-acts.ts'
import { pageWaysOf } from './pages.ts'
import {
  collectionNamed,
  differenceOf,
  findPlace,
  idOf,
  isSaid,
  list,
  pick,
  SAID_TWICE,
  show,
  type Act,
} from './place.ts'

const followItem: Act = async (step) => {
  const { items } = await list(step)
  const item = pick(items ?? [], step.draw)
  const id = idOf(step.place, item)
  if (item === undefined || id === undefined || id.includes('/')) return undefined
  const shown = await show(step, id)
  if (shown.status !== 200) return ['an id of a list leads nowhere', `${id} is answered with ${shown.status}`]
  const difference = isJson(shown.body) ? differenceOf(item, shown.body) : undefined
  if (difference === undefined) return undefined
  const isSaid = step.place.collection.examples?.contradictions.get(id) === difference
  return [isSaid ? SAID_TWICE : 'a list contradicts an item', difference]
}

const listAgain: Act = async (step) => {
  const [one, other] = [await list(step), await list(step)]
  return isDeepStrictEqual(one.body, other.body) ? undefined : ['a list changes by itself', step.place.path]
}

const isUnique: Act = async (step) => {
  const { items = [] } = await list(step)
  const idsOf = (some: readonly Json[]): string[] =>
    some.map((item) => idOf(step.place, item)).filter((id) => id !== undefined)
  const repeated = (ids: readonly string[]): string[] => ids.filter((id, at) => ids.indexOf(id) !== at)
  const said = new Set(repeated(idsOf(step.place.collection.examples?.items ?? [])))
  const again = repeated(idsOf(items))
  if (again.length === 0) return undefined
  return [
    again.every((id) => said.has(id)) ? SAID_TWICE : 'two items have one id',
    again.join(' ').slice(0, 200),
  ]
}

const filter: Act = async (step) => {
  const { collection } = step.place
  const names = collection.list.parameters.filter(
    ({ in: place, name, schema }) =>
      // What is an object compares, as `start[gte]` does.
      place === 'query' && name in collection.properties && !(isJson(schema) && schema['type'] === 'object'),
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
    if (other !== undefined && !isSaid(step.place, other, name))
      return ['an item belongs to another parent', `${name} is ${textOf(other[name])} below ${value}`]
  }
  return undefined
}

const refers: Act = async (step) => {
  const { world, draw } = step
  const item = pick((await list(step)).items ?? [], draw)
  for (const [name, value] of Object.entries(item ?? {})) {
    const id = scalarText(value)
    const target = id === undefined ? undefined : collectionNamed(world, name)
    const place = target && (await findPlace(world, target, draw))
    if (id === undefined || target === undefined) continue
    if (place === undefined || (item !== undefined && isSaid(step.place, item, name))) continue
    const { status } = await show({ ...step, place }, id)
    if (status !== 200)
      return ['an id refers to nothing', `${name} ${id} is answered with ${status} by ${target.item.name}`]
  }
  return undefined
}

const followUrls: Act = async (step) => {
  const { client } = step.world
  const item = pick((await list(step)).items ?? [], step.draw)
  // Of what is left open in a URL (RFC 6570) some may be left out; the rest the client would have to know.
  const urls = textsIn(item)
    .filter(([, text]) => text.startsWith(`${client.url}/`))
    .map(([name, text]) => [name, text.replaceAll(/\{[/?&#.;][^{}]*\}/g, '')] as const)
    .filter(([, text]) => !text.includes('{'))
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

/** What walks do that changes nothing. */
export const READS: readonly Act[] = [
  followItem,
  followItem,
  listAgain,
  isUnique,
  filter,
  belongs,
  refers,
  followUrls,
  pages,
  nextPages,
  totals,
  moments,
  lookUp,
  wholeList,
]
