import { isDeepStrictEqual } from 'node:util'
import type { Input } from '../engine/input.ts'
import { outputKind } from '../engine/output.ts'
import { parseQuery } from '../engine/query.ts'
import type { RouteDefinition } from '../engine/route.ts'
import type { HttpRequest } from '../message.ts'
import { type Item, StoredItem } from '../state/store.ts'
import { compareItems, createListQuery, fieldOf, holdsText, passes } from './list-query.ts'

/** Chooses from a list of items, and sorts them. */
export type Select = (items: readonly StoredItem[]) => Selected

/** What was chosen. */
export interface Selected {
  readonly items: readonly StoredItem[]
  /** How many there were before a part of them was taken. */
  readonly total: number
  /** Whether only a part of them was taken. */
  readonly isPart: boolean
}

/** What a route's `filterBy` and `select` make of a list for a request; `undefined` where that is all of it as it is. */
export function createSelect({
  options,
}: RouteDefinition): (input: Input, request: HttpRequest) => Select | undefined {
  const { filterBy, select } = options
  if (filterBy === undefined && select === undefined) return () => undefined
  const read = createListQuery(select ?? {}, outputKind(options.output) === 'paged')
  return (input, { search }) => {
    const wanted = filterBy === undefined ? undefined : input[filterBy]
    const isFiltered = wanted !== undefined && wanted !== null && wanted !== ''
    const isSelected = select !== undefined && (search !== '' || select.sorted !== undefined)
    if (!isFiltered && !isSelected) return undefined
    const query = parseQuery(search)
    return (found) => {
      const all = select?.sorted === '-' ? found.toReversed() : found
      const values = isFiltered
        ? all.filter(({ value }) => isDeepStrictEqual(value[filterBy as string], wanted))
        : all
      const isField = (name: string): boolean => all.some(({ value }) => fieldOf(value, name) !== undefined)
      const { terms, where, order, search: text, fields, part } = read(query, isField)
      const kept = values.filter(
        ({ value }) =>
          terms.every((term) => passes(value, term)) &&
          where?.(value) !== false &&
          (text === undefined || holdsText(value, text)),
      )
      const sorted =
        order.length === 0 ? kept : kept.toSorted((a, b) => compareItems(a.value, b.value, order))
      const some = part === undefined ? sorted : sorted.slice(...part)
      return {
        items:
          fields === undefined || fields.length === 0 ? some : some.map((item) => withFields(item, fields)),
        total: kept.length,
        isPart: part !== undefined,
      }
    }
  }
}

/** Leaves of the items that a list answers what its route's `select` says they show. */
export function createShow({
  options: { select },
}: RouteDefinition): (items: readonly StoredItem[]) => readonly StoredItem[] {
  const names = select?.show
  return names === undefined ? (items) => items : (items) => items.map((item) => withFields(item, names))
}

function withFields({ value }: StoredItem, names: readonly string[]): StoredItem {
  const some: Item = Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))
  return new StoredItem(some)
}
