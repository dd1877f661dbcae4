import { isDeepStrictEqual } from 'node:util'
import type { Input } from '../engine/input.ts'
import type { RouteDefinition } from '../engine/route.ts'
import type { Item, StoredItem } from '../state/store.ts'

/** Chooses from a list of items, and sorts them. */
export type Select = (items: readonly StoredItem[]) => readonly StoredItem[]

/** What a route's `filterBy` and `select` make of a list for an input; `undefined` where that is all of it as it is. */
export function createSelect({ options }: RouteDefinition): (input: Input) => Select | undefined {
  const { filterBy, select = {} } = options
  const { filter = [], sort, order, search } = select
  if (filterBy === undefined && options.select === undefined) return () => undefined
  return (input) => {
    const keeps: ((item: Item) => boolean)[] = []
    const wanted = filterBy === undefined ? undefined : input[filterBy]
    if (filterBy !== undefined && isGiven(wanted))
      keeps.push((item) => isDeepStrictEqual(item[filterBy], wanted))
    for (const name of filter) {
      const values = [input[name]].flat().filter(isGiven).map(String)
      if (values.length > 0) keeps.push((item) => values.includes(String(item[name])))
    }
    const text = search === undefined ? undefined : input[search]
    if (isGiven(text)) keeps.push((item) => holdsText(item, String(text).toLowerCase()))
    const by = sort === undefined ? undefined : input[sort]
    if (keeps.length === 0 && !isGiven(by)) return undefined
    const isTurned = order !== undefined && /^desc/i.test(textOf(input[order] ?? ''))
    return (items) => {
      const kept = items.filter(({ value }) => keeps.every((keep) => keep(value)))
      return isGiven(by) ? sorted(kept, String(by), isTurned) : kept
    }
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function holdsText(value: unknown, text: string): boolean {
  if (value !== null && typeof value === 'object')
    return Object.values(value).some((part) => holdsText(part, text))
  return isGiven(value) && textOf(value).toLowerCase().includes(text)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function sorted(items: readonly StoredItem[], by: string, isTurned: boolean): readonly StoredItem[] {
  const name = by.replace(/^[-+]/, '')
  const turn = isTurned !== by.startsWith('-') ? -1 : 1
  return items.toSorted((a, b) => turn * compareValues(a.value[name], b.value[name]))
}

// What has no value comes last.
function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === undefined || a === null) return 1
  if (b === undefined || b === null) return -1
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return textOf(a) < textOf(b) ? -1 : 1
}
