import type { CallModel, CallOutcome, Envelope } from '../../engine/call-model.ts'
import { valueAtPath } from '../../engine/schema/member.ts'
import { pointerBelow, readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { Objects } from './objects.ts'

/** At least so many operations have what is around every result. */
const MIN_CALLS = 2
/** In this share of their results it is, since what is zero may be left out. */
const MIN_PRESENT = 0.8

/**
 * What is around the results of all calls: members that are always the same, but for a number of changes.
 * @param results in order, with the names of their calls
 */
export function findEnvelope(
  results: readonly { readonly name: string; readonly value: unknown }[],
): Envelope | undefined {
  const objects = results.flatMap(({ name, value }) => (isObject(value) ? [{ name, value }] : []))
  const [first] = objects
  if (first === undefined || new Set(objects.map(({ name }) => name)).size < MIN_CALLS) return undefined
  const found = Object.keys(first.value).flatMap((member) => {
    const own = objects.filter(({ value }) => Object.hasOwn(value, member))
    const parts = own.map(({ value }) => value[member])
    if (own.length < objects.length * MIN_PRESENT || parts.some((part) => Array.isArray(part))) return []
    const counter = counterIn(parts, `/${member}`)
    const shape = parts.map((part) =>
      JSON.stringify(counter === undefined ? part : blank(part, counter, member)),
    )
    const [usual] = shape
    const isConstant = shape.filter((text) => text === usual).length >= objects.length * MIN_PRESENT
    return isConstant && (counter !== undefined || isObject(parts[0])) ? [{ member, counter, parts }] : []
  })
  const counted = found.find(({ counter }) => counter !== undefined)
  if (counted === undefined) return undefined
  const members = Object.fromEntries(found.map(({ member, parts }) => [member, parts[0]]))
  const counter = counted.counter as string
  return { members, counter, start: Number(valueAt(members, counter)) }
}

function blank(part: unknown, counter: string, member: string): unknown {
  return replaceAt({ [member]: part }, readPointer(counter), 0)
}

// A whole number that never becomes less, and advances by one mostly.
function counterIn(parts: readonly unknown[], pointer: string): string | undefined {
  const [first] = parts
  if (isObject(first)) {
    return Object.keys(first)
      .map((name) => {
        const below = parts.filter((part) => isObject(part) && Object.hasOwn(part, name))
        const values = below.map((part) => (part as Readonly<Record<string, unknown>>)[name])
        return counterIn(values, pointerBelow(pointer, name))
      })
      .find((found) => found !== undefined)
  }
  if (!parts.every((part) => /^\d{1,15}$/.test(String(part)))) return undefined
  const numbers = parts.map(Number)
  const steps = numbers.slice(1).map((number, at) => number - (numbers[at] as number))
  const taken = steps.filter((step) => step !== 0)
  const isCounter = taken.length > 0 && taken.every((step) => step > 0 && step < MAX_STEP)
  return isCounter && taken.filter((step) => step === 1).length * 2 > taken.length ? pointer : undefined
}

/** Other clients may make some changes in between. */
const MAX_STEP = 100

/** A result without what is around it, and the count that it has; `undefined` where it has none. */
export function openEnvelope(
  { members, counter }: Envelope,
  value: unknown,
): { readonly value: unknown; readonly count: number } | undefined {
  const count = counter === undefined ? undefined : valueAt(value, counter)
  if (count === undefined || !isObject(value)) return undefined
  const inner = Object.entries(value).filter(([name]) => !Object.hasOwn(members, name))
  return { value: Object.fromEntries(inner), count: Number(count) }
}

/** An outcome with what is around it. */
export function enclosed(
  { envelope, calls, omitsEmpty = false }: Pick<CallModel, 'envelope' | 'calls' | 'omitsEmpty'>,
  all: ReadonlyMap<string, Objects>,
  name: string,
  outcome: CallOutcome,
): CallOutcome {
  if (outcome.error !== undefined) return outcome
  const value = omitsEmpty ? withoutEmpty(outcome.value) : outcome.value
  if (envelope === undefined || calls[name]?.isBare === true || !isObject(value)) return { ...outcome, value }
  return { ...outcome, value: { ...withCount(envelope.members, envelope, all), ...value } }
}

/** What is around results with the count of now. @param members with the count at the same place as others have it */
export function withCount(
  members: Readonly<Record<string, unknown>>,
  { counter }: Pick<Envelope, 'counter'>,
  all: ReadonlyMap<string, Objects>,
): Readonly<Record<string, unknown>> {
  const [objects] = all.values()
  const before = counter === undefined ? undefined : valueAt(members, counter)
  if (objects === undefined || counter === undefined || before === undefined) return members
  const { now } = objects.changes
  const count = typeof before === 'string' ? String(now) : now
  return replaceAt(members, readPointer(counter), count) as Readonly<Record<string, unknown>>
}

/** What a JSON pointer points to. */
export function valueAt(value: unknown, pointer: string): unknown {
  return valueAtPath(value, readPointer(pointer))
}

/** A value with another one at a place. */
export function replaceAt(value: unknown, [name, ...below]: readonly string[], other: unknown): unknown {
  if (name === undefined) return other
  if (Array.isArray(value))
    return value.map((each: unknown, at) => (String(at) === name ? replaceAt(each, below, other) : each))
  return isObject(value) ? { ...value, [name]: replaceAt(value[name], below, other) } : value
}

/** An object with the members of another one besides, and so within. */
export function combined(value: unknown, other: unknown): unknown {
  if (!isObject(value) || !isObject(other)) return value
  const names = new Set([...Object.keys(value), ...Object.keys(other)])
  const part = (name: string): unknown =>
    Object.hasOwn(value, name) ? combined(value[name], other[name]) : other[name]
  return Object.fromEntries([...names].map((name) => [name, part(name)]))
}

/** A value without members that are false, zero or empty, as JSON of protocol buffers leaves them out. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([, part]) => !isEmpty(part))
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutEmpty(part)]))
}

/** Whether a value is what a member is that was not given. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return true
  return value === '' || value === '0' || (Array.isArray(value) && value.length === 0)
}

/** Whether no value says what is false, zero or empty, where some could. */
export function leavesOutEmpty(values: readonly unknown[]): boolean {
  const hasEmpty = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(hasEmpty)
    return isObject(value) && Object.values(value).some((part) => isEmpty(part) || hasEmpty(part))
  }
  return !values.some(hasEmpty)
}
