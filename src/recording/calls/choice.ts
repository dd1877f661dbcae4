import type { CallOutcome, ChoiceRule } from '../../engine/call-model.ts'
import { readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { Call } from './call.ts'
import { isEmpty } from './envelope.ts'
import { COMPARE } from './list-items.ts'
import { type Item, memberLike, type Objects, orderOf } from './objects.ts'

interface Choosing {
  /** The objects that conditions are about. */
  readonly type: string
  readonly perform: (call: Call) => CallOutcome | undefined
  readonly around: (members: Item) => Item
}

/** Makes the calls of one branch or of the other; `undefined` where one of them is not known. */
export function performChoice(
  { conditions, then, otherwise, holds, results, calls, envelope = {} }: ChoiceRule,
  all: ReadonlyMap<string, Objects>,
  { args }: Call,
  { type, perform, around }: Choosing,
): CallOutcome | undefined {
  const objects = all.get(type)
  const wanted = listOf(args[conditions])
  if (objects === undefined && wanted.length > 0) return undefined
  const isMet = wanted.every((each) => objects !== undefined && isTrue(each, objects))
  const outcomes: unknown[] = []
  for (const each of listOf(args[isMet ? then : otherwise])) {
    const [member = '', inner] = Object.entries(each)[0] ?? []
    const alike = Object.keys(calls).find((name) => keyOf(name) === keyOf(member))
    const known = calls[member] ?? (alike === undefined ? undefined : spelledLike(member, calls[alike]))
    const outcome = known && perform({ name: known.call, args: isObject(inner) ? inner : {} })
    if (known === undefined || outcome === undefined) return undefined
    // One that fails has all of them fail.
    if (outcome.error !== undefined) return outcome
    outcomes.push({ [known.result]: outcome.value })
  }
  // What is around each result is as it is after all of them.
  const enclosed = outcomes.map((each) =>
    Object.fromEntries(
      Object.entries(each as Item).map(([name, value]) => [
        name,
        isObject(value) ? { ...around(envelope), ...value } : value,
      ]),
    ),
  )
  const parts: readonly (readonly [string | undefined, unknown])[] = [
    [holds, isMet],
    [results, enclosed],
  ]
  const value = Object.fromEntries(
    parts.flatMap(([pointer, part]) =>
      pointer === undefined ? [] : [[readPointer(pointer)[0] as string, part]],
    ),
  )
  return { value }
}

/** What comes before the name of a call in members that have its arguments or its result. */
export const PREFIX = /^(request|response|op|do|call)[-_]?/i

// Requests may write the words of a name otherwise, and then their results do.
function spelledLike(member: string, known: ChoiceRule['calls'][string] | undefined): typeof known {
  const [prefix = ''] = PREFIX.exec(known?.result ?? '') ?? []
  return known && { call: known.call, result: prefix + member.replace(PREFIX, '') }
}

/** The objects of a list; none where it is not one. */
export function listOf(value: unknown): readonly Item[] {
  return Array.isArray(value) ? value.filter((each) => isObject(each)) : []
}

/** A name without how its words are written. */
export function keyOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, '')
}

const WORDS: readonly (readonly [RegExp, keyof typeof COMPARE])[] = [
  [/^(not_?equal|ne|!=)/i, 'ne'],
  [/^(greater|gt|>)/i, 'gt'],
  [/^(less|lt|<)/i, 'lt'],
]

// A condition has an id, a word that compares, and the member that is compared, whose value may be left out as zero.
function isTrue(condition: Item, { type, items, history }: Objects): boolean {
  const { id, counters = {}, defaults } = type
  const item = items.get(String(condition[id]))
  const known = new Set([...Object.keys(counters), ...Object.keys(defaults), ...Object.keys(item ?? {})])
  for (const [, , each] of history) for (const name of Object.keys(each ?? {})) known.add(name)
  known.delete(id)
  const words = Object.values(condition).filter((each): each is string => typeof each === 'string')
  const by = WORDS.find(([form]) => words.some((word) => form.test(word)))?.[1] ?? 'eq'
  const given = Object.keys(condition).find((name) => known.has(name))
  const named = words.map((word) => memberLike(word, known)).find((name) => name !== undefined)
  const counted = Object.keys(counters).find((name) => counters[name] === 'writes')
  const member = given ?? named ?? counted
  if (member === undefined) return by === 'eq' ? item === undefined : item !== undefined
  // What is not there has no value to compare, and was never counted.
  const isCounter = Object.hasOwn(counters, member)
  if (item === undefined && !isCounter) return false
  const [own, wanted] = [item?.[member], condition[member]]
  if (isCounter) return COMPARE[by](Number(own ?? 0), Number(wanted ?? 0))
  if (isEmpty(own) && isEmpty(wanted)) return by === 'eq'
  const [some, other] = [own, wanted].map((each) => orderOf(type, each ?? '')) as [string, string]
  return COMPARE[by](some, other)
}
