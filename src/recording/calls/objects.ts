import type { CallModel, ObjectType } from '../../engine/call-model.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { madeKind } from '../../shape/made-values.ts'
import { ObjectMap } from './object-map.ts'
import { freshLike, type Fresh } from '../match/nearest-answer.ts'

export type Item = Readonly<Record<string, unknown>>

/** The objects of one type, by their ids as texts, in order. */
export interface Objects {
  readonly type: ObjectType
  readonly items: ObjectMap<Item>
  /** Of all ids there ever were, the greatest that is a number. */
  greatest: number
  /** Likewise of the numbers that the server gives, by their members. */
  readonly numbers: Map<string, number>
  /** When each was made, in milliseconds since 1970. */
  readonly made: Map<string, number>
  /** Counts the changes of all types. */
  readonly changes: ChangeCount
  /** What was stored and removed, with the count then. */
  readonly history: (readonly [count: number, id: string, item: Item | undefined])[]
}

/** A type whose objects have nothing but what they are given. @param id the member that has the id */
export function plainType(id: string, items: Iterable<Item>): ObjectType {
  return { id, items: [...items], links: {}, defaults: {} }
}

/** How many changes there were; those of one request are one. */
export interface ChangeCount {
  now: number
  isAdvanced: boolean
  /** The next of the numbers that are given to what is done, by where results have them. */
  readonly issued: Map<string, number>
}

const MAX_HISTORY = 10_000

/** All objects of a model, as they are in the beginning. */
export function createObjects({
  types,
  envelope,
}: Pick<CallModel, 'types' | 'envelope'>): ReadonlyMap<string, Objects> {
  const changes = { now: envelope?.start ?? 0, isAdvanced: false, issued: new Map() }
  return new Map(
    Object.entries(types).map(([name, type]) => {
      const objects: Objects = {
        type,
        items: new ObjectMap(),
        greatest: 0,
        numbers: new Map(),
        made: new Map(),
        changes,
        history: [],
      }
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
  const number = Number(globalId(id)?.number ?? id)
  if (Number.isSafeInteger(number)) objects.greatest = Math.max(objects.greatest, number)
  for (const name of Object.keys(objects.type.numbers ?? {}))
    if (typeof item[name] === 'number')
      objects.numbers.set(name, Math.max(objects.numbers.get(name) ?? 0, item[name]))
  objects.items.set(String(id), item)
}

// Ids that say in base64 of which type they are: `Book:7`.
function globalId(id: unknown): { readonly type: string; readonly number: string } | undefined {
  if (typeof id !== 'string' || id.length < MIN_GLOBAL) return undefined
  const text = Buffer.from(id, 'base64').toString()
  const [, type = '', number = ''] = /^([A-Za-z][\w/]*[:|/])(\d+)$/.exec(text) ?? []
  return type !== '' && Buffer.from(text).toString('base64') === id ? { type, number } : undefined
}

const MIN_GLOBAL = 8

/** An id that no object has: one more than the greatest number at their ends, or another of the same form. */
export function freshId(objects: Objects, fresh: Fresh): unknown {
  const stored = [...objects.items.values()].map((item) => item[objects.type.id])
  const { exampleId } = objects.type
  const ids = stored.length === 0 && exampleId !== undefined ? [exampleId] : stored
  const example = ids.at(-1)
  // Several are made in one request.
  const own = { ...fresh, seed: `${fresh.seed} ${stored.length}` }
  const global = ids.map(globalId)
  if (global.every((each) => each !== undefined && each.type === global[0]?.type)) {
    const next = `${global[0]?.type ?? ''}${objects.greatest + 1}`
    return Buffer.from(next).toString('base64')
  }
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

/** How values are ordered: numbers, and texts of digits, as numbers. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (DIGITS.test(String(a)) && DIGITS.test(String(b))) return Number(a) - Number(b)
  return String(a) < String(b) ? -1 : Number(String(a) > String(b))
}

const DIGITS = /^\d+$/

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
    const found = [...others.items.values()].filter((each) =>
      [each[from]].flat().some((id) => idOf(id) === own),
    )
    return found.length === 0 && link.unseen?.includes(own) === true ? undefined : { type: link.type, found }
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

/** An id as a text; empty for what is none. */
export function idOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The objects that a member of an object is, to which conditions may go on; `undefined` where it is none. */
export type Linked = (item: Item, member: string) => readonly (readonly [Item, Linked])[] | undefined

/** Finds what members of objects are, for conditions on those. */
export function linkedIn(all: ReadonlyMap<string, Objects>, typeName: string): Linked {
  return (item, member) => {
    const linked = linkedTo(all, typeName, item, member)
    if (linked === undefined) return undefined
    const further = linkedIn(all, linked.type)
    return [linked.found].flat().flatMap((each) => (isObject(each) ? [[each, further] as const] : []))
  }
}
