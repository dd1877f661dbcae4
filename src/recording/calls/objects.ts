import type { CallModel, ListRule, ObjectType } from '../../engine/call-model.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { compareTexts } from '../../grouping.ts'
import { madeKind } from '../../shape/made-values.ts'
import { freshLike, type Fresh } from '../match/nearest-answer.ts'

export type Item = Readonly<Record<string, unknown>>
type Args = ReadonlyMap<string, string | number | boolean>

/** The objects of one type, by their ids as texts, in order. */
export interface Objects {
  readonly type: ObjectType
  readonly items: Map<string, Item>
  /** Of all ids there ever were, the greatest that is a number. */
  greatest: number
  /** When each was made, in milliseconds since 1970. */
  readonly made: Map<string, number>
  /** Counts the changes of all types. */
  readonly changes: ChangeCount
  /** What was stored and removed, with the count then. */
  readonly history: (readonly [count: number, id: string, item: Item | undefined])[]
}

/** How many changes there were; those of one request are one. */
export interface ChangeCount {
  now: number
  isAdvanced: boolean
}

const MAX_HISTORY = 10_000

/** All objects of a model, as they are in the beginning. */
export function createObjects({
  types,
  envelope,
}: Pick<CallModel, 'types' | 'envelope'>): ReadonlyMap<string, Objects> {
  const changes = { now: envelope?.start ?? 0, isAdvanced: false }
  return new Map(
    Object.entries(types).map(([name, type]) => {
      const objects: Objects = { type, items: new Map(), greatest: 0, made: new Map(), changes, history: [] }
      for (const item of type.items) put(objects, item)
      const first = Number(type.exampleId)
      if (Number.isSafeInteger(first) && !objects.items.has(String(first)))
        objects.greatest = Math.max(objects.greatest, first - 1)
      return [name, objects]
    }),
  )
}

/** Counts a change, and notes what was stored or removed by it. */
export function noteChange({ type, changes, history }: Objects, id: string, item: Item | undefined): void {
  if (type.isCounted !== true) return
  if (!changes.isAdvanced) changes.now++
  changes.isAdvanced = true
  history.push([changes.now, id, item])
  if (history.length > MAX_HISTORY) history.shift()
}

/** The objects that there were at a count of changes. */
export function itemsAt({ type, items, history, changes }: Objects, count: number): readonly Item[] {
  if (!(count > 0) || count >= changes.now) return [...items.values()]
  const then = new Map(type.items.map((item) => [String(item[type.id]), item]))
  for (const [at, id, item] of history) {
    if (at > count) break
    if (item === undefined) then.delete(id)
    else then.set(id, item)
  }
  return [...then.values()]
}

/** The members that count, as they are after a change of an object. */
export function countedMembers(
  { type: { counters = {}, defaults }, changes, items }: Objects,
  id: unknown,
): Item {
  const before = items.get(String(id))
  const entries = Object.entries(counters).map(([name, counts]) => {
    const value =
      counts === 'writes'
        ? Number(before?.[name] ?? 0) + 1
        : counts === 'made' && before !== undefined
          ? before[name]
          : changes.now
    return [name, typeof defaults[name] === 'string' ? String(value) : value]
  })
  return Object.fromEntries(entries) as Item
}

/** Removes an object, and those that are not there without it. */
export function remove(all: ReadonlyMap<string, Objects>, typeName: string, id: string): void {
  const objects = all.get(typeName)
  if (objects?.items.delete(id) !== true) return
  noteChange(objects, id, undefined)
  for (const [name, { type, items }] of all)
    for (const member of Object.keys(type.within ?? {}).filter((each) => type.within?.[each] === typeName))
      for (const [other, item] of items) if (String(item[member]) === id) remove(all, name, other)
}

/** What ids are ordered by. */
export function orderOf({ hasBytes = false }: Pick<ObjectType, 'hasBytes'>, id: unknown): string {
  return hasBytes ? Buffer.from(String(id), 'base64').toString('latin1') : String(id)
}

/** Whether an id is in a range that ends before another one; without an end, whether it is the first. */
export function isInRange(
  type: Pick<ObjectType, 'hasBytes'>,
  id: unknown,
  from: unknown,
  to: unknown,
): boolean {
  if (to === undefined || to === '') return String(id) === String(from)
  const [own, first, end] = [id, from, to].map((each) => orderOf(type, each)) as [string, string, string]
  // A single zero byte stands for the end of all.
  return own >= first && (end === '\0' || own < end)
}

/** Stores an object in place of the one with its id, or after all others. */
export function put(objects: Objects, item: Item): void {
  const id = item[objects.type.id]
  if (Number.isSafeInteger(Number(id))) objects.greatest = Math.max(objects.greatest, Number(id))
  objects.items.set(String(id), item)
}

/** An id that no object has: one more than the greatest number at their ends, or another of the same form. */
export function freshId(objects: Objects, fresh: Fresh): unknown {
  const stored = [...objects.items.values()].map((item) => item[objects.type.id])
  const { exampleId } = objects.type
  const ids = stored.length === 0 && exampleId !== undefined ? [exampleId] : stored
  const example = ids.at(-1)
  // Several are made in one request.
  const own = { ...fresh, seed: `${fresh.seed} ${stored.length}` }
  if (typeof example === 'string' && madeKind(example) !== undefined) return freshLike(example, own)
  if (ids.every((each) => Number.isSafeInteger(Number(each)))) {
    const next = objects.greatest + 1
    return typeof example === 'number' ? next : String(next)
  }
  const ends = ids.map((id) => /^(.*?)([1-9]\d*)$/.exec(String(id)))
  const [prefix] = ends.map((found) => found?.[1])
  if (prefix !== undefined && ends.every((found) => found?.[1] === prefix)) {
    objects.greatest = Math.max(objects.greatest, ...ends.map((found) => Number(found?.[2]))) + 1
    return `${prefix}${objects.greatest}`
  }
  return freshLike(String(example), own)
}

interface Listed {
  readonly items: readonly Item[]
  readonly total: number
  readonly hasMore: boolean
  /** How many come before the next page. */
  readonly next: number
}

/** The objects that a list has, how many there are in all, and whether there are more. */
export function listItems(objects: Objects, rule: ListRule, args: Args, wanted?: readonly string[]): Listed {
  const { type } = objects
  const { range } = rule
  const items = itemsAt(objects, Number(args.get(rule.asOf ?? '') ?? 0))
  const found = items.filter(
    (item) =>
      fits(item, rule, args) &&
      (wanted?.includes(String(item[type.id])) ?? true) &&
      (range === undefined ||
        args.get(range.from) === undefined ||
        isInRange(type, item[type.id], args.get(range.from), args.get(range.to))),
  )
  const ordered =
    type.isOrdered === true
      ? found.toSorted((a, b) => compareTexts(orderOf(type, a[type.id]), orderOf(type, b[type.id])))
      : found
  const sorted = sortItems(rule.isNewestFirst === true ? ordered.toReversed() : ordered, rule, args)
  const [limit, offset, page] = [rule.limit, rule.offset, rule.page].map((name) => numberAt(args, name))
  const token = args.get(rule.cursor?.argument ?? '')
  const last = rule.after === undefined ? undefined : args.get(rule.after)
  const after = sorted.findIndex((item) => last !== undefined && String(item[type.id]) === String(last)) + 1
  const paged = page === undefined ? after : (page - (rule.first ?? 0)) * (limit ?? sorted.length)
  const start = token === undefined || token === '' ? (offset ?? paged) : offsetOf(token)
  const end = limit === undefined || limit === 0 ? sorted.length : start + limit
  return {
    items: sorted.slice(start, end),
    total: rule.countsAll === true ? items.length : found.length,
    hasMore: end < sorted.length,
    next: end,
  }
}

/** A token for the page that so many objects come before. */
export function tokenOf(offset: number, example: unknown): string {
  return typeof example === 'number' || /^\d+$/.test(String(example))
    ? String(offset)
    : Buffer.from(`after ${offset}`).toString('base64')
}

// Servers that were recorded made their tokens otherwise, though mostly of the number alone.
function offsetOf(token: string | number | boolean): number {
  const text = String(token)
  const plain = /^\d+$/.test(text) ? text : Buffer.from(text, 'base64').toString()
  return Number(/^\D{0,12}(\d{1,9})\D{0,2}$/.exec(plain)?.[1] ?? 0)
}

function fits(item: Item, { filter, search }: ListRule, args: Args): boolean {
  const text = search === undefined ? undefined : args.get(search)
  if (text !== undefined && !JSON.stringify(item).toLowerCase().includes(String(text).toLowerCase()))
    return false
  return filter.every(({ argument, member, by }) => {
    const wanted = args.get(argument)
    return wanted === undefined || COMPARE[by](item[member], wanted)
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
  return items.toSorted((a, b) => sign * compare(a[name], b[name]))
}

/** The member that a word names: the one called so, in any case, or else the first that begins with it. */
export function memberLike(word: string, members: Iterable<string>): string | undefined {
  const all = [...members]
  const wanted = word.toLowerCase()
  return (
    all.find((name) => name === word) ??
    all.find((name) => name.toLowerCase() === wanted) ??
    (wanted.length > 2 ? all.find((name) => name.toLowerCase().startsWith(`${wanted}_`)) : undefined)
  )
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (DIGITS.test(String(a)) && DIGITS.test(String(b))) return Number(a) - Number(b)
  return String(a) < String(b) ? -1 : Number(String(a) > String(b))
}

const DIGITS = /^\d+$/

function numberAt(args: Args, name: string | undefined): number | undefined {
  const value = name === undefined ? undefined : Number(args.get(name) ?? Number.NaN)
  return value === undefined || Number.isNaN(value) ? undefined : value
}

/** The object that another one has as a member, or the list of them; `undefined` where nothing says it. */
export function linkedTo(
  all: ReadonlyMap<string, Objects>,
  typeName: string,
  item: Item,
  member: string,
): { readonly type: string; readonly found: Item | null | readonly Item[] } | undefined {
  const objects = all.get(typeName)
  const link = objects?.type.links[member]
  const others = link && all.get(link.type)
  if (objects === undefined || link === undefined || others === undefined) return undefined
  if (link.by !== undefined) {
    const id = item[link.by]
    if (id === undefined) return undefined
    return { type: link.type, found: others.items.get(idOf(id)) ?? null }
  }
  const { from } = link
  if (from !== undefined) {
    const own = String(item[objects.type.id])
    return { type: link.type, found: [...others.items.values()].filter((each) => String(each[from]) === own) }
  }
  const value = item[member]
  const refs = Array.isArray(value) ? (value as unknown[]) : undefined
  if (refs !== undefined)
    return {
      type: link.type,
      found: refs.map((id) => others.items.get(idOf(id))).filter((each) => isObject(each)),
    }
  return value === undefined ? undefined : { type: link.type, found: others.items.get(idOf(value)) ?? null }
}

function idOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
