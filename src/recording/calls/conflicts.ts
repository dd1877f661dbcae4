import type { CallConflict } from '../../engine/call-model.ts'
import { membersOf } from './call.ts'
import { isNamed, isQuoted, opened, saidOf } from './failures.ts'
import type { CallSample } from './call-sample.ts'

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
    const lacking = before.flatMap((each) => Object.keys(givenIn(each)))
    // What was left out is what is wrong, where the failure names it.
    if (lacking.some((name) => !Object.hasOwn(givenIn(failed), name) && isQuoted(name, failed.outcome.error)))
      continue
    for (const [member, value] of Object.entries(givenIn(failed))) {
      if (typeof value !== 'string' || !before.some((each) => givenIn(each)[member] === value)) continue
      // A failure may be about another argument, such as one that is empty or the id of something else.
      const isReference = !Object.hasOwn(failed.call.args, member) && /(_id|Id)$/.test(member)
      if (isReference || Object.values(givenIn(failed)).includes('')) continue
      const isOther = Object.values(givenIn(failed)).some(
        (each) => each !== value && isNamed(each, failed.outcome.error),
      )
      if (isOther && !isNamed(value, failed.outcome.error)) continue
      const fine = own.filter(({ outcome }) => outcome.error === undefined)
      const again = fine.filter(
        (one, at) => fine.findIndex((each) => givenIn(each)[member] === givenIn(one)[member]) < at,
      )
      const [unless] = Object.keys(again[0]?.call.args ?? {}).filter(
        (name) => again.every(({ call }) => call.args[name] === true) && failed.call.args[name] !== true,
      )
      const [only] = Object.keys(failed.call.args).filter(
        (name) => again.length > 0 && again.every(({ call }) => !Object.hasOwn(call.args, name)),
      )
      const beside =
        again.length > 0 && unless === undefined && only === undefined
          ? besideIn(failed, fine, member)
          : undefined
      if (again.length > 0 && unless === undefined && only === undefined && beside === undefined) continue
      const { error, status } = failed.outcome
      const said = opened(error, value)
      const outcome = saidOf(
        failed.outcome,
        beside === undefined ? said : opened(said, givenIn(failed)[beside], beside),
      )
      const isSame = (each: CallSample): boolean =>
        each.outcome.error !== undefined &&
        fine.some((one) => isAlike(one, each, member, beside)) &&
        each.outcome.status === status
      return {
        conflict: {
          ...{ member, outcome, ...(beside !== undefined && { beside }) },
          ...(unless === undefined ? only !== undefined && { only } : { unless }),
        },
        others: own.filter((each) => !isSame(each)),
      }
    }
  }
  return { others: own }
}

// Another member that has to be the same for a call to fail: no two calls that did not have both alike.
function besideIn(failed: CallSample, fine: readonly CallSample[], member: string): string | undefined {
  return Object.keys(givenIn(failed)).find(
    (name) =>
      name !== member &&
      typeof givenIn(failed)[name] === 'string' &&
      isNamed(givenIn(failed)[name], failed.outcome.error) &&
      fine.some((one) => isAlike(one, failed, member, name)) &&
      !fine.some((one, at) => fine.slice(0, at).some((each) => isAlike(one, each, member, name))),
  )
}

function isAlike(one: CallSample, other: CallSample, member: string, beside = member): boolean {
  const [own, given] = [givenIn(one), givenIn(other)]
  return own[member] === given[member] && own[beside] === given[beside]
}

// All that a call gives, by arguments and by the members within them.
function givenIn({ call }: CallSample): Readonly<Record<string, unknown>> {
  return { ...call.args, ...membersOf(call) }
}
