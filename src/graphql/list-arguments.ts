import { GraphQLError } from 'graphql'
import { isObject } from '../engine/schema/schema.ts'
import { createFilter, type Read } from './filter.ts'
import { snakeOf, type EntityType } from './model.ts'
import { Entity, textOf } from './object-graph.ts'
import type { Args, Page, Part } from './part.ts'

const GROUPS = /^(paging|pagination|page|options|params|input|filter_?input|query_?options)$/i
const FILTERS = /^(where|filters?|filter_?by|condition|criteria)$/i
const SEARCHES = /^(q|query|search|search_?(term|text|query)|term|text|keyword|keywords)$/i
const SORTS = /^(order_?by|order|sort|sort_?by|sorting|sort_?key|order_?field|sort_?field)$/i
const DIRECTIONS =
  /^(sort_?order|order_?direction|sort_?direction|direction|dir|reverse|ascending|descending)$/i
const PAGES: Readonly<Record<string, RegExp>> = {
  first: /^first$/i,
  last: /^last$/i,
  after: /^(after|after_?cursor|cursor|starting_?after)$/i,
  before: /^(before|before_?cursor|ending_?before)$/i,
  size: /^(limit|take|per_?page|page_?size|size|items_?per_?page|max_?results|count|top)$/i,
  offset: /^(offset|skip|start|start_?index)$/i,
  page: /^(page|page_?number|page_?index)$/i,
}
const DEFAULT_SIZE = 10

/** Filters, sorts and cuts a list as the arguments of its field say. */
export function pageOf(all: readonly Entity[], args: Args, type: EntityType | undefined, read: Read): Page {
  const given = flattened(args, type)
  const isField = (name: string): boolean => type?.type.getFields()[name] !== undefined
  const filters = new Map<string, unknown>()
  const pages: Record<string, unknown> = {}
  let [sort, direction, search]: unknown[] = []
  for (const [name, value] of given) {
    if (value === null || value === undefined) continue
    const paging = isObject(value) ? undefined : pagingNamed(name)
    if (paging !== undefined) pages[paging] = value
    else if (SORTS.test(name)) sort = value
    else if (DIRECTIONS.test(name))
      direction = name === 'descending' || name === 'reverse' ? value === true : value
    else if (SEARCHES.test(name) && !isField(name) && typeof value === 'string') search = value
    else filters.set(FILTERS.test(name) ? `where ${name}` : name, value)
  }
  const fits = createFilter(type, read)
  const where = (entity: Entity): boolean =>
    [...filters].every(([name, value]) =>
      name.startsWith('where ') ? fits(entity, value) : fits(entity, { [name]: value }),
    )
  const kept = all.filter(
    (entity) => where(entity) && (search === undefined || mentions(entity, textOf(search), read)),
  )
  return cut(sorted(kept, sort, direction, type, read), pages)
}

/** What of the arguments of a list says which page of it is wanted, and the others. */
export function pagingOf(args: Args): { readonly pages: Args; readonly others: Args } {
  const given = flattened(args, undefined).filter(([, value]) => value !== null && value !== undefined)
  const isPaging = ([name, value]: [string, unknown]): boolean =>
    !isObject(value) && pagingNamed(name) !== undefined
  const pages = given.filter(isPaging).map(([name, value]) => [pagingNamed(name), value])
  return {
    pages: Object.fromEntries(pages) as Args,
    others: Object.fromEntries(given.filter((each) => !isPaging(each))),
  }
}

function pagingNamed(name: string): string | undefined {
  return Object.keys(PAGES).find((each) => PAGES[each]?.test(name) === true)
}

function flattened(args: Args, type: EntityType | undefined): [string, unknown][] {
  return Object.entries(args).flatMap(([name, value]): [string, unknown][] =>
    GROUPS.test(name) && isObject(value) && type?.type.getFields()[name] === undefined
      ? flattened(value, type)
      : [[name, value]],
  )
}

function mentions(entity: Entity, text: string, read: Read): boolean {
  const wanted = text.toLowerCase()
  return Object.values(entity.type.type.getFields())
    .filter(({ args, type }) => args.length === 0 && /^(String|ID)!?$/.test(String(type)))
    .some(({ name }) => String(read(entity, name)).toLowerCase().includes(wanted))
}

function sorted(
  items: readonly Entity[],
  sort: unknown,
  direction: unknown,
  type: EntityType | undefined,
  read: Read,
): readonly Entity[] {
  const keys = [sort].flat().flatMap((each) => keysOf(each, direction, type))
  if (sort === undefined && direction === true) return items.toReversed()
  if (keys.length === 0) return items
  return items.toSorted((one, other) => {
    for (const { name, isDown } of keys) {
      const order = compare(read(one, name), read(other, name))
      if (order !== 0) return isDown ? -order : order
    }
    return 0
  })
}

interface SortKey {
  readonly name: string
  readonly isDown: boolean
}

// `NAME_DESC`, `-name`, `name: desc`, `{ name: desc }` and `{ field: NAME, direction: DESC }` say the same.
function keysOf(sort: unknown, direction: unknown, type: EntityType | undefined): SortKey[] {
  const isDown = (text: unknown): boolean => text === true || text === -1 || /^desc/i.test(String(text))
  if (isObject(sort)) {
    const entries = Object.entries(sort)
    const field = entries.find(([name]) =>
      /^(field|by|key|property|column|order_?by|sort_?by|name)$/i.test(name),
    )
    const order = entries.find(([name]) => /^(direction|order|dir|sort_?order)$/i.test(name))
    if (field !== undefined && order !== undefined) return keysOf(field[1], order[1], type)
    return entries.flatMap(([name, value]) =>
      keysOf(name, isObject(value) ? (value['sort'] ?? value['direction'] ?? 'asc') : value, type),
    )
  }
  if (typeof sort !== 'string') return []
  const [, minus = '', named = '', ending = ''] =
    /^(-?)(.*?)(?:(?<![_:\s])[_:\s]+(asc|desc)(?:ending)?)?$/i.exec(sort) ?? []
  const plain = plainOf(named)
  const name = Object.keys(type?.type.getFields() ?? {}).find((each) => plainOf(each) === plain)
  if (name === undefined) return []
  return [{ name, isDown: minus === '-' || (ending === '' ? isDown(direction) : isDown(ending)) }]
}

function plainOf(name: string): string {
  return snakeOf(name).replace(/_/g, '')
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (one === null || one === undefined) return other === null || other === undefined ? 0 : 1
  if (other === null || other === undefined) return -1
  const [a, b] = [one, other].map(String) as [string, string]
  return Number(a > b) - Number(a < b)
}

/** The page of a list that some arguments want. */
export function cut(items: readonly (Entity | Part)[], pages: Args): Page {
  const countOf = (name: string): number | undefined => {
    const value = pages[name] === undefined ? undefined : Number(pages[name])
    if (value !== undefined && (!Number.isInteger(value) || value < 0))
      throw new GraphQLError(`'${name === 'size' ? 'limit' : name}' must be a whole number, 0 or more`)
    return value
  }
  const [first, last, size, page] = ['first', 'last', 'size', 'page'].map(countOf)
  let start = pages['after'] === undefined ? 0 : indexAtCursor(textOf(pages['after']), items) + 1
  let end = pages['before'] === undefined ? items.length : indexAtCursor(textOf(pages['before']), items)
  start += countOf('offset') ?? 0
  const most = first ?? size ?? (page === undefined ? undefined : DEFAULT_SIZE)
  // Pages are counted from 1, and the first one may be called 0.
  if (page !== undefined && page > 0) start += (page - 1) * (most ?? DEFAULT_SIZE)
  if (most !== undefined) end = Math.min(end, start + most)
  if (last !== undefined) start = Math.max(start, end - last)
  const isPaged = most ?? last
  return {
    items: items.slice(start, Math.max(start, end)),
    total: items.length,
    offset: start,
    size: isPaged,
  }
}

/** What names the place of an item in its list. */
export function cursorOf(item: Entity | Part, index: number): string {
  return Buffer.from(`${index}:${idOf(item) ?? ''}`).toString('base64url')
}

function idOf(item: Entity | Part): string | undefined {
  return item instanceof Entity ? item.id : undefined
}

function indexAtCursor(cursor: string, items: readonly (Entity | Part)[]): number {
  const [, index, id] = /^(\d+):(.*)$/s.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? []
  if (index === undefined) throw new GraphQLError(`'${cursor.slice(0, 80)}' is not a cursor of this list`)
  if (id === '') return Number(index)
  const at = items.findIndex((each) => idOf(each) === id)
  // The item may be gone, and those behind it have moved up.
  return at >= 0 ? at : Number(index) - 1
}
