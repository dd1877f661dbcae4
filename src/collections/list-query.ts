import type { Operator, Selection } from '../engine/route-options.ts'
import { isObject } from '../engine/schema/schema.ts'
import type { Query } from '../message.ts'
import { InputInvalid } from '../errors.ts'
import type { Item } from '../state/store.ts'
import { orderValues, plainText } from './order-values.ts'
import { readExpression } from './filter-expression.ts'
import { isDescending, namesIn, type Order, ordersOf } from './list-orders.ts'
import { hasField, plainParameter, readerOf } from './parameter-template.ts'
import type { FilterExpression } from './filter-functions.ts'
import { readNestedFilter, withJsonParts } from './json-filter.ts'

/** What a query says of a list. */
export interface ListQuery {
  /** What each kept item passes. */
  readonly terms: readonly Term[]
  /** What each kept item passes by an expression. */
  readonly where: ((item: Item) => boolean) | undefined
  /** The fields to sort by, the first one first. */
  readonly order: readonly Order[]
  /** The text that is searched for, in lower case. */
  readonly search: string | undefined
  /** The fields that items are answered with. */
  readonly fields: readonly string[] | undefined
  /** Where the part begins and before which item it ends. */
  readonly part: readonly [number, number] | undefined
}

/** A field that is compared with one of some texts. */
export interface Term {
  readonly field: string
  readonly operator: Operator
  readonly values: readonly string[]
}

/**
 * Makes what reads a query as a route's `select` says.
 * @param isPaged whether a number of items alone asks for a page rather than for a part
 * @returns reads a query; throws InputInvalid for an expression that cannot be read
 */
export function createListQuery(
  selection: Selection,
  isPaged = false,
): (query: Query, isField: (name: string) => boolean) => ListQuery {
  const { filter = [], aliases = {}, compare = {}, search, fields, sort, order, sorted } = selection
  const usual = Object.entries(selection.usual ?? {})
  const byDefault = sorted === undefined ? [] : ordersOf([sorted], undefined)
  const all = Object.entries(compare).map(([template, operator]) => ({
    read: readerOf(template),
    isOfValues: !hasField(template),
    operator,
  }))
  const templates = all.filter(({ isOfValues }) => !isOfValues)
  const ofValues = all.filter(({ isOfValues }) => isOfValues)
  const readSort = sort?.includes('{') === true ? readerOf(sort) : undefined
  const { start, end, limit, where } = selection
  const own = new Set([where, search, fields, sort, order, start, end, limit])

  const termOf = (
    name: string,
    values: readonly string[],
    isField: (name: string) => boolean,
  ): Term | undefined => {
    if (filter === 'any' ? isField(name) : filter.includes(name))
      return { field: name, operator: 'eq', values }
    const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined
    if (alias !== undefined) return { field: alias, operator: 'eq', values }
    for (const { read, operator } of templates) {
      const found = values.map((value) => read(name, value))
      const [first] = found
      if (first === undefined || found.includes(undefined) || !isField(first.field)) continue
      return { field: first.field, operator, values: found.map((each) => each?.value ?? '') }
    }
    return undefined
  }
  // Each value names its own field.
  const termsIn = (name: string, values: readonly string[], isField: (name: string) => boolean): Term[] =>
    values.flatMap((value) => {
      for (const { read, operator } of ofValues) {
        const found = read(name, value)
        if (found !== undefined && isField(found.field))
          return [{ field: found.field, operator, values: [found.value] }]
      }
      return []
    })
  const termsBy: typeof termsIn = (name, values, isField) => {
    const term = termOf(name, values, isField)
    return term === undefined ? termsIn(name, values, isField) : [term]
  }
  return (query, isField) => {
    const given = listed(withJsonParts(query))
    const textOf = (name: string | undefined): string | undefined =>
      name === undefined ? undefined : given.get(name)?.find((value) => value !== '')
    const terms = [...given].flatMap(([name, all]) => {
      const values = all.filter((value) => value !== '')
      return own.has(name) || values.length === 0 ? [] : termsBy(name, values, isField)
    })
    const usually = usual
      .filter(([field]) => !terms.some((term) => term.field === field))
      .map(([field, value]): Term => ({ field, operator: 'eq', values: [value] }))
    const byName = [...given].flatMap(([name, [value = '']]) => {
      const found = readSort?.(name, value)
      return found === undefined ? [] : [{ field: found.field, isDescending: isDescending(found.value) }]
    })
    const named = readSort === undefined ? ordersOf(given.get(sort ?? '') ?? [], textOf(order)) : byName
    const from = numberOf(textOf(start))
    const to = numberOf(textOf(end))
    const count = numberOf(textOf(limit))
    const isPart = from !== undefined || to !== undefined || (count !== undefined && !isPaged)
    const first = from ?? 0
    const text = textOf(where)
    // What comparisons do not read of its members is read as if they were JSON.
    const nested = [...given].filter(
      ([name, values]) =>
        where !== undefined && name.startsWith(`${where}[`) && termsBy(name, values, isField).length === 0,
    )
    return {
      terms: [...terms, ...usually],
      where:
        text === undefined
          ? passesBy(readNestedFilter(where ?? '', nested, isField))
          : passesBy(expressionIn(text, where ?? '')),
      order: named.length === 0 ? byDefault : named,
      search: textOf(search)?.toLowerCase(),
      fields: fields === undefined ? undefined : namesIn(given.get(fields) ?? []),
      part: isPart ? [first, to ?? (count === undefined ? Infinity : first + count)] : undefined,
    }
  }
}

function passesBy(expression: FilterExpression | undefined): ListQuery['where'] {
  return expression && ((item) => expression.passes((field) => fieldOf(item, field)))
}

function expressionIn(text: string, name: string): FilterExpression {
  const expression = readExpression(text)
  if (expression !== undefined) return expression
  const msg = "Value must be a filter such as price gt 5 and startswith(title,'A')"
  throw new InputInvalid([{ type: 'filter_expression', loc: ['query', name], msg, input: text }])
}

/** Whether an item passes what a query asks of one field. */
export function passes(item: Item, { field, operator, values }: Term): boolean {
  const value = namedBy(fieldOf(item, field))
  if (operator === 'eq' && !Array.isArray(value)) return values.includes(String(value))
  const all = [value].flat()
  const some = (test: (part: unknown, text: string) => boolean): boolean =>
    all.some((part) => values.some((text) => test(part, text)))
  switch (operator) {
    case 'eq':
      return some((part, text) => String(part) === text)
    case 'ne':
      return !some((part, text) => String(part) === text)
    case 'in':
    case 'nin':
      return some((part, text) => partsOf(text).includes(String(part))) === (operator === 'in')
    case 'between':
      return values.every((text) => {
        const [least = '', most = ''] = partsOf(text)
        return all.some((part) => compareWith(part, least) >= 0 && compareWith(part, most) <= 0)
      })
    case 'like':
      return some((part, text) => part !== undefined && isLike(plainText(part), text))
    case 'starts':
      return some((part, text) => String(part).toLowerCase().startsWith(text.toLowerCase()))
    case 'ends':
      return some((part, text) => String(part).toLowerCase().endsWith(text.toLowerCase()))
    default:
      return values.every((text) => all.some((part) => ORDERED[operator](compareWith(part, text))))
  }
}

// Things that an item refers to are named by their ids, which JSON:API has in `data`.
function namedBy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(namedBy)
  if (!isObject(value)) return value
  const { id } = value
  return typeof id === 'string' || typeof id === 'number'
    ? id
    : 'data' in value
      ? namedBy(value['data'])
      : value
}

const ORDERED: Readonly<Record<'gt' | 'gte' | 'lt' | 'lte', (sign: number) => boolean>> = {
  gt: (sign) => sign > 0,
  gte: (sign) => sign >= 0,
  lt: (sign) => sign < 0,
  lte: (sign) => sign <= 0,
}

/** Members that hold the fields of items which have others around them: of JSON:API, of Kubernetes, and their like. */
export const HOLDERS = ['attributes', 'spec', 'fields', 'properties', 'relationships']

/** The member of an item that holds the fields of some names, where the item itself has none of them. */
export function holderOf(item: Item, names: readonly string[]): string | undefined {
  if (names.some((name) => Object.hasOwn(item, name))) return undefined
  return HOLDERS.find((each) => {
    const holder = Object.hasOwn(item, each) ? item[each] : undefined
    return isObject(holder) && names.some((name) => Object.hasOwn(holder, name))
  })
}

/**
 * A field of an item: by its name, by names with dots between them, or among what such an item calls its fields. Of a
 * list of objects it is what they have, together.
 */
export function fieldOf(item: Item, name: string): unknown {
  if (Object.hasOwn(item, name)) return item[name]
  for (const each of HOLDERS) {
    const holder = Object.hasOwn(item, each) ? item[each] : undefined
    if (isObject(holder) && Object.hasOwn(holder, name)) return holder[name]
  }
  if (!name.includes('.')) return undefined
  const [first = '', ...rest] = name.split('.')
  const below = Object.hasOwn(item, first) ? item[first] : undefined
  const inner = rest.join('.')
  if (!Array.isArray(below)) return isObject(below) ? fieldOf(below, inner) : undefined
  const found = below.flatMap((each: unknown) => (isObject(each) ? (fieldOf(each, inner) ?? []) : []))
  return found.length === 0 ? undefined : found
}

/** Whether some value of an item holds a text in lower case. */
export function holdsText(value: unknown, text: string): boolean {
  if (value !== null && typeof value === 'object')
    return Object.values(value).some((part) => holdsText(part, text))
  return value !== undefined && value !== null && plainText(value).toLowerCase().includes(text)
}

/** Compares two items as a query orders them. */
export function compareItems(a: Item, b: Item, order: readonly Order[]): number {
  for (const { field, isDescending: isTurned } of order) {
    const sign = orderValues(fieldOf(a, field), fieldOf(b, field))
    if (sign !== 0) return isTurned ? -sign : sign
  }
  return 0
}

// Not a number where they cannot be compared.
function compareWith(value: unknown, text: string): number {
  if (value === undefined || value === null) return Number.NaN
  if (typeof value !== 'number') return orderValues(plainText(value), text)
  return text.trim() === '' ? Number.NaN : value - Number(text)
}

function partsOf(text: string): readonly string[] {
  return text
    .replaceAll(/^[([]|[)\]]$/g, '')
    .split(',')
    .map((part) => part.trim())
}

// A text holds another in whatever case; `%`, `*` and `.*` stand for any signs, and `^` and `$` for the ends.
function isLike(value: string, pattern: string): boolean {
  const text = value.toLowerCase()
  const wanted = pattern.toLowerCase()
  const pieces = wanted.replaceAll(/^\^|\$$/g, '').split(/%|\.?\*/)
  const isWhole = pieces.length > 1
  let at = 0
  for (const [index, piece] of pieces.entries()) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    if (index === 0 && found > 0 && (isWhole || wanted.startsWith('^'))) return false
    at = found + piece.length
  }
  return !(isWhole || wanted.endsWith('$')) || text.endsWith(pieces.at(-1) ?? '')
}

// A list may be given by names with brackets at their ends, which may be numbered.
function listed(query: Query): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, string[]>()
  for (const [name, value] of Object.entries(query)) {
    const plain = plainParameter(name)
    all.set(plain, [...(all.get(plain) ?? []), ...[value].flat()])
  }
  return all
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
