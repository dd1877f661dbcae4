import type { CallOutcome, CallRule, ListRule } from '../../engine/call-model.ts'
import { singular } from '../inference/names.ts'
import { type Fresh, freshLike } from '../match/nearest-answer.ts'
import { without } from './changed-lists.ts'
import { adaptMissing } from './adapt-outcome.ts'
import { type argumentsOf, type Call, membersOf } from './call.ts'
import { isEmpty } from './envelope.ts'
import { added } from './kept-store.ts'
import { type Item, memberLike, type Objects } from './objects.ts'
import { likeBefore } from './show.ts'

// What results show of an object and requests do not give is as it usually is.
export function usual(
  { type }: Objects,
  { shows, isId, isWhole }: CallRule,
  seed: Fresh,
  { selects }: Pick<Call, 'selects'>,
): Item {
  const { defaults, fresh = [], templates = {} } = type
  // What is selected later is made as well, where it differs from one to the next.
  const made = [...fresh, ...Object.keys(templates)]
  const names =
    isId === true || isWhole === true || selects !== undefined ? Object.keys(defaults) : (shows ?? made)
  const known = names.filter((name) => Object.hasOwn(defaults, name))
  const valueOf = (name: string): unknown =>
    fresh.includes(name) ? freshLike(String(defaults[name]), seed) : defaults[name]
  return Object.fromEntries(known.map((name) => [name, valueOf(name)]))
}

// What is made up for each change.
export function newMembers({ type }: Objects, before: Item | undefined, seed: Fresh): Item {
  const names = before === undefined ? [] : (type.fresh ?? [])
  return Object.fromEntries(names.map((name) => [name, freshLike(String(type.defaults[name]), seed)]))
}

// What a request gives, as far as objects of the type have it, in their types.
export function given(call: Call, { type, items }: Objects, { shows = [] }: CallRule): Item {
  const [example = {}] = [...items.values()].slice(-1)
  const known = { ...type.defaults, ...example }
  const entries = Object.entries(membersOf(call))
    .filter(([name]) => Object.hasOwn(known, name) || shows.includes(name))
    .map(([name, value]) => [name, alike(value, known[name])])
  return { ...(Object.fromEntries(entries) as Item), ...referencesIn(membersOf(call), type.links) }
}

// Other objects are given by their ids: `ownerId`, and `labelIds` for `labels`.
function referencesIn(members: Item, links: Objects['type']['links']): Item {
  const entries = Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
    const [, stem = '', many = ''] = /^(.+?)_?id(s?)$/i.exec(name) ?? []
    const isNamed = (member: string): boolean =>
      member === stem || (many !== '' && singular(member) === singular(stem))
    const [member, link] = Object.entries(links).find(([each]) => stem !== '' && isNamed(each)) ?? []
    const isOwn = link !== undefined && link.from === undefined && Array.isArray(value) === (many !== '')
    return !isOwn || member === undefined ? [] : [[link.by ?? member, value]]
  })
  return Object.fromEntries(entries)
}

function alike(value: unknown, example: unknown): unknown {
  if (typeof example === 'string' && typeof value === 'number') return String(value)
  const isNumber = typeof example === 'number' && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
  return isNumber ? Number(value) : value
}

// What another object of the type has already.
export function conflictOf({ conflict }: CallRule, { items }: Objects, made: Item): CallOutcome | undefined {
  const wanted = conflict && made[conflict.member]
  if (conflict?.only !== undefined && isEmpty(made[conflict.only])) return undefined
  if (conflict === undefined || wanted === undefined || made[conflict.unless ?? ''] === true) return undefined
  const { member, beside = member, outcome } = conflict
  const isTaken = [...items.values()].some((each) => each[member] === wanted && each[beside] === made[beside])
  return isTaken ? adaptMissing(adaptMissing(outcome, wanted), made[beside], beside) : undefined
}

export function renamedBy({ renames }: CallRule, { args }: Call, { id }: Objects['type']): Item {
  const wanted = renames === undefined ? undefined : args[renames]
  return wanted === undefined ? {} : { [id]: wanted }
}

// Arguments such as `NewName` give the member `Name` another value.
export function renamedIn({ args }: Call, { defaults, id }: Objects['type']): Item {
  const entries = Object.entries(args).flatMap(([name, value]): [string, unknown][] => {
    const [, word = ''] = /^new[-_]?(.+)$/i.exec(name) ?? []
    const member = word === '' ? undefined : memberLike(word, [...Object.keys(defaults), id])
    return member === undefined || Object.hasOwn(defaults, name) ? [] : [[member, value]]
  })
  return Object.fromEntries(entries)
}

export function copied(
  { copies = {}, adds = {}, drops = {} }: CallRule,
  args: ReturnType<typeof argumentsOf>,
  before: Item = {},
): Item {
  const entries = Object.entries(copies)
    .filter(([, argument]) => args.has(argument))
    .map(([member, argument]) => [member, args.get(argument)])
  const sums = Object.entries(adds).map(([member, { argument, empty }]) => {
    const own = before[member] ?? empty
    return [member, args.has(argument) ? added(own, args.get(argument)) : own]
  })
  const rests = Object.entries(drops).map(([member, argument]) => {
    const own = before[member]
    return [member, Array.isArray(own) ? without(own, args.get(argument)) : own]
  })
  return Object.fromEntries([...entries, ...sums, ...rests]) as Item
}

/** The member that a result has in place of the object, or its length. */
export function memberIn({ member = '', isSize }: CallRule, item: Item): unknown {
  const value = item[member]
  return isSize === true && (typeof value === 'string' || Array.isArray(value)) ? value.length : value
}

// Whole seconds that are left, of which the last has begun.
export function withRemaining(objects: Objects, { remaining }: CallRule, item: Item, now: number): Item {
  const given = Number(item[remaining ?? ''])
  if (remaining === undefined || Number.isNaN(given)) return item
  const made = objects.made.get(String(item[objects.type.id])) ?? now
  const left = Math.ceil(given - (now - made) / 1000) - 1
  return { ...item, [remaining]: likeBefore(left, item[remaining]) }
}

// What is said of ids that no object has.
export function absentIn({ absent, ids }: ListRule, { args }: Call, { items }: Objects): readonly unknown[] {
  const wanted = absent === undefined || ids === undefined ? [] : textsIn(args[ids])
  return wanted
    .filter((each) => !items.has(String(each)))
    .map((each) => adaptMissing({ value: absent }, each).value)
}

function textsIn(value: unknown): readonly (string | number)[] {
  return [value].flat().filter((each) => typeof each === 'string' || typeof each === 'number')
}
