import type { CallRule } from '../../engine/call-model.ts'
import { canonicalText } from '../../engine/random.ts'
import { argumentsOf } from './call.ts'
import type { ObjectSeen } from './call-sample.ts'
import type { CallBefore, StepsFound } from './stepped-members.ts'

/**
 * The lists of an object that calls add an argument to or take it out of, as `addTag` does; and the list that results are
 * in place of the object.
 */
export function changedLists(
  { before }: StepsFound,
  isOfType: (seen: ObjectSeen) => boolean,
): Pick<CallRule, 'adds' | 'drops' | 'member'> {
  const [example] = before
  for (const [member, list] of Object.entries(example?.before ?? {})) {
    if (!Array.isArray(list)) continue
    for (const argument of argumentsOf(example?.sample.call ?? { name: '', args: {} }).keys()) {
      const isMade = (make: (list: readonly unknown[], value: unknown) => unknown): boolean =>
        before.every((each) => {
          const [was, is] = [each.before[member], listAfter(each, member, isOfType)]
          const value = argumentsOf(each.sample.call).get(argument)
          return (
            Array.isArray(was) && Array.isArray(is) && canonicalText(make(was, value)) === canonicalText(is)
          )
        })
      const result = Array.isArray(example?.sample.value) ? { member } : {}
      if (isMade((was, value) => [...was, value]))
        return { adds: { [member]: { argument, empty: [] } }, ...result }
      if (list.length > 0 && isMade(without) && !isMade((was) => was))
        return { drops: { [member]: argument }, ...result }
    }
  }
  return {}
}

/** A list without a value. */
export function without(list: readonly unknown[], value: unknown): readonly unknown[] {
  return list.filter((each) => each !== value)
}

function listAfter({ sample }: CallBefore, member: string, isOfType: (seen: ObjectSeen) => boolean): unknown {
  return Array.isArray(sample.value) ? sample.value : sample.objects.find(isOfType)?.item[member]
}
