import type { ObjectLink } from '../../engine/call-model.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import { idMember } from './id-members.ts'
import type { Item } from './objects.ts'
import type { CallSample, ObjectSeen } from './occurrences.ts'

/** The members of each type that are objects of another one, by the type's name. */
export type Links = ReadonlyMap<string, Readonly<Record<string, ObjectLink>>>

type Types = ReadonlyMap<string, string>

/** An object, and one that it was seen with as a member. */
interface Pair {
  readonly one: Item
  readonly oneId: string
  readonly other: Item
  readonly otherId: string
  /** The members with their ids. */
  readonly ids: { readonly one: string; readonly other: string }
}

interface Member {
  readonly type: string
  readonly name: string
  readonly to: string
  readonly isList: boolean
  readonly pairs: readonly Pair[]
  readonly seen: readonly ObjectSeen[]
}

/** Finds which members are other objects, and by which of their values that is so. */
export function findLinks(calls: readonly CallSample[], types: Types): Links {
  const all = calls.flatMap(({ objects }) => objects)
  const merged = new Map([...new Set(types.values())].map((type) => [type, mergedItems(type, all, types)]))
  const members = membersIn(all, types, merged)
  const links = new Map<Member, ObjectLink>(
    members.map((member) => {
      const { to, isList, pairs } = member
      const by = isList
        ? undefined
        : referenceIn(pairs.map(({ one, otherId, ids }) => [one, otherId, ids.one]))
      const from = isList
        ? referenceIn(pairs.map(({ other, oneId, ids }) => [other, oneId, ids.other]))
        : undefined
      return [member, { type: to, ...(by !== undefined && { by }), ...(from !== undefined && { from }) }]
    }),
  )
  for (const [member, link] of links) {
    if (!member.isList || link.from !== undefined || member.name.includes('(')) continue
    const inverse = members.find((other) => isInverse(other, member))
    const from = inverse === undefined ? ownPlace(member, merged) : (links.get(inverse)?.by ?? inverse.name)
    if (from !== undefined) links.set(member, { ...link, from })
  }
  const byType = groupBy(links, ([{ type }]) => type)
  return new Map(
    [...byType].map(([type, own]) => [type, Object.fromEntries(own.map(([{ name }, link]) => [name, link]))]),
  )
}

function membersIn(
  all: readonly ObjectSeen[],
  types: Types,
  merged: ReadonlyMap<string, ReadonlyMap<string, Item>>,
): readonly Member[] {
  const within = all.filter(({ parent }) => parent !== undefined)
  const groups = groupBy(
    within,
    ({ parent }) => `${types.get(parent?.seen.place ?? '') ?? ''} ${parent?.member ?? ''}`,
  )
  return [...groups.values()].flatMap((seen): Member[] => {
    const [first] = seen
    const type = types.get(first?.parent?.seen.place ?? '') ?? ''
    const to = types.get(first?.place ?? '') ?? ''
    if (first?.parent === undefined || seen.some(({ place }) => types.get(place) !== to)) return []
    const pairs = seen.flatMap(({ parent, ...each }): Pair[] => {
      if (parent === undefined) return []
      const [oneId, otherId] = [idText(parent.seen), idText(each)]
      const [one = {}, other = each.item] = [merged.get(type)?.get(oneId), merged.get(to)?.get(otherId)]
      return [{ one, oneId, other, otherId, ids: { one: parent.seen.id, other: each.id } }]
    })
    const isList = seen.some(({ pointer }) => pointer.endsWith('/-'))
    return [{ type, name: first.parent.member, to, isList, pairs, seen }]
  })
}

// A member of those in a list that is what the list is a member of.
function isInverse({ type, name, to, isList }: Member, { to: items, type: owner, pairs }: Member): boolean {
  if (isList || type !== items || to !== owner) return false
  const known = pairs.filter(({ other }) => isObject(other[name]))
  const isOwner = ({ other, oneId }: Pair): boolean => linkedId(other[name]) === oneId
  return known.length > 0 && known.every(isOwner)
}

// A place for the owner's id in what a list has, where nothing has two owners and lists are in the order of all.
function ownPlace(
  { type, name, to, pairs, seen }: Member,
  merged: ReadonlyMap<string, ReadonlyMap<string, Item>>,
): string | undefined {
  const owners = groupBy(pairs, ({ otherId }) => otherId)
  if ([...owners.values()].some((own) => new Set(own.map(({ oneId }) => oneId)).size > 1)) return undefined
  const ids = [...(merged.get(to)?.keys() ?? [])]
  const order = ids.every((id) => Number.isSafeInteger(Number(id)))
    ? ids.toSorted((a, b) => Number(a) - Number(b))
    : ids
  const lists = groupBy(seen, ({ parent }) => parent?.seen)
  const isOrdered = [...lists.values()].every((own) => {
    const places = own.map((each) => order.indexOf(idText(each)))
    return places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0))
  })
  return isOrdered ? `${type}.${name}` : undefined
}

/** All that was ever said of objects of a type, by their ids. */
export function mergedItems(
  type: string,
  all: readonly ObjectSeen[],
  types: Types,
): ReadonlyMap<string, Item> {
  const found = new Map<string, Item>()
  for (const each of all)
    if (types.get(each.place) === type) found.set(idText(each), { ...found.get(idText(each)), ...each.item })
  return found
}

/** All that was ever said of objects of a type, as they are stored. */
export function mergedStored(
  type: string,
  all: readonly ObjectSeen[],
  types: Types,
  links: Links,
): ReadonlyMap<string, Item> {
  const found = new Map<string, Item>()
  for (const each of all)
    if (types.get(each.place) === type)
      found.set(idText(each), { ...found.get(idText(each)), ...storedItem(each, types, links) })
  return found
}

/**
 * An object as it is stored: those within it are stored by themselves, and it has their ids where nothing else says which
 * they are.
 */
export function storedItem({ item, place, parent }: ObjectSeen, types: Types, links: Links): Item {
  const own = links.get(types.get(place) ?? '') ?? {}
  const entries = Object.entries(item).flatMap(([name, value]): [string, unknown][] => {
    const link = own[name]
    if (link === undefined) return [[name, value]]
    const id = Array.isArray(value) ? value.map(linkedValue) : linkedValue(value)
    if (link.by !== undefined) return Object.hasOwn(item, link.by) || id === null ? [] : [[link.by, id]]
    return link.from === undefined ? [[name, id]] : []
  })
  const { from } = links.get(types.get(parent?.seen.place ?? '') ?? '')?.[parent?.member ?? ''] ?? {}
  const isOwned = parent !== undefined && from !== undefined && !Object.hasOwn(item, from)
  return {
    ...(Object.fromEntries(entries) as Item),
    ...(isOwned && { [from]: parent.seen.item[parent.seen.id] }),
  }
}

/** The id of an object within another one; null for none. */
export function linkedValue(value: unknown): unknown {
  return isObject(value) ? value[idMember(value) ?? 'id'] : null
}

function linkedId(value: unknown): string {
  return String(linkedValue(value))
}

function idText({ item, id }: Pick<ObjectSeen, 'item' | 'id'>): string {
  return String(item[id])
}

// The member that has an id wherever it was seen.
function referenceIn(
  pairs: readonly (readonly [item: Item, wanted: string, id: string])[],
): string | undefined {
  const names = new Set(pairs.flatMap(([item]) => Object.keys(item)))
  return [...names].find((name) => {
    const known = pairs.filter(([item, , id]) => item[name] !== undefined && name !== id)
    return known.length > 0 && known.every(([item, wanted]) => String(item[name]) === wanted)
  })
}
