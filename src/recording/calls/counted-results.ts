import type { CallRule, CountedType } from '../../engine/call-model.ts'
import { canonicalText } from '../../engine/random.ts'
import { pointerBelow, readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import { combined, replaceAt } from './envelope.ts'
import type { Objects } from './objects.ts'
import type { CallSample } from './call-sample.ts'

/** A recorded call, and how many objects of each type there were. */
export interface Counted {
  readonly sample: CallSample
  readonly sizes: ReadonlyMap<string, number>
}

/** What calls say that are always the same but for how many objects there are, and for numbers that grow, such as times. */
export function countingRules(counted: readonly Counted[]): readonly (readonly [string, CallRule])[] {
  return [...groupBy(counted, ({ sample }) => sample.call.name)].flatMap(
    ([name, own]): [string, CallRule][] => {
      const [first] = own
      const isOneCall = new Set(own.map(({ sample }) => canonicalText(sample.call.args))).size === 1
      if (first === undefined || !isOneCall || own.some(({ sample }) => sample.outcome.error !== undefined))
        return []
      const leaves = own.map(({ sample, sizes }) => ({ sizes, at: leavesOf(sample.value, '') }))
      const pointers = new Set(leaves.flatMap(({ at }) => [...at.keys()]))
      const of = (pointer: string): typeof leaves => leaves.filter(({ at }) => at.has(pointer))
      const varied = [...pointers].filter((each) => new Set(of(each).map(({ at }) => at.get(each))).size > 1)
      const counts = varied.flatMap((each) => {
        const counted = countedBy(of(each).map(({ at, sizes }) => ({ value: at.get(each), sizes })))
        return counted === undefined ? [] : [[each, counted] as const]
      })
      const areOthersNumbers = varied.every((each) =>
        of(each).every(({ at }) => typeof at.get(each) === 'number'),
      )
      if (counts.length === 0 || !areOthersNumbers) return []
      const { frame } = first.sample.outcome
      const rule = {
        does: 'say' as const,
        type: '',
        result: own.map(({ sample }) => sample.value).reduce(combined),
        counts: Object.fromEntries(counts),
      }
      return [[name, frame === undefined ? rule : { ...rule, frame }]]
    },
  )
}

// Some objects may never be shown.
function countedBy(
  all: readonly { readonly value: unknown; readonly sizes: Counted['sizes'] }[],
): CountedType | undefined {
  for (const type of all[0]?.sizes.keys() ?? []) {
    const unseen = new Set(all.map(({ value, sizes }) => Number(value) - (sizes.get(type) ?? 0)))
    const [number = -1] = unseen
    if (unseen.size === 1 && number >= 0 && all.every(({ value }) => typeof value === 'number'))
      return { type, ...(number > 0 && { unseen: number }) }
  }
  return undefined
}

/** A result with how many objects there are, where it says that. */
export function withSizes({ result, counts = {} }: CallRule, all: ReadonlyMap<string, Objects>): unknown {
  return Object.entries(counts).reduce(
    (whole, [pointer, { type, unseen = 0 }]) =>
      replaceAt(whole, readPointer(pointer), (all.get(type)?.items.size ?? 0) + unseen),
    result,
  )
}

function leavesOf(value: unknown, pointer: string): ReadonlyMap<string, unknown> {
  if (!isObject(value)) return new Map([[pointer, Array.isArray(value) ? canonicalText(value) : value]])
  return new Map(
    Object.entries(value).flatMap(([name, part]) => [...leavesOf(part, pointerBelow(pointer, name))]),
  )
}
