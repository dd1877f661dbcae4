import type { CallRule } from '../../engine/call-model.ts'
import { pointerBelow } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { combined } from './envelope.ts'
import type { Item } from './objects.ts'
import type { CallSample } from './call-sample.ts'
import { NUMBER_IN_TEXT } from './show.ts'

/** Where a sentence says how many there are, as in `2 leases found`. */
export function countedIn(
  lists: readonly { readonly value: unknown; readonly items: readonly Item[] }[],
): string | undefined {
  const [first] = lists
  const names = isObject(first?.value) ? Object.keys(first.value) : []
  const found = names.find((name) =>
    lists.every(({ value, items }) => {
      const text = isObject(value) ? value[name] : undefined
      const [number] = (typeof text === 'string' && / /.test(text) && NUMBER_IN_TEXT.exec(text)) || []
      return number === String(items.length)
    }),
  )
  return found === undefined ? undefined : pointerBelow('', found)
}

/** The number that is said, in a sentence or alone. */
export function countOf(said: unknown): number {
  return Number(typeof said === 'string' ? (NUMBER_IN_TEXT.exec(said)?.[0] ?? said) : said)
}

const TOTAL = /^(total|count|total_?count|total_?items|total_?results)$/i

/** Where a number stands that is called as that of all items is. */
export function totalIn(value: unknown, path: string): string | undefined {
  if (typeof value === 'number') return path
  if (!isObject(value)) return undefined
  const isCount = (part: unknown): boolean =>
    typeof part === 'number' || (typeof part === 'string' && /^\d{1,15}$/.test(part))
  const name = Object.keys(value).find((each) => TOTAL.test(each) && isCount(value[each]))
  if (name !== undefined) return `${path}/${name}`
  return Object.entries(value)
    .map(([member, part]) => (typeof part === 'number' ? undefined : totalIn(part, `${path}/${member}`)))
    .find((found) => found !== undefined)
}

/** A call for the number of objects is as one for their list, as long as its answers agree with that. */
export function countsOf(
  byName: ReadonlyMap<string, readonly CallSample[]>,
  found: readonly (readonly [string, CallRule])[],
): readonly [string, CallRule][] {
  const lists = found.map(([, rule]) => rule).filter(({ does }) => does === 'list')
  return [...byName].flatMap(([name, own]): [string, CallRule][] => {
    const [first] = own
    const total = totalIn(first?.value, '')
    const [list] = lists.filter(
      ({ type }) => lists.length === 1 || name.toLowerCase().includes(type.toLowerCase()),
    )
    if (total === undefined || list === undefined || found.some(([each]) => each === name)) return []
    return [
      [
        name,
        {
          ...{ does: 'list', type: list.type, result: wholeOf(own) },
          ...(first?.outcome.frame && { frame: first.outcome.frame }),
          list: { filter: [], ...list.list, total },
        },
      ],
    ]
  })
}

// Of what is selected each result has a part.
function wholeOf(own: readonly CallSample[]): unknown {
  const [first] = own
  if (first?.call.selects === undefined) return first?.value
  return own
    .filter(({ outcome }) => outcome.error === undefined)
    .map(({ value }) => value)
    .reduce(combined)
}
