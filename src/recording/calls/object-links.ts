import type { CallRule, ObjectLink } from '../../engine/call-model.ts'
import { escapeKey, readPointer } from '../../engine/schema/pointer.ts'
import { groupBy } from '../../grouping.ts'
import { combined, replaceAt } from './envelope.ts'
import {
  givenAs,
  idText,
  isGivenByIds,
  isInverse,
  isOtherWay,
  linkedValue,
  type Member,
  type MemberList,
  ownPlace,
  type Pair,
} from './linked-lists.ts'
import { findListRule } from './list-rule.ts'
import type { Item } from './objects.ts'
import type { CallSample, ObjectSeen } from './call-sample.ts'
import { fieldName } from './show.ts'

/** The members of each type that are objects of another one, by the type's name. */
export type Links = ReadonlyMap<string, Readonly<Record<string, ObjectLink>>>

type Types = ReadonlyMap<string, string>

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
      const named = from === undefined && isList ? givenAs(member, calls, types) : undefined
      return [
        member,
        {
          type: to,
          ...(by !== undefined && { by }),
          ...(from !== undefined && { from }),
          ...(named !== undefined && { named }),
        },
      ]
    }),
  )
  for (const [member, link] of links) {
    if (!member.isList || link.from !== undefined || link.named !== undefined) continue
    const inverse = members.find(
      (other) =>
        isInverse(other, member) || (links.get(other)?.named !== undefined && isOtherWay(other, member)),
    )
    const own = isGivenByIds(member, calls, types) ? undefined : ownPlace(member, merged)
    const from = inverse === undefined ? own : (links.get(inverse)?.by ?? inverse.name)
    if (from !== undefined) links.set(member, { ...link, from })
  }
  for (const [member, link] of links) {
    const unseen = link.from === undefined ? [] : unseenIn(member, merged)
    if (unseen.length > 0) links.set(member, { ...link, unseen })
  }
  // Without a place for the owner's id, only a plain list can be kept as one of ids.
  for (const [member, { from }] of links) if (from === undefined && isShownBy(member)) links.delete(member)
  const found = linksByType(links)
  for (const [member, link] of links)
    if (isShownBy(member)) links.set(member, { ...link, shown: shownBy(member, all, types, found) })
  return linksByType(links)
}

function linksByType(links: ReadonlyMap<Member, ObjectLink>): Links {
  const byType = groupBy(links, ([{ type }]) => type)
  return new Map(
    [...byType].map(([type, own]) => [type, Object.fromEntries(own.map(([{ name }, link]) => [name, link]))]),
  )
}

// Whether a list is more than the objects in it, or depends on arguments.
function isShownBy({ isList, rest, lists }: Member): boolean {
  return isList && (rest !== '/-' || lists.some(({ args }) => Object.keys(args).length > 0))
}

function shownBy(
  { name, to, rest, lists, seen }: Member,
  all: readonly ObjectSeen[],
  types: Types,
  links: Links,
): CallRule {
  const samples = lists.map(({ args, value, seen: own }): CallSample => ({
    ...{ call: { name, args, selects: [] }, outcome: {}, value },
    objects: own.map((each) => ({ ...each, pointer: rest })),
  }))
  const [first] = seen as [ObjectSeen]
  const list = findListRule(
    samples,
    { ...first, pointer: rest },
    mergedStored(to, all, types, links),
    (each) => storedItem(each, types, links),
  )
  const at = rest.slice(0, rest.indexOf('/-'))
  const result = lists.map(({ value }) => value).reduce(combined)
  return { does: 'list', type: to, result: replaceAt(result, readPointer(at), null), at, list }
}

function membersIn(
  all: readonly ObjectSeen[],
  types: Types,
  merged: ReadonlyMap<string, ReadonlyMap<string, Item>>,
): readonly Member[] {
  const within = all.filter(({ parent }) => parent !== undefined)
  const ofParent = groupBy(within, ({ parent }) => parent?.seen)
  const byType = groupBy(all, ({ place }) => types.get(place) ?? '')
  const groups = groupBy(
    within,
    ({ parent }) => `${types.get(parent?.seen.place ?? '') ?? ''} ${fieldName(parent?.member ?? '')}`,
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
    const rests = new Set(seen.map(restOf))
    const [rest = ''] = rests
    if (rests.size > 1) return []
    const name = fieldName(first.parent.member)
    const lists = (byType.get(type) ?? []).flatMap((owner) =>
      Object.entries(owner.item)
        .filter(([key]) => fieldName(key) === name)
        .map(([key, value]): MemberList => {
          const own = ofParent.get(owner)?.filter(({ parent }) => parent?.member === key) ?? []
          return { args: argumentsIn(key), value, seen: own, owner: idText(owner) }
        }),
    )
    return [{ type, name, to, isList: rest.includes('/-'), pairs, seen, rest, lists }]
  })
}

// Where an object is in the member that it is within.
function restOf({ pointer, parent }: ObjectSeen): string {
  const start = parent?.seen.pointer.length ?? 0
  return pointer.slice(start + 1 + escapeKey(parent?.member ?? '').length)
}

function argumentsIn(member: string): Readonly<Record<string, unknown>> {
  const name = fieldName(member)
  return name === member ? {} : (JSON.parse(member.slice(name.length + 1, -1)) as Record<string, unknown>)
}

// Those whose list was not shown, where every list that was has something in it.
function unseenIn(
  { type, lists }: Member,
  merged: ReadonlyMap<string, ReadonlyMap<string, Item>>,
): readonly string[] {
  const shown = new Set(lists.map(({ owner }) => owner))
  const areFilled = lists.every(({ seen }) => seen.length > 0)
  return areFilled ? [...(merged.get(type)?.keys() ?? [])].filter((id) => !shown.has(id)) : []
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
    const link = own[fieldName(name)]
    if (link === undefined) return [[name, value]]
    if (link.shown !== undefined) return []
    const id = Array.isArray(value)
      ? value.map(linkedValue).filter((each) => each !== undefined)
      : linkedValue(value)
    if (link.by !== undefined) return Object.hasOwn(item, link.by) || id === null ? [] : [[link.by, id]]
    return link.from === undefined ? [[name, id]] : []
  })
  const { from } =
    links.get(types.get(parent?.seen.place ?? '') ?? '')?.[fieldName(parent?.member ?? '')] ?? {}
  // Of what has several, only those that it says itself are known.
  const hasSeveral = from !== undefined && own[from]?.named !== undefined
  const isOwned = parent !== undefined && from !== undefined && !hasSeveral && !Object.hasOwn(item, from)
  return {
    ...(Object.fromEntries(entries) as Item),
    ...(isOwned && { [from]: parent.seen.item[parent.seen.id] }),
  }
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
