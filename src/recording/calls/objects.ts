import type { CallModel, ListRule, ObjectType } from '../../engine/call-model.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { freshLike, type Fresh } from '../match/nearest-answer.ts'

export type Item = Readonly<Record<string, unknown>>
type Args = ReadonlyMap<string, string | number | boolean>

/** The objects of one type, by their ids as texts, in order. */
export interface Objects {
  readonly type: ObjectType
  readonly items: Map<string, Item>
  /** Of all ids there ever were, the greatest that is a number. */
  greatest: number
}

/** All objects of a model, as they are in the beginning. */
export function createObjects({ types }: Pick<CallModel, 'types'>): ReadonlyMap<string, Objects> {
  return new Map(
    Object.entries(types).map(([name, type]) => {
      const objects: Objects = { type, items: new Map(), greatest: 0 }
      for (const item of type.items) put(objects, item)
      return [name, objects]
    }),
  )
}

/** Stores an object in place of the one with its id, or after all others. */
export function put(objects: Objects, item: Item): void {
  const id = item[objects.type.id]
  if (Number.isSafeInteger(Number(id))) objects.greatest = Math.max(objects.greatest, Number(id))
  objects.items.set(String(id), item)
}

/** An id that no object has: one more than the greatest number at their ends, or another of the same form. */
export function freshId(objects: Objects, fresh: Fresh): unknown {
  const ids = [...objects.items.values()].map((item) => item[objects.type.id])
  const example = ids.at(-1)
  const numbers = ids.map(Number)
  if (ids.length === 0 || numbers.every((each) => Number.isSafeInteger(each))) {
    const next = objects.greatest + 1
    return typeof (example ?? objects.type.items[0]?.[objects.type.id]) === 'number' ? next : String(next)
  }
  const ends = ids.map((id) => /^(.*?)([1-9]\d*)$/.exec(String(id)))
  const [prefix] = ends.map((found) => found?.[1])
  if (prefix !== undefined && ends.every((found) => found?.[1] === prefix)) {
    objects.greatest = Math.max(objects.greatest, ...ends.map((found) => Number(found?.[2]))) + 1
    return `${prefix}${objects.greatest}`
  }
  return freshLike(String(example), fresh)
}

/** The objects that a list has, and how many there are in all. */
export function listItems(
  items: readonly Item[],
  rule: ListRule,
  args: Args,
): { readonly items: readonly Item[]; readonly total: number } {
  const found = items.filter((item) => fits(item, rule, args))
  const sorted = sortItems(found, rule, args)
  const [limit, offset, page] = [rule.limit, rule.offset, rule.page].map((name) => numberAt(args, name))
  const start = offset ?? (page === undefined ? 0 : (page - (rule.first ?? 0)) * (limit ?? sorted.length))
  return {
    items: sorted.slice(start, limit === undefined ? undefined : start + limit),
    total: rule.countsAll === true ? items.length : found.length,
  }
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
}

function sortItems(items: readonly Item[], { sort, order }: ListRule, args: Args): readonly Item[] {
  const given = sort === undefined ? undefined : args.get(sort)
  if (given === undefined) return items
  const name = String(given).replace(/^[-+]/, '')
  const isDown = String(given).startsWith('-') || /^desc/i.test(String(args.get(order ?? '') ?? ''))
  const sign = isDown ? -1 : 1
  return items.toSorted((a, b) => sign * compare(a[name], b[name]))
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : Number(String(a) > String(b))
}

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
