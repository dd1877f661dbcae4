import type { CallRule } from '../../engine/call-model.ts'
import { pointerBelow } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { madeKind } from '../../shape/made-values.ts'
import { argumentsOf, type Call, isReading } from './call.ts'
import { findTemplate } from '../inference/templates.ts'
import type { Item } from './objects.ts'
import type { CallSample, ObjectSeen } from './call-sample.ts'

/** Members that arguments without names give, by the places of those. */
export function placedOf(items: readonly Shown[]): Readonly<Record<string, string>> {
  const [first] = items
  const members = Object.entries(first?.seen.item ?? {}).filter(([member]) => member !== first?.seen.id)
  const places = [...argumentsOf(first?.call ?? { name: '', args: {} })].filter(([name]) =>
    /^\d+$/.test(name),
  )
  const placed = members.flatMap(([member, value]): [string, string][] => {
    const found = places.find(
      ([place, given]) =>
        given === value &&
        items.every(({ call, seen }) => argumentsOf(call).get(place) === seen.item[member]),
    )
    return found === undefined ? [] : [[member, found[0]]]
  })
  return Object.fromEntries(placed)
}

/**
 * Members that repeat what the object was made with, under a longer name, or with the id of another object.
 * @param links the members that are other objects
 */
export function copiesOf(
  items: readonly Shown[],
  merged: ReadonlyMap<string, Item>,
  links: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  const wholes = items.map(({ call, seen }) => ({
    args: argumentsOf(call),
    item: merged.get(String(seen.item[seen.id])) ?? {},
  }))
  const [first] = wholes
  const names = [...new Set(wholes.flatMap(({ args }) => [...args.keys()]))]
  const members = new Set(wholes.flatMap(({ item }) => Object.keys(item)))
  const entries = [...members].flatMap((member): [string, string][] => {
    const isLink = links.has(member)
    const from = names.find((argument) => {
      if (argument === member || argument.endsWith(`.${member}`)) return false
      // Whom something belongs to is not always shown.
      const given = isLink
        ? wholes.filter(({ args, item }) => args.has(argument) && item[member] !== undefined)
        : wholes
      const [own, other] = [member, argument].map((each) => each.toLowerCase()) as [string, string]
      const values = new Set(wholes.map(({ item }) => item[member]))
      // A longer name says what is named, as in `PoolName`, where that is not said by chance.
      const isNamed = own.includes(other) || (own.length > 2 && other.endsWith(own) && values.size > 1)
      return (
        (isLink ? ID_NAME.test(argument) : isNamed && first?.args.has(argument) === true) &&
        given.length > 0 &&
        given.every(({ args, item }) => String(item[member]) === String(args.get(argument)))
      )
    })
    return from === undefined ? [] : [[member, from]]
  })
  return Object.fromEntries(entries)
}

/** Arguments with ids are called so, or as what they name. */
const ID_NAME = /(id|key|code|uuid|slug|name|by|to|for)$|(^|\.)[a-z]+$/i

/** The seconds that may have passed while a session was recorded. */
const MAX_PASSED = 60

/** A number of seconds that was given and is a little less when it is read again. */
export function remainingOf(
  items: readonly Shown[],
  merged: ReadonlyMap<string, Item>,
  calls: readonly CallSample[],
): Pick<CallRule, 'remaining'> {
  const passed = ({ call, seen }: Shown, member: string): number | undefined => {
    const made = calls.find(
      (each) => each.call !== call && each.objects.some(({ item, id }) => item[id] === seen.item[seen.id]),
    )
    const given = made?.objects.find(({ item }) => Object.hasOwn(item, member))?.item[member]
    return given === undefined ? undefined : Number(given) - Number(seen.item[member])
  }
  const remaining = Object.keys(items[0]?.seen.item ?? {}).find(
    (member) =>
      /ttl|remaining|expire|left|timeout/i.test(member) &&
      items.every((each) => {
        const seconds = passed(each, member)
        return seconds !== undefined && seconds >= 0 && seconds <= MAX_PASSED
      }) &&
      items.some((each) => passed(each, member) !== 0),
  )
  return remaining === undefined || merged.size === 0 ? {} : { remaining }
}

/** A call and an object in its result. */
export interface Shown {
  readonly call: Call
  readonly seen: ObjectSeen
}

/** What a call always makes of a member, such as `done` of what it finishes, where that was otherwise before. */
export function effectsOf(
  items: readonly { readonly call: Call; readonly seen: ObjectSeen }[],
  calls: readonly CallSample[],
  isOfType: (seen: ObjectSeen) => boolean,
): Item {
  const [first] = items
  const all = calls
    .slice(
      0,
      calls.findIndex(({ call }) => call === first?.call),
    )
    .flatMap(({ objects }) => objects)
    .filter((seen) => isOfType(seen) && seen.item[seen.id] === first?.seen.item[first?.seen.id ?? ''])
  const before = all.length === 0 ? undefined : (Object.assign({}, ...all.map(({ item }) => item)) as Item)
  const given = new Set(items.flatMap(({ call }) => [...argumentsOf(call).values()]))
  const isEffect = ([name, value]: readonly [string, unknown]): boolean =>
    before !== undefined &&
    Object.hasOwn(before, name) &&
    before[name] !== value &&
    (typeof value === 'boolean' || typeof value === 'string') &&
    !given.has(value) &&
    items.every(({ seen }) => seen.item[name] === value)
  return Object.fromEntries(Object.entries(first?.seen.item ?? {}).filter(isEffect))
}

/** How much of a member's name a call's has that is about it. */
const MIN_STEM = 4

/**
 * What calls that show nothing always make of a member, such as `enabled` of what they disable: as the object is seen
 * before and after, with no other change of it between.
 */
export function laterEffectsOf(
  fine: readonly CallSample[],
  id: string,
  all: readonly CallSample[],
  isOfType: (seen: ObjectSeen) => boolean,
): Item {
  const seen = fine.flatMap(
    (each): { readonly before: Item; readonly after: Item; readonly isLast: boolean }[] => {
      const wanted = String(argumentsOf(each.call).get(id))
      const own = all.flatMap((other) => {
        const found = other.objects.find((one) => isOfType(one) && String(one.item[one.id]) === wanted)
        const isOther =
          !isReading(other.call.name) && [...argumentsOf(other.call).values()].map(String).includes(wanted)
        return other === each || found !== undefined || isOther ? [{ other, item: found?.item }] : []
      })
      const at = own.findIndex(({ other }) => other === each)
      const after = own[at + 1]?.item
      const last = own.slice(0, at).findLast(({ item }) => item !== undefined)
      const isLast = last === own[at - 1]
      return last?.item === undefined || after === undefined ? [] : [{ before: last.item, after, isLast }]
    },
  )
  const [first] = seen
  const called = fine[0]?.call.name.toLowerCase() ?? ''
  const given = new Set(fine.flatMap(({ call }) => [...argumentsOf(call).values()]))
  const entries = Object.entries(first?.after ?? {}).filter(
    ([name, value]) =>
      (typeof value === 'boolean' || (typeof value === 'string' && madeKind(value) === undefined)) &&
      !given.has(value) &&
      seen.some(
        ({ before, isLast }) =>
          Object.hasOwn(before, name) &&
          before[name] !== value &&
          // What came in between may have changed it, unless the call is named after it: `close` and `closed`.
          (isLast || (name.length >= MIN_STEM && called.includes(name.toLowerCase().slice(0, MIN_STEM)))),
      ) &&
      seen.every(({ after }) => after[name] === value),
  )
  return Object.fromEntries(entries)
}

/**
 * Where results repeat an argument, as JSON pointers.
 * @param at where they have an object, which is left out
 */
export function echoesOf(
  calls: readonly { readonly call: Call; readonly value: unknown }[],
  at: string | undefined,
): Readonly<Record<string, string>> {
  const all = calls.map(({ call, value }) => ({ args: argumentsOf(call), leaves: leavesOf(value, '', at) }))
  const pointers = new Set(all.flatMap(({ leaves }) => [...leaves.keys()]))
  const entries = [...pointers].flatMap((pointer): [string, string][] => {
    const own = all.filter(({ leaves }) => leaves.has(pointer))
    const names = new Set(own.flatMap(({ args }) => [...args.keys()]))
    const values = new Set(own.map(({ leaves }) => leaves.get(pointer)))
    const member = pointer.slice(pointer.lastIndexOf('/') + 1).toLowerCase()
    const from = [...names].find((name) => {
      const last = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
      return (
        (last === member ||
          ((values.size > 1 || areMade(values)) && (pointer === '' || !/^\d/.test(last))) ||
          (member !== '' && member.endsWith(last))) &&
        own.every(({ args, leaves }) => isRepeated(args.get(name), leaves.get(pointer)))
      )
    })
    const isGiven = own.some(({ args, leaves }) => args.get(from ?? '') === leaves.get(pointer))
    if (from !== undefined && isGiven) return [[pointer, from]]
    const texts = own.map(({ args, leaves }) => ({
      value: leaves.get(pointer),
      beside: Object.fromEntries(args),
    }))
    const template = values.size > 1 ? findTemplate(texts)?.template : undefined
    return typeof template === 'string' ? [[pointer, template]] : []
  })
  return Object.fromEntries(entries)
}

// What a server drew is not met by chance.
function areMade(values: ReadonlySet<unknown>): boolean {
  return [...values].every((value) => /^(uuid|id of)/.test(madeKind(String(value)) ?? ''))
}

function isRepeated(given: unknown, shown: unknown): boolean {
  return given === shown || (given === undefined && shown === null)
}

function leavesOf(value: unknown, pointer: string, at: string | undefined): ReadonlyMap<string, unknown> {
  if (pointer === at) return new Map()
  if (isObject(value))
    return new Map(
      Object.entries(value).flatMap(([name, part]) => [...leavesOf(part, pointerBelow(pointer, name), at)]),
    )
  return Array.isArray(value) ? new Map() : new Map([[pointer, value]])
}
