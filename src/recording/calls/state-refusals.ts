import type { CallOutcome, CallRule } from '../../engine/call-model.ts'
import { argumentsOf, isReading } from './call.ts'
import { failureOf } from './failures.ts'
import { storedOf } from './linked-members.ts'
import { idOf, type Item } from './objects.ts'
import type { Known } from './object-types.ts'
import type { CallSample } from './call-sample.ts'

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
