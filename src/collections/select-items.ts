import { isDeepStrictEqual } from 'node:util'
import type { Input } from '../engine/input.ts'
import { outputKind } from '../engine/output.ts'
import { parseQuery } from '../engine/query.ts'
import { memberAt, withMember } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject, propertiesOf } from '../engine/schema/schema.ts'
import type { RouteDefinition } from '../engine/route.ts'
import type { HttpRequest } from '../message.ts'
import { type Found, type Item, StoredItem } from '../state/store.ts'
import {
  compareItems,
  createListQuery,
  fieldOf,
  holderOf,
  holdsText,
  type ListQuery,
  passes,
} from './list-query.ts'
import { createHide } from './hidden-parts.ts'
import { plainParameter } from './parameter-template.ts'
import { refuseOthers, refuseUnknown } from './unknown-fields.ts'

/** Chooses from a list of items, and sorts them; `undefined` where that is all of them as they are. */
export type Select = (found: Pick<Found, 'items' | 'some'>) => Selected | undefined

/** What was chosen. */
export interface Selected {
  readonly items: readonly StoredItem[]
  /** How many there were before a part of them was taken. */
  readonly total: number
  /** How many the answer says that there are, where that is another number. */
  readonly counted?: number | undefined
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
  const { always = [], aliases = {} } = select ?? {}
  const parameters = new Set(propertiesOf(options.input ?? {}).map(([name]) => plainParameter(name)))
  const isParameter = (name: string): boolean => parameters.has(plainParameter(name))
  const filtered = filterBy === undefined ? '' : (aliases[filterBy] ?? filterBy)
  return (input, { search }) => {
    const wanted = filterBy === undefined ? undefined : input[filterBy]
    const isFiltered = wanted !== undefined && wanted !== null && wanted !== ''
    const isSelected =
      select !== undefined && (search !== '' || select.sorted !== undefined || select.usual !== undefined)
    if (!isFiltered && !isSelected) return undefined
    const query = parseQuery(search)
    return (found) => {
      const isField = (name: string): boolean => found.some(name, (item) => fieldOf(item, name) !== undefined)
      const listQuery = read(query, isField)
      if (found.items.length > 0) {
        if (select?.strict === true) refuseOthers(query, isParameter, isField)
        if (select?.known === true) refuseUnknown(query, select, isField, read)
      }
      const isTurned = select?.sorted === '-'
      if (!isFiltered && !isTurned && selectsNothing(listQuery)) return undefined
      const { terms, where, order, search: text, fields, part } = listQuery
      const all = isTurned ? found.items.toReversed() : found.items
      const values = isFiltered ? all.filter(({ value }) => isSame(fieldOf(value, filtered), wanted)) : all
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
          fields === undefined || fields.length === 0
            ? some
            : some.map(({ value }) => new StoredItem(namedFields(value, fields, always))),
        total: kept.length,
        ...(select?.total === 'all' && { counted: all.length }),
        isPart: part !== undefined,
      }
    }
  }
}

// A path names a number as a text, and so may the items below it.
function isSame(value: unknown, wanted: unknown): boolean {
  if (isDeepStrictEqual(value, wanted)) return true
  const isPlain = [value, wanted].every((each) => typeof each === 'string' || typeof each === 'number')
  return isPlain && String(value) === String(wanted)
}

function selectsNothing({ terms, where, order, search, fields = [], part }: ListQuery): boolean {
  const isWhole = where === undefined && search === undefined && part === undefined
  return isWhole && terms.length === 0 && order.length === 0 && fields.length === 0
}

/** Leaves of items what an answer shows. */
export type Show = (items: readonly StoredItem[]) => readonly StoredItem[]

/** Leaves of the items that a list answers what its route's `select` says they show to a request. */
export function createShow({ options: { select } }: RouteDefinition): (request: HttpRequest) => Show {
  const names = select?.show
  const hideFor = createHide(select)
  return (request) => {
    const hide = hideFor(request)
    if (names === undefined && hide === undefined) return (items) => items
    const shown = (item: Item): Item => (names === undefined ? item : onlyFields(item, names))
    return (items) => items.map(({ value }) => new StoredItem(shown(hide?.(value) ?? value)))
  }
}

/** Leaves of the item that a route answers what it shows, and the fields that the query names; `undefined` for a route that shows all of it. */
export function createShowNamed({
  options: { select, item },
  method,
}: RouteDefinition): ((body: unknown, request: HttpRequest) => unknown) | undefined {
  const named = method === 'GET' ? select?.fields : undefined
  if (select === undefined || (named === undefined && select.hides === undefined)) return undefined
  const read = createListQuery({ fields: named })
  const hideFor = createHide(select)
  const { always = [] } = select
  const place = readPointer(item?.answer ?? '')
  return (body, request) => {
    const { fields = [] } = read(parseQuery(request.search), () => true)
    const whole = memberAt(body, place)
    const hide = hideFor(request)
    if ((fields.length === 0 && hide === undefined) || !isObject(whole)) return body
    const shown = hide?.(whole) ?? whole
    const value = fields.length === 0 ? shown : namedFields(shown, fields, always)
    return place.length === 0 || !isObject(body) ? value : withMember(body, place, value)
  }
}

// What an item holds its fields in stays, with those that are named.
function namedFields(item: Item, fields: readonly string[], always: readonly string[]): Item {
  const holder = holderOf(item, fields)
  if (holder === undefined) return onlyFields(item, [...fields, ...always])
  return { ...item, [holder]: onlyFields(item[holder] as Item, fields) }
}

/** An item with no other fields than some, of which those with dots name what is within: `author.name`, `tags.*`. */
export function onlyFields(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => {
      if (names.includes(name)) return [[name, value]]
      const within = names.flatMap((each) => namedWithin(each, name))
      if (within.length === 0) return names.includes('*') ? [[name, value]] : []
      const narrowed = (part: unknown): unknown => (isObject(part) ? onlyFields(part, within) : part)
      return [[name, Array.isArray(value) ? value.map(narrowed) : narrowed(value)]]
    }),
  )
}

// What a name with dots says of the parts of a field.
function namedWithin(path: string, name: string): readonly string[] {
  const [first, ...rest] = path.split('.')
  return rest.length > 0 && (first === name || first === '*') ? [rest.join('.')] : []
}
