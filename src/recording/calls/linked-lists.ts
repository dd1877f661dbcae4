import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import { singular } from '../inference/names.ts'
import { membersOf } from './call.ts'
import type { CallSample, ObjectSeen } from './call-sample.ts'
import { idMember } from './id-members.ts'
import type { Item } from './objects.ts'

type Types = ReadonlyMap<string, string>

/** An object, and one that it was seen with as a member. */
export interface Pair {
  readonly one: Item
  readonly oneId: string
  readonly other: Item
  readonly otherId: string
  /** The members with their ids. */
  readonly ids: { readonly one: string; readonly other: string }
}

/** A member that is other objects. */
export interface Member {
  readonly type: string
  readonly name: string
  readonly to: string
  readonly isList: boolean
  readonly pairs: readonly Pair[]
  readonly seen: readonly ObjectSeen[]
  /** Where in the member's value the other objects are, as a JSON pointer with `-` for each. */
  readonly rest: string
  readonly lists: readonly MemberList[]
}

/** A list of objects, as a field with arguments showed it. */
export interface MemberList {
  readonly args: Readonly<Record<string, unknown>>
  readonly value: unknown
  readonly seen: readonly ObjectSeen[]
  /** The id of what has it. */
  readonly owner: string
}

/** A member of those in a list that is what the list is a member of. */
export function isInverse(
  { type, name, to, isList }: Member,
  { to: items, type: owner, pairs }: Member,
): boolean {
  if (isList || type !== items || to !== owner) return false
  const known = pairs.filter(({ other }) => isObject(other[name]))
  const isOwner = ({ other, oneId }: Pair): boolean => linkedId(other[name]) === oneId
  return known.length > 0 && known.every(isOwner)
}

/** A list of what those in a list belong to, as they are seen at most times. */
export function isOtherWay({ type, name, to }: Member, { to: items, type: owner, pairs }: Member): boolean {
  if (type !== items || to !== owner) return false
  const known = pairs.filter(({ other }) => Array.isArray(other[name]))
  const having = known.filter(({ other, oneId }) => (other[name] as unknown[]).map(linkedId).includes(oneId))
  return having.length > 0 && having.length * 2 >= known.length
}

/** The member of those in a list that changes give texts of, in place of their ids. */
export function givenAs(
  { type, name, seen }: Member,
  calls: readonly CallSample[],
  types: Types,
): string | undefined {
  const given = calls.flatMap(({ call, objects }) => {
    const texts = call.isChange === true ? membersOf(call)[name] : undefined
    const made = objects.find((each) => types.get(each.place) === type && Array.isArray(each.item[name]))
    const shown = made?.item[name]
    return isTexts(texts) && Array.isArray(shown)
      ? [{ texts, shown: shown.filter(isObject), all: shown }]
      : []
  })
  const [first] = given.flatMap(({ shown }) => shown)
  const ids = new Set(seen.map(({ id }) => id))
  const members = Object.keys(first ?? {}).filter((member) => !ids.has(member))
  return members.find((member) =>
    given.every(
      ({ texts, shown, all }) =>
        all.length === texts.length && shown.every((each, at) => each[member] === texts[at]),
    ),
  )
}

/** Whether changes give the ids of those in a list, such as `labelIds`: others may have the same ones. */
export function isGivenByIds({ type, name }: Member, calls: readonly CallSample[], types: Types): boolean {
  const wanted = singular(name)
  return calls.some(({ call, objects }) => {
    if (call.isChange !== true || !objects.some(({ place }) => types.get(place) === type)) return false
    return Object.entries(membersOf(call)).some(([given, value]) => {
      const [, stem = ''] = /^(.+?)_?ids$/i.exec(given) ?? []
      return Array.isArray(value) && stem !== '' && singular(stem) === wanted
    })
  })
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

/** A place for the owner's id in what a list has, where nothing has two owners and lists are in the order of all. */
export function ownPlace(
  { type, name, to, pairs, seen }: Member,
  merged: ReadonlyMap<string, ReadonlyMap<string, Item>>,
): string | undefined {
  const owners = groupBy(pairs, ({ otherId }) => otherId)
  if ([...owners.values()].some((own) => new Set(own.map(({ oneId }) => oneId)).size > 1)) return undefined
  const ids = [...(merged.get(to)?.keys() ?? [])]
  const order = ids.every((id) => Number.isSafeInteger(Number(id)))
    ? ids.toSorted((a, b) => Number(a) - Number(b))
    : ids
  const plain = seen.filter(({ parent }) => !ORDERING.test(parent?.member ?? ''))
  const lists = groupBy(plain, ({ parent }) => parent?.seen)
  const isOrdered = [...lists.values()].every((own) => {
    const places = own.map((each) => order.indexOf(idText(each)))
    return places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0))
  })
  return isOrdered ? `${type}.${name}` : undefined
}

const ORDERING = /^[^(]*\(.*(order|sort)/is

/** The id of an object within another one; null for none. */
export function linkedValue(value: unknown): unknown {
  return isObject(value) ? value[idMember(value) ?? 'id'] : null
}

function linkedId(value: unknown): string {
  return String(linkedValue(value))
}

/** The id of an object as a text. */
export function idText({ item, id }: Pick<ObjectSeen, 'item' | 'id'>): string {
  return String(item[id])
}
