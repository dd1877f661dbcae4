import type { CallRule } from '../../engine/call-model.ts'
import { argumentsOf, type Call } from './call.ts'
import type { Item } from './objects.ts'
import type { CallSample, ObjectSeen } from './occurrences.ts'

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

/** Members that repeat what the object was made with, under a longer name. */
export function copiesOf(
  items: readonly Shown[],
  merged: ReadonlyMap<string, Item>,
): Pick<CallRule, 'copies'> {
  const [first] = items
  const whole = first && merged.get(String(first.seen.item[first.seen.id]))
  const entries = Object.keys(whole ?? {}).flatMap((member): [string, string][] => {
    const from = [...argumentsOf(first?.call ?? { name: '', args: {} }).keys()].find(
      (argument) =>
        argument !== member &&
        member.toLowerCase().includes(argument.toLowerCase()) &&
        items.every(
          ({ call, seen }) =>
            String(merged.get(String(seen.item[seen.id]))?.[member]) ===
            String(argumentsOf(call).get(argument)),
        ),
    )
    return from === undefined ? [] : [[member, from]]
  })
  return entries.length === 0 ? {} : { copies: Object.fromEntries(entries) }
}

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
): Item {
  const [first] = items
  const before = calls
    .slice(
      0,
      calls.findIndex(({ call }) => call === first?.call),
    )
    .flatMap(({ objects }) => objects)
    .findLast(({ item, id }) => first !== undefined && item[id] === first.seen.item[first.seen.id])
  const given = new Set(items.flatMap(({ call }) => [...argumentsOf(call).values()]))
  const isEffect = ([name, value]: readonly [string, unknown]): boolean =>
    before !== undefined &&
    Object.hasOwn(before.item, name) &&
    before.item[name] !== value &&
    (typeof value === 'boolean' || typeof value === 'string') &&
    !given.has(value) &&
    items.every(({ seen }) => seen.item[name] === value)
  return Object.fromEntries(Object.entries(first?.seen.item ?? {}).filter(isEffect))
}
