import type { CallConflict, CallOutcome, CallRule } from '../../engine/call-model.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { argumentsOf, isReading, REMOVING } from './call.ts'
import type { CallSample } from './occurrences.ts'
import { ID, TEXT_ID } from './perform.ts'
import { literalPattern } from '../../routing/path-template.ts'

/** An argument that all calls have which succeeded, and one that failed has not. */
export function refusalOf(own: readonly CallSample[]): readonly [string, CallOutcome] | undefined {
  const [fine, failed] = [true, false].map((isFine) =>
    own.filter(({ outcome }) => (outcome.error === undefined) === isFine),
  ) as [CallSample[], CallSample[]]
  const names = Object.keys(fine[0]?.call.args ?? {}).filter((name) =>
    fine.every(({ call }) => Object.hasOwn(call.args, name)),
  )
  for (const { call, outcome } of failed) {
    const lacking = names.filter((name) => !Object.hasOwn(call.args, name))
    const { error, status } = outcome
    // What speaks of an argument that was given is about that.
    const isOther = fine.length < 2 && names.some((name) => isNamed(call.args[name], error))
    if (lacking[0] !== undefined && !isOther)
      return [lacking[0], { error, ...(status !== undefined && { status }) }]
  }
  return undefined
}

function isNamed(value: unknown, error: unknown): boolean {
  const text = typeof error === 'string' ? error : JSON.stringify(error)
  return (typeof value === 'string' || typeof value === 'number') && text.includes(String(value))
}

/**
 * The argument whose value a call must not be given twice, as those show that failed.
 * @returns what says so, and the calls that did not fail for it
 */
export function conflictIn(own: readonly CallSample[]): {
  readonly conflict?: CallConflict
  readonly others: readonly CallSample[]
} {
  for (const failed of own.filter(({ outcome }) => outcome.error !== undefined)) {
    const before = own.slice(0, own.indexOf(failed)).filter(({ outcome }) => outcome.error === undefined)
    for (const [member, value] of Object.entries(failed.call.args)) {
      if (typeof value !== 'string' || !before.some(({ call }) => call.args[member] === value)) continue
      // A failure may be about another argument.
      const isOther = Object.values(failed.call.args).some(
        (each) => each !== value && isNamed(each, failed.outcome.error),
      )
      if (isOther && !isNamed(value, failed.outcome.error)) continue
      const fine = own.filter(({ outcome }) => outcome.error === undefined)
      const again = fine.filter(
        ({ call }, at) => fine.findIndex((each) => each.call.args[member] === call.args[member]) < at,
      )
      const [unless] = Object.keys(again[0]?.call.args ?? {}).filter(
        (name) => again.every(({ call }) => call.args[name] === true) && failed.call.args[name] !== true,
      )
      if (again.length > 0 && unless === undefined) continue
      const { error, status } = failed.outcome
      const outcome = { error: opened(error, value), ...(status !== undefined && { status }) }
      const isSame = (each: CallSample): boolean =>
        each.outcome.error !== undefined &&
        fine.some(({ call }) => call.args[member] === each.call.args[member]) &&
        each.outcome.status === status
      return {
        conflict: { member, outcome, ...(unless !== undefined && { unless }) },
        others: own.filter((each) => !isSame(each)),
      }
    }
  }
  return { others: own }
}

/** What one call of a type refuses, others of it refuse alike. */
export function withRefusal(
  rule: CallRule,
  name: string,
  refused: ReadonlyMap<string, readonly [string, CallOutcome] | undefined>,
  rules: ReadonlyMap<string, CallRule>,
): CallRule {
  const own = refused.get(name)
  const id = rule.id ?? rule.list?.range?.from
  const alike = [...refused].find(
    ([other, each]) => each !== undefined && each[0] === id && rules.get(other)?.type === rule.type,
  )?.[1]
  const found = own ?? alike
  return found === undefined ? rule : { ...rule, refused: { [found[0]]: found[1] } }
}

/** What is said of an object that was removed, where that does not fail. */
export function goneOf(
  own: readonly CallSample[],
  id: string,
  calls: readonly CallSample[],
): CallRule['missing'] | undefined {
  const isGone = ({ call }: CallSample): boolean => {
    const wanted = String(argumentsOf(call).get(id))
    const at = calls.findIndex((each) => each.call === call)
    const last = calls
      .slice(0, at)
      .findLast(
        (each) =>
          each.outcome.error === undefined &&
          [...argumentsOf(each.call).values()].some((value) => String(value) === wanted) &&
          !isReading(each.call.name),
      )
    return last !== undefined && REMOVING.test(last.call.name)
  }
  const shows = ({ objects, call }: CallSample): boolean =>
    objects.some((each) => String(each.item[each.id]) === String(argumentsOf(call).get(id)))
  const sample = own.find((each) => each.outcome.error === undefined && isGone(each) && !shows(each))
  return sample && { value: opened(sample.value, argumentsOf(sample.call).get(id)) }
}

/** What an answer says of an id is said of any. */
export function missingOf(own: readonly CallSample[], id: string): CallRule['missing'] | undefined {
  const sample = own.find(({ outcome, value }) => outcome.error !== undefined || value === null)
  const wanted = sample && argumentsOf(sample.call).get(id)
  if (sample === undefined || wanted === undefined) return undefined
  const { error, status } = sample.outcome
  return error === undefined
    ? { value: null }
    : { error: opened(error, wanted), ...(status !== undefined && { status }) }
}

/** A value with `ID` in place of an id, or `TEXT_ID` where a number is written as a text. */
function opened(value: unknown, given: unknown): unknown {
  const id = String(given)
  const whole = new RegExp(`(?<![\\w.:/"=-])${literalPattern(id)}(?![\\w:/"=-])`, 'g')
  const open = (part: unknown): unknown => {
    if (part === given) return ID
    if (typeof part === 'number') return String(part) === id ? ID : part
    if (part === id) return TEXT_ID
    if (typeof part === 'string') return part.replaceAll(whole, ID)
    if (Array.isArray(part)) return part.map(open)
    return isObject(part)
      ? Object.fromEntries(Object.entries(part).map(([name, each]) => [name, open(each)]))
      : part
  }
  return open(value)
}
