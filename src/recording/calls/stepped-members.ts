import type { CallRule } from '../../engine/call-model.ts'
import { pointerBelow, readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { argumentsOf } from './call.ts'
import { replaceAt } from './envelope.ts'
import type { Item } from './objects.ts'
import type { CallSample, ObjectSeen } from './call-sample.ts'
import { nameKey } from './show.ts'

/** What a call adds to a number of an object. */
export type Step = NonNullable<CallRule['steps']>[string]

interface Change {
  readonly args: ReturnType<typeof argumentsOf>
  readonly before: number
  readonly after: number
}

/** A call, and its object as it was before. */
export interface CallBefore {
  readonly sample: CallSample
  readonly before: Item
}

/** What calls do to the numbers of an object, and which of them failed. */
export interface StepsFound {
  readonly rule: Pick<CallRule, 'steps' | 'stepped' | 'member'>
  readonly failed: readonly CallBefore[]
  /** Those that did not fail. */
  readonly before: readonly CallBefore[]
}

/**
 * The numbers of an object that calls add to: always as much, or an argument, as `likePost` and `deposit` do; and where
 * results have them that are not the object. A number that never changes by them is what they read.
 * @param id the argument with the id of the object
 */
export function stepsOf(
  fine: readonly CallSample[],
  id: string,
  all: readonly CallSample[],
  isOfType: (seen: ObjectSeen) => boolean,
): StepsFound {
  const own = new Set(fine)
  const name = fine[0]?.call.name
  const failed: CallBefore[] = []
  const earlier: CallBefore[] = []
  const called = all.filter(({ call }) => call.name === name)
  const ids = new Set(called.map(({ call }) => String(argumentsOf(call).get(id))))
  const now = new Map<string, Item>()
  const changes = new Map<string, Change[]>()
  const note = (member: string, change: Change): void => {
    changes.set(member, [...(changes.get(member) ?? []), change])
  }
  // A number alone may be any of several until the object is seen again.
  const guessed = new Map<string, Item>()
  const wrong = new Set<string>()
  for (const each of all) {
    const given = [...argumentsOf(each.call).values()].map(String).filter((value) => ids.has(value))
    const wanted = own.has(each)
      ? String(argumentsOf(each.call).get(id))
      : new Set(given).size === 1
        ? given[0]
        : undefined
    const shown = each.objects.filter((seen) => isOfType(seen) && ids.has(String(seen.item[seen.id])))
    const known = wanted === undefined ? undefined : now.get(wanted)
    for (const { item, id: member } of shown) {
      const key = String(item[member])
      const left = Object.entries(guessed.get(key) ?? {}).filter(([name, value]) => {
        if (Object.hasOwn(item, name) && item[name] !== value) wrong.add(name)
        return !Object.hasOwn(item, name)
      })
      guessed.set(key, Object.fromEntries(left))
    }
    const before = each.call.name === name ? now.get(String(argumentsOf(each.call).get(id))) : undefined
    if (before !== undefined && each.outcome.error !== undefined) failed.push({ sample: each, before })
    if (before !== undefined && own.has(each)) earlier.push({ sample: each, before })
    if (wanted !== undefined && known !== undefined && (own.has(each) || isObject(each.value))) {
      const item = shown.find((seen) => String(seen.item[seen.id]) === wanted)?.item
      const alone = own.has(each) && item === undefined ? numberAlone(each, id) : undefined
      const after = afterIn(alone ?? item ?? each.value, known)
      if (alone !== undefined) guessed.set(wanted, after)
      for (const [member, value] of Object.entries(after))
        if (own.has(each))
          note(member, { args: argumentsOf(each.call), before: Number(known[member]), after: value })
      now.set(wanted, { ...known, ...after })
    }
    for (const { item, id: member } of shown)
      now.set(String(item[member]), { ...now.get(String(item[member])), ...item })
  }
  const rest = { failed, before: earlier }
  const found = [...changes].filter(([member]) => !wrong.has(member))
  const [same] = found.find(([, made]) => made.every(({ before, after }) => before === after)) ?? []
  if (same !== undefined && fine.every(({ value }) => typeof value === 'number'))
    return { rule: { member: same }, ...rest }
  const steps = found.flatMap(([member, made]): [string, Step][] => {
    const step = stepIn(made)
    return step === undefined || made.length < Math.min(fine.length, 2) ? [] : [[member, step]]
  })
  if (steps.length === 0) return { rule: {}, ...rest }
  const [example] = fine
  const isObjectItself = example?.objects.some(isOfType) === true
  const at = steps.map(([member]): [string, string] => [pointerOf(example?.value, member, id), member])
  const stepped = isObjectItself ? {} : { stepped: Object.fromEntries(at) }
  return { rule: { steps: Object.fromEntries(steps), ...stepped }, ...rest }
}

// Where a result has a number of the object: by its name, by that of the argument with the id, or alone.
function pointerOf(value: unknown, member: string, id: string): string {
  if (!isObject(value)) return ''
  return pointerBelow('', Object.hasOwn(value, member) ? member : id)
}

// A number that is alone, or named after the argument with the id.
function numberAlone({ call, value }: CallSample, id: string): number | undefined {
  const alone = isObject(value) ? value[id] : value
  const isId = isObject(value) && argumentsOf(call).get(id) === alone
  return typeof alone === 'number' && !isId ? alone : undefined
}

/** What calls do to the numbers of a second object, which another argument names. */
export function secondOf(
  fine: readonly CallSample[],
  id: string,
  all: readonly CallSample[],
  isOfType: (seen: ObjectSeen) => boolean,
  isId: (value: unknown) => boolean,
): Pick<CallRule, 'second'> {
  const [example] = fine
  for (const other of example === undefined ? [] : argumentsOf(example.call).keys()) {
    if (other === id || !fine.every(({ call }) => isId(argumentsOf(call).get(other)))) continue
    const { steps, stepped } = stepsOf(fine, other, all, isOfType).rule
    if (steps !== undefined) return { second: { id: other, steps, stepped: stepped ?? {} } }
  }
  return {}
}

/**
 * The member that results are alone, and that the name of the calls ends with.
 * @param id the argument with the id of the object
 */
export function scalarMember(
  fine: readonly CallSample[],
  id: string,
  all: readonly CallSample[],
  isOfType: (seen: ObjectSeen) => boolean,
): string | undefined {
  if (!fine.every(({ value }) => ['string', 'number', 'boolean'].includes(typeof value))) return undefined
  const seen = all.flatMap((each, at) => each.objects.filter(isOfType).map((object) => ({ object, at })))
  const members = new Set(seen.flatMap(({ object }) => Object.keys(object.item)))
  const called = nameKey((fine[0]?.call.name ?? '').toLowerCase())
  return [...members].find((member) => {
    if (!called.endsWith(nameKey(member.toLowerCase()))) return false
    // As it was seen last before, or is seen next.
    return fine.some(({ call, value }) => {
      const at = all.findIndex((each) => each.call === call)
      const own = seen.filter(
        ({ object: { item, id: key } }) =>
          Object.hasOwn(item, member) && String(item[key]) === String(argumentsOf(call).get(id)),
      )
      const near = [own.findLast((each) => each.at < at), own.find((each) => each.at > at)]
      return near.some((each) => each?.object.item[member] === value)
    })
  })
}

// The numbers of the object that a result has: in the object, by their names, or alone.
function afterIn(shown: unknown, known: Item): Readonly<Record<string, number>> {
  if (isObject(shown)) {
    const entries = Object.entries(shown).filter(([name]) => typeof known[name] === 'number')
    return Object.fromEntries(entries.filter(([, each]) => typeof each === 'number')) as Record<
      string,
      number
    >
  }
  if (typeof shown !== 'number') return {}
  const numbers = Object.keys(known).filter((name) => typeof known[name] === 'number')
  return Object.fromEntries(numbers.map((name) => [name, shown]))
}

function stepIn(made: readonly Change[]): Step | undefined {
  const [first] = made
  if (first === undefined || made.every(({ before, after }) => before === after)) return undefined
  const by = first.after - first.before
  for (const [argument, value] of first.args) {
    if (typeof value !== 'number' || value === 0) continue
    for (const sign of [1, -1] as const)
      if (
        isMost(made, ({ args, before, after }) => isNear(after - before, sign * Number(args.get(argument))))
      )
        return { argument, sign }
  }
  return made.length > 1 && by !== 0 && isMost(made, ({ before, after }) => isNear(after - before, by))
    ? { by }
    : undefined
}

// Other calls may have changed it unseen.
function isMost(made: readonly Change[], holds: (change: Change) => boolean): boolean {
  return made.filter(holds).length >= made.length * MIN_ALIKE
}

const MIN_ALIKE = 0.75

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < MIN_APART
}

/** Sums of decimals are not exact. */
const MIN_APART = 1e-9

/** The numbers of an object after a call. */
export function stepped(
  { steps = {} }: Pick<CallRule, 'steps'>,
  before: Item,
  args: ReturnType<typeof argumentsOf>,
  defaults: Item,
): Item {
  const entries = Object.entries(steps).map(([member, step]) => {
    const added = 'by' in step ? step.by : step.sign * Number(args.get(step.argument) ?? 0)
    return [member, Number(before[member] ?? defaults[member] ?? 0) + added]
  })
  return Object.fromEntries(entries) as Item
}

/** A result with the numbers of an object, and of the second one. */
export function withSteps(
  result: unknown,
  { stepped: at = {}, second }: CallRule,
  now: Item,
  other: Item | undefined,
): unknown {
  const placed = (whole: unknown, own: NonNullable<CallRule['stepped']>, item: Item): unknown =>
    Object.entries(own).reduce(
      (made, [pointer, member]) => replaceAt(made, readPointer(pointer), item[member]),
      whole,
    )
  const first = placed(result, at, now)
  return other === undefined ? first : placed(first, second?.stepped ?? {}, other)
}
