import type { CallRule } from '../../engine/call-model.ts'
import { canonicalText } from '../../engine/random.ts'
import { pointerBelow, readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import { replaceAt } from './envelope.ts'
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
      const varied = [...pointers].filter((each) => new Set(leaves.map(({ at }) => at.get(each))).size > 1)
      const counts = varied.flatMap((each): [string, string][] => {
        const type = [...first.sizes.keys()].find((type) =>
          leaves.every(({ at, sizes }) => at.get(each) === sizes.get(type)),
        )
        return type === undefined ? [] : [[each, type]]
      })
      const areOthersNumbers = varied.every((each) =>
        leaves.every(({ at }) => typeof at.get(each) === 'number'),
      )
      if (counts.length === 0 || !areOthersNumbers) return []
      const { frame } = first.sample.outcome
      const rule = {
        does: 'say' as const,
        type: '',
        result: first.sample.value,
        counts: Object.fromEntries(counts),
      }
      return [[name, frame === undefined ? rule : { ...rule, frame }]]
    },
  )
}

/** A result with how many objects there are, where it says that. */
export function withSizes({ result, counts = {} }: CallRule, all: ReadonlyMap<string, Objects>): unknown {
  return Object.entries(counts).reduce(
    (whole, [pointer, type]) => replaceAt(whole, readPointer(pointer), all.get(type)?.items.size ?? 0),
    result,
  )
}

function leavesOf(value: unknown, pointer: string): ReadonlyMap<string, unknown> {
  if (!isObject(value)) return new Map([[pointer, Array.isArray(value) ? canonicalText(value) : value]])
  return new Map(
    Object.entries(value).flatMap(([name, part]) => [...leavesOf(part, pointerBelow(pointer, name))]),
  )
}
