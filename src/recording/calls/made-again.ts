import type { CallRule } from '../../engine/call-model.ts'
import { readPointer } from '../../engine/schema/pointer.ts'
import { replaceAt } from './envelope.ts'
import { type Known, objectKey } from './object-types.ts'
import type { Item, Objects } from './objects.ts'
import type { CallSample } from './call-sample.ts'

/**
 * What a call answers that would make what one of its name made before: that object, where nothing is made.
 * @param merged all that is known of objects of the type, by their ids
 */
export function againOf(
  fine: readonly CallSample[],
  type: string,
  { types, firsts }: Pick<Known, 'types' | 'firsts'>,
  merged: ReadonlyMap<string, Item>,
): Pick<CallRule, 'again'> {
  const repeats = fine.flatMap((sample) =>
    sample.objects
      .filter((seen) => seen.parent === undefined && types.get(seen.place) === type)
      .filter((seen) => {
        const first = firsts.get(objectKey(seen, types))
        return first !== sample && first?.call.name === sample.call.name
      })
      .map((seen) => ({ sample, seen })),
  )
  const [first] = repeats
  if (first === undefined) return {}
  const { sample, seen } = first
  const all = [...merged.values()]
  const isUnique = (name: string): boolean => new Set(all.map((item) => item[name])).size === all.length
  const texts = Object.entries(seen.item).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] !== seen.id,
  )
  const [member] = texts
    .filter(([name]) => isUnique(name))
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([name]) => name)
  return member === undefined
    ? {}
    : {
        again: { member, result: replaceAt(sample.value, readPointer(seen.pointer), null), at: seen.pointer },
      }
}

/** The object that is there already in place of the one that would be made. */
export function twinOf({ again }: CallRule, { items }: Objects, made: Item): Item | undefined {
  const wanted = again && made[again.member]
  return wanted === undefined
    ? undefined
    : [...items.values()].find((item) => item[again?.member ?? ''] === wanted)
}
