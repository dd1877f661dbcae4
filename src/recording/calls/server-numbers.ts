import type { ObjectType, ServerNumber } from '../../engine/call-model.ts'
import { pointerBelow, readPointer } from '../../engine/schema/pointer.ts'
import { groupBy } from '../../grouping.ts'
import { isReading } from './call.ts'
import { replaceAt, valueAt } from './envelope.ts'
import type { Item, Objects } from './objects.ts'
import type { CallSample } from './call-sample.ts'

/** A number of an object in a result. */
interface Seen {
  readonly key: string
  readonly value: number
  readonly isWrite: boolean
}

/**
 * The members that are numbers which the server gives: those of what is made, such as `pageid`, or of what is written, such
 * as a revision; and members that repeat such a number, or what it was before.
 */
export function findNumbers(
  objects: readonly { readonly item: Item; readonly id: string; readonly sample: CallSample }[],
): NonNullable<ObjectType['numbers']> {
  const [first] = objects
  const seen = objects.flatMap(({ item, id, sample }) =>
    numbersIn(item).flatMap(([name, value]): (Seen & { readonly name: string })[] =>
      name !== id
        ? [
            {
              ...{ name, key: String(item[id]), value },
              isWrite: sample.call.isChange ?? !isReading(sample.call.name),
            },
          ]
        : [],
    ),
  )
  const byName = groupBy(seen, ({ name }) => name)
  const counted = [...byName].flatMap(([name, own]): [string, ServerNumber][] => {
    const found = countedIn(own.filter(({ isWrite }) => isWrite))
    return found === undefined ? [] : [[name, found]]
  })
  const written = counted.find(([, { by }]) => by === 'written')?.[0]
  if (written === undefined || first === undefined) return Object.fromEntries(counted)
  const sizes = [...byName.keys()].flatMap((name): [string, ServerNumber][] => {
    const argument = sizeOf(name, objects)
    return argument === undefined ? [] : [[name, { by: 'size', argument }]]
  })
  const repeating = [...byName.keys()].flatMap((name): [string, ServerNumber][] => {
    if ([...counted, ...sizes].some(([each]) => each === name)) return []
    const [last, earlier] = [new Map<string, number>(), new Map<string, number>()]
    const pairs = objects.flatMap(
      ({ item, id }): (readonly [value: number, now: unknown, before: number])[] => {
        const key = String(item[id])
        const own = item[written]
        if (typeof own === 'number') {
          earlier.set(key, last.get(key) ?? 0)
          last.set(key, own)
        }
        const before = earlier.get(key) ?? 0
        const shown = memberAt(item, name)
        return typeof shown === 'number' && last.has(key) ? [[shown, last.get(key), before]] : []
      },
    )
    const isVaried = new Set(pairs.map(([value]) => value)).size > 1
    if (!isVaried) return []
    if (pairs.every(([value, now]) => value === now)) return [[name, { by: 'same', of: written }]]
    return pairs.every(([value, , before]) => value === before) ? [[name, { by: 'before', of: written }]] : []
  })
  return Object.fromEntries([...counted, ...sizes, ...repeating])
}

// The argument whose size a member always is, as it was given last.
function sizeOf(name: string, objects: Parameters<typeof findNumbers>[0]): string | undefined {
  const last = new Map<string, Item>()
  const pairs = objects.flatMap(
    ({ item, id, sample: { call } }): (readonly [value: number, given: Item])[] => {
      const key = String(item[id])
      if (call.isChange === true) last.set(key, call.args)
      const [value, given] = [memberAt(item, name), last.get(key)]
      return typeof value === 'number' && given !== undefined ? [[value, given]] : []
    },
  )
  if (new Set(pairs.map(([value]) => value)).size < MIN_SIZES) return undefined
  return Object.keys(pairs[0]?.[1] ?? {}).find((argument) =>
    pairs.every(([value, given]) => sizeIn(given, argument) === value),
  )
}

/** Fewer sizes are right by chance. */
const MIN_SIZES = 2

function sizeIn(given: Item, argument: string): number | undefined {
  const text = given[argument]
  return typeof text === 'string' ? Buffer.byteLength(text) : undefined
}

// Those within members are called by their JSON pointers.
function numbersIn(
  value: unknown,
  pointer = '',
  depth = 0,
): readonly (readonly [name: string, value: number])[] {
  if (Number.isSafeInteger(value))
    return [[pointer.lastIndexOf('/') === 0 ? pointer.slice(1) : pointer, value as number]]
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return []
  const parts = Array.isArray(value) ? Object.entries(value.slice(0, 1)) : Object.entries(value)
  return parts.flatMap(([name, part]) => numbersIn(part, pointerBelow(pointer, name), depth + 1))
}

const MAX_DEPTH = 4

function memberAt(item: Item, name: string): unknown {
  return name.startsWith('/') ? valueAt(item, name) : item[name]
}

function countedIn(own: readonly Seen[]): ServerNumber | undefined {
  const [first] = own
  if (first === undefined) return undefined
  const isGrowing = (values: readonly number[]): boolean =>
    values.length > 1 && values.every((value, at) => at === 0 || value > (values[at - 1] ?? 0))
  const keys = groupBy(own, ({ key }) => key)
  const firsts = [...keys.values()].map(([each]) => each?.value ?? 0)
  const isKept = [...keys.values()].every((each) => each.every(({ value }) => value === each[0]?.value))
  if (isKept) return isGrowing(firsts) ? { by: 'made', first: first.value } : undefined
  return isGrowing(own.map(({ value }) => value)) ? { by: 'written', first: first.value } : undefined
}

/**
 * An object that is made, or written again, with its numbers.
 * @param before as it was, if it was there
 * @param given what the call gives
 */
export function withNumbers(
  { type, numbers }: Objects,
  item: Item,
  before: Item | undefined,
  given: Item,
): Item {
  const own: Record<string, number> = {}
  const entries = Object.entries(type.numbers ?? {})
  for (const [name, number] of entries) {
    const kept = number.by === 'made' ? before?.[name] : undefined
    if ('first' in number)
      own[name] = typeof kept === 'number' ? kept : Math.max(number.first - 1, numbers.get(name) ?? 0) + 1
  }
  for (const [name, number] of entries) {
    const size = number.by === 'size' ? sizeIn(given, number.argument) : undefined
    if (size !== undefined) own[name] = size
  }
  for (const [name, number] of entries)
    if ('of' in number) own[name] = Number((number.by === 'same' ? own : before)?.[number.of] ?? 0)
  return Object.entries(own).reduce<Item>(
    (made, [name, value]) =>
      memberAt(made, name) === undefined
        ? made
        : (replaceAt(made, name.startsWith('/') ? readPointer(name) : [name], value) as Item),
    item,
  )
}
