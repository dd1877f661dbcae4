import { isDeepStrictEqual } from 'node:util'
import { isJson, type Json } from '../corpus/json.ts'
import { itemsIn, type Answered } from './client.ts'
import { scalarText } from './collections.ts'
import { pageWaysOf } from './pages.ts'
import { attempt, differenceOf, idOf, list, pick, withQuery, type Act, type Step } from './place.ts'

type Wrong = Awaited<ReturnType<Act>>

/** Looks an item up by another of its properties than its id. */
export async function lookUp(step: Step): Promise<Wrong> {
  const { world, place, draw } = step
  const lookup = pick(place.collection.elsewhere?.lookups ?? [], draw)
  const items = (await list(step)).items ?? []
  const item = pick(items, draw)
  const value = lookup && scalarText(item?.[lookup.property])
  if (lookup === undefined || item === undefined || value === undefined || value.includes('/'))
    return undefined
  const { operation, property } = lookup
  // Which of several that have the value it is, nobody knows.
  if (items.filter((each) => scalarText(each[property]) === value).length > 1) return undefined
  const made = attempt(() => world.requestOf(operation))
  const [, query = ''] = made?.path.split('?', 2) ?? []
  const path = operation.path.replace(/\{[^{}]+\}$/, encodeURIComponent(value))
  const shown = await world.client.ask(
    'GET',
    withQuery(path, query === '' ? [] : [query]),
    undefined,
    made?.headers,
  )
  if (shown.status !== 200) return ['what is looked up is not there', `${path}: ${shown.status}`]
  const difference = isJson(shown.body) ? differenceOf(item, shown.body) : undefined
  return difference === undefined ? undefined : ['what is looked up is another item', difference]
}

/** Compares the list of all with the part that belongs to a parent. */
export async function wholeList(step: Step): Promise<Wrong> {
  const { world, place } = step
  const { whole } = place.collection.elsewhere ?? {}
  const made = whole && attempt(() => world.requestOf(whole.operation))
  if (whole === undefined || made === undefined) return undefined
  const [path = '', query = ''] = made.path.split('?', 2)
  const size = pageWaysOf(whole.operation)?.size
  const more = [...(query === '' ? [] : [query]), ...(size === undefined ? [] : [`${size}=100`])]
  const all = itemsIn(
    (await world.client.ask('GET', withQuery(path, more), undefined, made.headers)).body,
    whole.field,
  )
  const { items = [] } = await list(step)
  if (all === undefined || all.length >= 100) return undefined
  const value = place.parents[whole.parent]
  for (const item of items) {
    const same = all.find(
      (each) => idOf(place, each) === idOf(place, item) && scalarText(each[whole.parent]) === value,
    )
    if (same === undefined)
      return ['a list of all leaves an item out', `${idOf(place, item) ?? ''} of ${value ?? ''}`]
    const difference = differenceOf(item, same)
    if (difference !== undefined) return ['a list of all contradicts its part', difference]
  }
  return undefined
}

/** Whether items were made before they were changed. */
export async function moments(step: Step): Promise<Wrong> {
  for (const item of (await list(step)).items ?? []) {
    const made = momentOf(item, ['created_at', 'createdAt', 'created', 'date_created', 'created_on'])
    const changed = momentOf(item, ['updated_at', 'updatedAt', 'updated', 'date_updated', 'updated_on'])
    if (made !== undefined && changed !== undefined && made > changed)
      return ['an item was changed before it was made', idOf(step.place, item) ?? '']
  }
  return undefined
}

function momentOf(item: Json, names: readonly string[]): number | undefined {
  const value = names.map((name) => item[name]).find((each) => each !== undefined)
  const moment =
    typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(moment) ? moment : undefined
}

const TOTAL = /^(total|total_?count|total_?(items|results|elements|records)|count_?total)$/i

/** Whether the totals of a list are its length, on each of its pages. */
export async function totals(step: Step): Promise<Wrong> {
  const way = pageWaysOf(step.place.collection.list)
  if (way === undefined) return undefined
  const whole = await list(step, [`${way.size}=100`])
  const count = whole.items?.length
  if (count === undefined || count >= 100) return undefined
  const some = await list(step, [`${way.size}=1`])
  if (some.items === undefined) return undefined
  for (const answer of [whole, some])
    for (const [name, total] of totalsIn(answer))
      if (total !== count) return ['a total is not true', `${name} is ${total} for ${count} items`]
  return undefined
}

function totalsIn({ body, headers }: Answered): (readonly [string, number])[] {
  const within = (value: unknown): [string, unknown][] => (isJson(value) ? Object.entries(value) : [])
  const known = within(body).flatMap(([name, value]) => [[name, value] as const, ...within(value)])
  const counts = known.filter(([name, value]) => TOTAL.test(name) && typeof value === 'number')
  const header = headers['x-total-count'] ?? headers['x-total']
  return [...counts, ...(typeof header === 'string' ? [['x-total-count', Number(header)] as const] : [])] as [
    string,
    number,
  ][]
}

const MAX_PAGES = 60

/** Follows the links to next pages, which together are the list. */
export async function nextPages(step: Step): Promise<Wrong> {
  const { world, place, draw } = step
  const way = pageWaysOf(place.collection.list)
  if (way === undefined) return undefined
  const whole = await list(step, [`${way.size}=100`])
  if (whole.items === undefined || whole.items.length === 0 || whole.items.length >= 100) return undefined
  const ids = whole.items.map((item) => idOf(place, item))
  let page = await list(step, [`${way.size}=${1 + Math.floor(draw() * 5)}`])
  const seen: (string | undefined)[] = []
  for (let count = 0; count < MAX_PAGES; count++) {
    // A description may have pages be longer than that.
    if (count === 0 && (page.status === 422 || page.status === 400)) return undefined
    if (page.items === undefined) return ['a next page fails', `page ${count}: ${page.status}`]
    seen.push(...page.items.map((item) => idOf(place, item)))
    const next = nextOf(page)
    if (next === undefined && count === 0 && seen.length < ids.length) return undefined
    if (next === undefined) break
    const { pathname, search } = new URL(next, world.client.url)
    const answer = await world.client.ask('GET', pathname + search, undefined, place.headers)
    page = { ...answer, items: itemsIn(answer.body, place.collection.field) }
  }
  return isDeepStrictEqual(seen, ids)
    ? undefined
    : [
        'next pages are not the list',
        `${seen.join(' ').slice(0, 150)} in place of ${ids.join(' ').slice(0, 150)}`,
      ]
}

function nextOf({ headers, body }: Answered): string | undefined {
  const link = [headers['link']].flat().join(',')
  return /<([^<>]*)>;\s*rel="?next"?/.exec(link)?.[1] ?? (isJson(body) ? nextIn(body) : undefined)
}

function nextIn(body: Json): string | undefined {
  const holders = [
    body,
    body['links'],
    body['_links'],
    body['paging'],
    body['pagination'],
    body['meta'],
  ].filter(isJson)
  for (const holder of holders) {
    const next = isJson(holder['next']) ? holder['next']['href'] : holder['next']
    if (typeof next === 'string' && /^(https?:\/\/|\/)/.test(next)) return next
  }
  return undefined
}
