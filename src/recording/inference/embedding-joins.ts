import type { EmbeddedMember } from '../../engine/embeds-option.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { singular } from './names.ts'
import type { Item } from './item-place.ts'
import { isSameItem } from './same-item.ts'
import { isScalar } from './values.ts'

/** An item, and the things that a member of it has. */
export interface Pair {
  readonly item: Item
  readonly things: readonly Item[]
  readonly isList: boolean
}

/** What is known of the items of a collection. */
export interface Things {
  readonly at: string
  /** The field with their ids. */
  readonly id: string
  readonly known: ReadonlyMap<string, readonly Item[]>
  /** The parameter of a path such as `/posts/{id}/comments`, and its values where an item was seen. */
  readonly within?: { readonly parameter: string; readonly of: ReadonlyMap<string, ReadonlySet<string>> }
}

interface About {
  /** The field with the id of the items that have the member. */
  readonly id: string
  /** Whether the member has the reference in other answers. */
  readonly isInPlace: boolean
  readonly things: readonly Things[]
}

/** What answers showed under each id, without what comes again. */
export function idsOfThings(items: readonly Item[], id: string): ReadonlyMap<string, readonly Item[]> {
  const known = new Map<string, Item[]>()
  for (const item of items) {
    const key = item[id]
    if (!isScalar(key)) continue
    const own = known.get(String(key)) ?? []
    if (own.length < MAX_STATES) own.push(item)
    known.set(String(key), own)
  }
  return known
}

/** More states of one item say little more of it. */
const MAX_STATES = 8

/**
 * Which items of which collection a member has, and by which fields; `undefined` where what it has is none of any, or no
 * two fields agree.
 */
export function findJoin(
  name: string,
  pairs: readonly Pair[],
  { id, isInPlace, things }: About,
): EmbeddedMember | undefined {
  const isList = pairs.some((pair) => pair.isList)
  if (pairs.length === 0 || pairs.some((pair) => pair.isList !== isList)) return undefined
  const all = pairs.flatMap((pair) => pair.things)
  const target = targetOf(name, all, things)
  if (target === undefined) return undefined
  const joins = candidates(name, pairs, { id, isInPlace, target, isList })
  const found = joins.find(([by, from]) => pairs.every((pair) => agrees(pair, by, from, target)))
  const join = isInPlace ? ([target.id, name] as const) : found
  if (join === undefined) return undefined
  const [by, from] = join
  const fields = shownOf(all, target)
  return {
    ...{ at: target.at, by },
    ...(from !== 'id' && { from }),
    ...(isList && { list: true }),
    ...(fields !== undefined && { fields }),
  }
}

/** The collection that a member has items of; `undefined` where they are none of any. */
export function targetOf(name: string, all: readonly Item[], things: readonly Things[]): Things | undefined {
  const isOf = ({ id: own, known }: Things): boolean =>
    all.every((thing) => known.get(String(thing[own]))?.some((each) => isSameItem(each, thing)) === true)
  const able = things.filter(isOf)
  const isNamedSo = ({ at }: Things): boolean => singular(at.split('/').at(-1) ?? '') === singular(name)
  return able.find(isNamedSo) ?? able[0]
}

// What all show of things that elsewhere have more.
function shownOf(all: readonly Item[], { id, known }: Things): readonly string[] | undefined {
  const shown = new Set(all.flatMap((thing) => Object.keys(thing)))
  const hasMore = (thing: Item): boolean =>
    known.get(String(thing[id]))?.some((whole) => Object.keys(whole).some((name) => !shown.has(name))) ===
    true
  return all.length > 1 && all.every(hasMore) ? [...shown].toSorted() : undefined
}

// Of a list each thing names the item; of one thing the item has the name.
function candidates(
  name: string,
  pairs: readonly Pair[],
  about: Pick<About, 'id' | 'isInPlace'> & { readonly target: Things; readonly isList: boolean },
): readonly (readonly [by: string, from: string])[] {
  const { id, target, isList } = about
  const [first] = pairs
  if (first === undefined) return []
  const likely = (field: string): number => Number(!field.toLowerCase().startsWith(singular(name)))
  const named = (item: Item): readonly string[] => Object.keys(item).filter((each) => isScalar(item[each]))
  const listing = (item: Item): readonly string[] =>
    Object.keys(item).filter((each) => Array.isArray(item[each]) && keysIn(item[each], id).length > 0)
  if (target.within !== undefined) return isList ? [[target.within.parameter, id]] : []
  if (!isList)
    return named(first.item)
      .toSorted((one, other) => likely(one) - likely(other))
      .map((from) => [target.id, from])
  const [thing = {}] = pairs.flatMap(({ things }) => things)
  const shown = named(thing)
  // What is within others often lacks the reference to them.
  const more = statesOf(thing, target).flatMap(named)
  const among = statesOf(thing, target).flatMap(listing)
  const fields = [...new Set([...shown, ...more.filter(isReferring), ...more, ...among])].filter(
    (each) => each !== target.id,
  )
  const lists = Object.keys(first.item).filter((each) => Array.isArray(first.item[each]) && each !== name)
  return [...fields.map((by) => [by, id] as const), ...lists.map((from) => [target.id, from] as const)]
}

/** Whether a field is called as what has the id of something else. */
function isReferring(name: string): boolean {
  return /[a-z]_?id$|_by$/i.test(name)
}

// What elsewhere is shown of a thing may have more.
function statesOf(thing: Item, { id, known }: Things): readonly Item[] {
  return [thing, ...(known.get(String(thing[id])) ?? [])]
}

function agrees({ item, things }: Pair, by: string, from: string, target: Things): boolean {
  const keys = [item[from]].flat().filter(isScalar).map(String)
  return things.every((thing) => {
    if (target.within !== undefined)
      return keys.some((key) => target.within?.of.get(String(thing[target.id]))?.has(key) === true)
    const all = Object.hasOwn(thing, by) ? [thing] : statesOf(thing, target)
    return all.some((each) => keysIn(each[by], from).some((key) => keys.includes(key)))
  })
}

// What has several of them has a list, which may show what they are.
function keysIn(value: unknown, id: string): readonly string[] {
  return [value].flat().flatMap((each: unknown) => {
    const key = isObject(each) && Array.isArray(value) ? each[id] : each
    return isScalar(key) ? [String(key)] : []
  })
}
