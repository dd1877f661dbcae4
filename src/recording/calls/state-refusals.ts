import type { CallOutcome, CallRule } from '../../engine/call-model.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { adaptMissing, marksOf, refusedBy } from './adapt-outcome.ts'
import { boundsIn } from './allowed-values.ts'
import { argumentsOf, isReading } from './call.ts'
import { isEmpty } from './envelope.ts'
import { failureOf, isNamed, opened, saidOf } from './failures.ts'
import { storedOf } from './linked-members.ts'
import { idOf, type Item } from './objects.ts'
import type { Known } from './object-types.ts'
import type { CallSample } from './call-sample.ts'
import type { CallBefore, StepsFound } from './stepped-members.ts'

/** How a call fails that was made before for the same object, which no other changed in between. */
export function alreadyOf(
  own: readonly CallSample[],
  id: string,
  calls: readonly CallSample[],
): CallOutcome | undefined {
  const idIn = ({ call }: CallSample): string => String(argumentsOf(call).get(id))
  const isAgain = (each: CallSample): boolean => {
    const before = calls
      .slice(0, calls.indexOf(each))
      .findLast(
        ({ call, outcome }) =>
          outcome.error === undefined &&
          (call.isChange ?? !isReading(call.name)) &&
          [...argumentsOf(call).values()].some((value) => String(value) === idIn(each)),
      )
    return before !== undefined && before.call.name === each.call.name && idIn(before) === idIn(each)
  }
  const sample = own.find((each) => each.outcome.error !== undefined && isAgain(each))
  return sample && failureOf(sample, argumentsOf(sample.call).get(id))
}

/** How a call fails to remove what objects of another type name. */
export function heldOf(own: readonly CallSample[], id: string, type: string, known: Known): CallRule['held'] {
  const { firsts, links } = known
  const wanted = ({ call }: CallSample): string => String(argumentsOf(call).get(id))
  const fine = own.filter(({ outcome }) => outcome.error === undefined)
  const isKept = (each: CallSample): boolean =>
    each.outcome.error !== undefined &&
    firsts.has(`${type} ${wanted(each)}`) &&
    !fine.some((other) => wanted(other) === wanted(each))
  const failed = own.filter(isKept)
  const [sample] = failed
  if (sample === undefined) return undefined
  for (const [other, members] of links)
    for (const [member, link] of Object.entries(members)) {
      if (link.type !== type || link.from !== undefined) continue
      const items = [...storedOf(other, known).values()]
      const isNamed = (each: CallSample): boolean =>
        items.some((item) => names(item, link.by ?? member, wanted(each)))
      if (failed.every(isNamed) && !fine.some(isNamed))
        return { type: other, member: link.by ?? member, outcome: failureOf(sample, wanted(sample)) }
    }
  return undefined
}

/** Whether an object names another one, alone or among several. */
export function names(item: Item, member: string, id: unknown): boolean {
  return [item[member]].flat().some((each) => idOf(each) === String(id))
}

/** Why calls fail whose object is there: a number of it is less than they would take from it, or a member is empty or not. */
export function stateRefusals({ rule, failed, before }: StepsFound): {
  readonly rule: Pick<CallRule, 'short' | 'barred'>
  readonly explained: readonly CallSample[]
} {
  const takes = Object.entries(rule.steps ?? {}).flatMap(([member, step]) =>
    'argument' in step && step.sign === -1 ? [{ member, argument: step.argument }] : [],
  )
  for (const { member, argument } of takes) {
    const lacking = failed.filter((each) => Number(each.before[member]) < amountIn(each.sample, argument))
    const [first] = lacking
    if (first === undefined) continue
    const outcome = naming(first, {
      [member]: first.before[member],
      [argument]: amountIn(first.sample, argument),
    })
    return { rule: { short: { member, argument, outcome } }, explained: lacking.map(({ sample }) => sample) }
  }
  for (const each of failed) {
    const { sample, before: item } = each
    for (const [member, value] of Object.entries(item)) {
      const isOther =
        before.length > 0 && before.every((other) => isEmpty(other.before[member]) !== isEmpty(value))
      const { error } = sample.outcome
      if (!isOther || !(isNamed(value, error) || JSON.stringify(error).includes(`"${member}"`))) continue
      const alike = failed.filter((other) => isEmpty(other.before[member]) === isEmpty(value))
      return {
        rule: { barred: { member, isEmpty: isEmpty(value), outcome: naming(each, { [member]: value }) } },
        explained: alike.map((other) => other.sample),
      }
    }
  }
  return { rule: {}, explained: [] }
}

/** The calls that neither the state of their object nor a number out of bounds explains. @param own all calls of that name */
export function unexplained(
  calls: readonly CallSample[],
  own: readonly CallSample[],
  explained: readonly CallSample[],
): readonly CallSample[] {
  const bounds = boundsIn(own)
  return calls.filter((each) => !explained.includes(each) && refusedBy(bounds, each.call) === undefined)
}

function amountIn({ call }: CallSample, argument: string): number {
  return Number(argumentsOf(call).get(argument))
}

// A failure with marks in place of what it says of an object and of arguments.
function naming({ sample }: CallBefore, values: Readonly<Record<string, unknown>>): CallOutcome {
  const { error } = sample.outcome
  const said = Object.entries(values).reduce(
    (text, [name, value]) => withMarks(opened(text, value, name), name),
    error,
  )
  return saidOf(sample.outcome, said)
}

// What has the name of a member is that.
function withMarks(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((each) => withMarks(each, name))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([own, part]) => [
    own,
    own === name ? marksOf(name)[0] : withMarks(part, name),
  ])
  return Object.fromEntries(entries)
}

/** How the state of its object refuses a call, if it does. */
export function refusedByState(
  { short, barred }: CallRule,
  before: Item,
  args: ReturnType<typeof argumentsOf>,
): CallOutcome | undefined {
  if (short !== undefined && Number(before[short.member] ?? 0) < Number(args.get(short.argument) ?? 0)) {
    const { member, argument, outcome } = short
    return adaptMissing(adaptMissing(outcome, before[member], member), args.get(argument), argument)
  }
  if (barred !== undefined && isEmpty(before[barred.member]) === barred.isEmpty)
    return adaptMissing(barred.outcome, before[barred.member], barred.member)
  return undefined
}
