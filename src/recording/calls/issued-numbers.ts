import type { CallOutcome, CallRule } from '../../engine/call-model.ts'
import { pointerBelow, readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { entryOf, groupBy } from '../../grouping.ts'
import { argumentsOf, isReading } from './call.ts'
import type { CallSample } from './call-sample.ts'
import { replaceAt } from './envelope.ts'
import type { ChangeCount, Objects } from './objects.ts'

/** Fewer numbers go on by chance. */
const MIN_NUMBERS = 3

/**
 * The members of results that number what calls did, one after the other whichever call it was, such as the `tx` of
 * deposits and withdrawals: by the names of calls, with the first number.
 */
export function issuedIn(
  calls: readonly CallSample[],
  rules: ReadonlyMap<string, CallRule>,
): ReadonlyMap<string, NonNullable<CallRule['issued']>> {
  const seen = calls.flatMap(({ call, value, objects, outcome }) => {
    const isWrite = call.isChange ?? !isReading(call.name)
    if (!isWrite || outcome.error !== undefined || !isObject(value) || objects.length > 0) return []
    const given = new Set<unknown>(argumentsOf(call).values())
    const stepped = rules.get(call.name)?.stepped ?? {}
    return Object.entries(value).flatMap(([member, number]) => {
      const pointer = pointerBelow('', member)
      const isOwn = Number.isSafeInteger(number) && !given.has(number) && !Object.hasOwn(stepped, pointer)
      return isOwn ? [{ name: call.name, pointer, number: number as number }] : []
    })
  })
  const found = new Map<string, Record<string, number>>()
  for (const [pointer, own] of groupBy(seen, (each) => each.pointer)) {
    const steps = own.slice(1).map(({ number }, at) => number - (own[at]?.number ?? 0))
    // Calls without an answer take numbers, too.
    const areNext = steps.filter((step) => step === 1).length * 2 > steps.length
    if (own.length < MIN_NUMBERS || !areNext || steps.some((step) => step <= 0)) continue
    for (const { name } of own)
      entryOf(found, name, (): Record<string, number> => ({}))[pointer] = own[0]?.number ?? 1
  }
  return found
}

/** Takes back the numbers that were given since. @param before as they were */
export function restoreIssued(
  { issued }: ChangeCount,
  before: Iterable<readonly [pointer: string, next: number]>,
): void {
  const kept = [...before]
  issued.clear()
  for (const [pointer, next] of kept) issued.set(pointer, next)
}

/** A result with the next numbers of those that the server gives. */
export function withIssued(
  outcome: CallOutcome,
  { issued = {} }: CallRule,
  all: ReadonlyMap<string, Objects>,
): CallOutcome {
  const [some] = all.values()
  if (some === undefined || outcome.error !== undefined) return outcome
  const numbers = some.changes.issued
  const value = Object.entries(issued).reduce((result, [pointer, first]) => {
    const next = numbers.get(pointer) ?? first
    numbers.set(pointer, next + 1)
    return replaceAt(result, readPointer(pointer), next)
  }, outcome.value)
  return { ...outcome, value }
}
