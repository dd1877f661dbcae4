import type { ListRule } from '../../engine/call-model.ts'
import { compareTexts } from '../../grouping.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { meets } from './conditions.ts'
import {
  compareValues,
  isInRange,
  type Item,
  itemsAt,
  memberLike,
  type Objects,
  orderOf,
  type Linked,
} from './objects.ts'
import { placeAfter } from './page-cursors.ts'
import { inOrderOf, orderingsOf } from './orderings.ts'

type Args = ReadonlyMap<string, string | number | boolean>

interface Listed {
  readonly items: readonly Item[]
  readonly total: number
  readonly hasMore: boolean
  /** How many come before the next page. */
  readonly next: number
  /** How many come before the first. */
  readonly start: number
  /** The id of the first of the next page, where tokens are those. */
  readonly nextId?: unknown
}

/** What a list is made by. */
export interface Wanted {
  readonly args: Args
  /** The arguments as they were given. */
  readonly given?: Readonly<Record<string, unknown>>
  readonly linked?: Linked
  /** Those that may be listed; absent for all. */
  readonly own?: ReadonlySet<Item> | undefined
}

/** The objects that a list has, how many there are in all, and whether there are more. */
export function listItems(
  objects: Objects,
  rule: ListRule,
  { args, given = {}, linked = () => undefined, own }: Wanted,
): Listed {
  const { type } = objects
  const named = rule.ids === undefined ? undefined : given[rule.ids]
  const wanted = named === undefined ? undefined : [named].flat().map(String)
  const conditions = rule.where === undefined ? undefined : given[rule.where]
  const { range } = rule
  const all = itemsAt(objects, Number(args.get(rule.asOf ?? '') ?? 0))
  const items = own === undefined ? all : all.filter((item) => own.has(item))
  const found = items.filter(
    (item) =>
      fits(item, rule, args, linked) &&
      meets(item, conditions, linked) &&
      (wanted === undefined ||
        wanted.includes(String(item[type.id])) ||
        (rule.alsoIds !== undefined && wanted.includes(String(item[rule.alsoIds])))) &&
      Object.entries(rule.among ?? {}).every(
        ([name, member]) =>
          given[name] === undefined || [given[name]].flat().map(String).includes(String(item[member])),
      ) &&
      (range === undefined ||
        args.get(range.from) === undefined ||
        isInRange(type, item[type.id], args.get(range.from), args.get(range.to))),
  )
  const ordered =
    type.isOrdered === true && wanted === undefined
      ? found.toSorted((a, b) => compareTexts(orderOf(type, a[type.id]), orderOf(type, b[type.id])))
      : found
  const newest = rule.isNewestFirst === true ? ordered.toReversed() : ordered
  const members = new Set(found.flatMap((item) => Object.keys(item)))
  const orderings = rule.orderBy === undefined ? undefined : orderingsOf(given[rule.orderBy], members)
  const sorted = orderings === undefined ? sortItems(newest, rule, args) : inOrderOf(newest, orderings)
  const [limit, offset, page] = [rule.limit, rule.offset, rule.page].map((name) => numberAt(args, name))
  const token = args.get(rule.cursor?.argument ?? '')
  const last = rule.after === undefined ? undefined : args.get(rule.after)
  const after = sorted.findIndex((item) => last !== undefined && String(item[type.id]) === String(last)) + 1
  const paged = page === undefined ? after : (page - (rule.first ?? 0)) * (limit ?? sorted.length)
  const { form } = rule.cursor ?? {}
  const ids = (): readonly unknown[] => sorted.map((item) => item[type.id])
  const isNext = rule.cursor?.isNext === true
  const countBefore = (given: string | number | boolean): number =>
    isNext
      ? indexOfToken(ids(), given, type.isOrdered === true)
      : form === undefined
        ? offsetOf(given)
        : placeAfter(form, given, ids())
  const start = token === undefined || token === '' ? (offset ?? paged) : countBefore(token)
  const end = limit === undefined || limit === 0 ? sorted.length : start + limit
  return {
    items: sorted.slice(start, end),
    total: rule.countsAll === true ? items.length : found.length,
    hasMore: end < sorted.length,
    next: end,
    ...(isNext && end < sorted.length && { nextId: sorted[end]?.[type.id] }),
    start,
  }
}

// What was removed since has its place among those that are in order.
function indexOfToken(ids: readonly unknown[], token: unknown, isOrdered: boolean): number {
  const at = ids.findIndex((id) => (isOrdered ? String(id) >= String(token) : String(id) === String(token)))
  return at === -1 ? ids.length : at
}

/** A token for the page that so many objects come before. */
export function tokenOf(offset: number, example: unknown): string | number {
  if (typeof example === 'number') return offset
  return /^\d+$/.test(String(example)) ? String(offset) : Buffer.from(`after ${offset}`).toString('base64')
}

// Servers that were recorded made their tokens otherwise, though mostly of the number alone.
function offsetOf(token: string | number | boolean): number {
  const text = String(token)
  const plain = /^\d+$/.test(text) ? text : Buffer.from(text, 'base64').toString()
  return Number(/^\D{0,12}(\d{1,9})\D{0,2}$/.exec(plain)?.[1] ?? 0)
}

function fits(item: Item, { filter, search }: ListRule, args: Args, linked: Linked): boolean {
  const text = search === undefined ? undefined : args.get(search)
  if (text !== undefined && !JSON.stringify(item).toLowerCase().includes(String(text).toLowerCase()))
    return false
  return filter.every(({ argument, member, by, of }) => {
    const wanted = args.get(argument)
    if (wanted === undefined) return true
    if (of === undefined) return COMPARE[by](item[member], wanted)
    const within = linked(item, member)?.map(([each]) => each) ?? [item[member]].flat().filter(isObject)
    return within.some((each) => COMPARE[by](each[of], wanted))
  })
}

type Compare = (own: unknown, wanted: string | number | boolean) => boolean

/** How filters compare, by the ends of their names. */
export const COMPARE: Readonly<Record<ListRule['filter'][number]['by'], Compare>> = {
  eq: (own, wanted) => own === wanted || String(own) === String(wanted),
  ne: (own, wanted) => String(own) !== String(wanted),
  lt: (own, wanted) => (own as number) < (wanted as number),
  lte: (own, wanted) => (own as number) <= (wanted as number),
  gt: (own, wanted) => (own as number) > (wanted as number),
  gte: (own, wanted) => (own as number) >= (wanted as number),
  in: (own, wanted) => String(own).toLowerCase().includes(String(wanted).toLowerCase()),
  prefix: (own, wanted) => String(own).startsWith(String(wanted)),
}

function sortItems(items: readonly Item[], { sort, order }: ListRule, args: Args): readonly Item[] {
  const given = sort === undefined ? undefined : args.get(sort)
  const [example] = items
  const wanted = String(given ?? '').replace(/^[-+]/, '')
  const name = example && memberLike(wanted, Object.keys(example))
  if (name === undefined) return items
  const isDown = String(given).startsWith('-') || /^desc/i.test(String(args.get(order ?? '') ?? ''))
  const sign = isDown ? -1 : 1
  return items.toSorted((a, b) => sign * compareValues(a[name], b[name]))
}

function numberAt(args: Args, name: string | undefined): number | undefined {
  const value = name === undefined ? undefined : Number(args.get(name) ?? Number.NaN)
  return value === undefined || Number.isNaN(value) ? undefined : value
}
