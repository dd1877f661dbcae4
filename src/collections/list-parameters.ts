import type { Input } from '../engine/input.ts'
import type { Operation } from '../engine/operation.ts'
import { parseQuery } from '../engine/query.ts'
import { isObject } from '../engine/schema/schema.ts'
import type { HttpRequest } from '../message.ts'
import type { Item } from '../state/store.ts'
import { createFieldFinder, type FieldFinder, type ItemFields } from './find-field.ts'
import { holdsText } from './list-query.ts'
import { orderValues, plainText } from './order-values.ts'
import { pageParametersOf, plainName } from './paging/page-parameters.ts'
import type { Select } from './select-items.ts'
import { readSelector } from './selector.ts'

type Test = (item: Item) => boolean
type Compare = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'like'

const SEARCH = /^(q|query|search|searchquery|searchterm|searchtext|keywords?|term|text|fulltext)$/
const SORT = /^(sort|sortby|orderby|ordering|sorting|sortfield|sortkey|sortcolumn|sortorderby)$/
const DIRECTION = /^(order|direction|dir|sortorder|sortdirection|sortdir|orderdirection|orderdir|ascdesc)$/

/**
 * Makes what reads the query parameters of an operation that choose from its list: those that name a field of its
 * items, or compare one; searches; and orders. A parameter acts where the request has it.
 * @param inPath parameters of the path that do the same
 */
export function createParameterSelect(
  operation: Operation,
  items: ItemFields,
  inPath: readonly string[] = [],
): (input: Input, request: HttpRequest) => Select | undefined {
  const paging = pageParametersOf(operation)
  const own = new Set([paging?.at, paging?.size, paging?.total])
  const names = operation.parameters
    .filter((each) => each.in === 'query' && !own.has(each.name))
    .map(({ name }) => name)
  const finder = createFieldFinder(items)
  const search = names.filter((name) => SEARCH.test(plainName(name)) && finder.field(name) === undefined)
  const directions = names.filter((name) => DIRECTION.test(plainName(name)))
  const sorts = names.filter((name) => SORT.test(plainName(name)) && finder.field(name) === undefined)
  const [sort] = sorts.length > 0 ? sorts : directions.filter((name) => finder.field(name) === undefined)
  const direction = directions.find((name) => name !== sort && finder.field(name) === undefined)
  const others = names.filter((name) => ![...search, sort, direction].includes(name))
  if (names.length === 0 && inPath.length === 0) return () => undefined

  return (input, { search: query }) => {
    if (query === '' && inPath.length === 0) return undefined
    const given = Object.keys(parseQuery(query))
    const isGiven = (name: string): boolean =>
      given.some((each) => each === name || (each.startsWith(name) && each[name.length] === '['))
    const valueOf = (name: string | undefined): unknown =>
      name !== undefined && isGiven(name) ? input[name] : undefined
    const tests = [
      ...search.flatMap((name): Test[] => {
        const text = valueOf(name)
        return typeof text === 'string' && text !== '' ? [searchFor(text)] : []
      }),
      ...others.flatMap((name) => testsOf(name, valueOf(name), finder)),
      ...inPath.flatMap((name) => testsOf(name, input[name], finder)),
    ]
    const order = ordersOf(valueOf(sort), valueOf(direction), finder)
    if (tests.length === 0 && order.length === 0) return undefined
    return (found) => {
      const kept = found.items.filter(({ value }) => tests.every((test) => test(value)))
      const sorted = order.length === 0 ? kept : kept.toSorted((a, b) => compareBy(a.value, b.value, order))
      return { items: sorted, total: kept.length, isPart: false }
    }
  }
}

// Words may be anywhere in an item; signs such as those of `is:open` are left to who understands them.
function searchFor(text: string): Test {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && !/^[\w-]+:./.test(word))
  return (item) => words.every((word) => holdsText(item, word))
}

const LEAST = /^(min|minimum|from|after|since|start|gte?|newer|later)$/
const MOST = /^(max|maximum|to|before|until|till|end|lte?|older|earlier)$/
const BARE =
  /^(since|until|after|before|from|to|start|end|startdate|enddate|fromdate|todate|datefrom|dateto|starttime|endtime|startat|endat|mindate|maxdate)$/

function testsOf(name: string, value: unknown, finder: FieldFinder): readonly Test[] {
  if (value === undefined || value === null || value === '') return []
  if (isObject(value))
    return Object.entries(value).flatMap(([key, part]) => testsOfMember(name, key, part, finder))
  const inBrackets = /^([\w.-]+)\[([\w.-]+)\]$/.exec(name)
  if (inBrackets !== null) return testsOfMember(inBrackets[1] ?? '', inBrackets[2] ?? '', value, finder)
  const field = finder.field(name)
  const [, kind] = /^(label|field)selector$/.exec(plainName(name)) ?? []
  if (field === undefined && kind !== undefined)
    return [readSelector(plainText([value].flat()[0]), kind === 'label' ? 'labels' : 'fields')]
  if (field !== undefined) return equals(field, [value].flat(), finder)
  const { operator, base } = comparison(name)
  if (operator === undefined) return []
  const compared = base === undefined ? finder.moment('') : (finder.field(base) ?? finder.moment(base))
  return compared === undefined ? [] : [compares(compared, operator, value)]
}

function testsOfMember(name: string, key: string, value: unknown, finder: FieldFinder): readonly Test[] {
  const operator = OPERATORS.get(plainName(key))
  const field = finder.field(name) ?? finder.moment(name)
  if (operator === undefined || field === undefined) return testsOf(key, value, finder)
  return operator === 'eq' ? equals(field, [value].flat(), finder) : [compares(field, operator, value)]
}

const OPERATORS: ReadonlyMap<string, Compare> = new Map<string, Compare>([
  ...(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like'] as const).map((each) => [each, each] as const),
  ['in', 'eq'],
  ['contains', 'like'],
  ['min', 'gte'],
  ['max', 'lte'],
  ['from', 'gte'],
  ['to', 'lte'],
  ['after', 'gt'],
  ['before', 'lt'],
])

// `min_price`, `priceMax`, `created_after`, `since`: the words of a name say how its field is compared.
function comparison(name: string): { readonly operator?: Compare; readonly base?: string | undefined } {
  if (BARE.test(plainName(name))) return { operator: LEAST.test(firstSide(name)) ? 'gte' : 'lte' }
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase())
  for (const [word, base] of [
    [words.at(-1) ?? '', words.slice(0, -1)],
    [words[0] ?? '', words.slice(1)],
  ] as const) {
    if (base.length === 0) continue
    const exact = OPERATORS.get(word)
    const operator = exact ?? (LEAST.test(word) ? 'gte' : MOST.test(word) ? 'lte' : undefined)
    if (operator !== undefined) return { operator, base: base.join('_') }
  }
  return {}
}

function firstSide(name: string): string {
  return plainName(name).replace(/(date|time|at)/g, '')
}

function equals(field: string, values: readonly unknown[], finder: FieldFinder): readonly Test[] {
  const texts = values.map(plainText)
  const parts = texts.flatMap((text) => [text, ...text.split(',')]).map((text) => text.trim())
  const wanted = new Set(parts.filter((text) => finder.takes(field, text)))
  if (wanted.size === 0) return []
  return [(item) => isAmong(item[field], wanted)]
}

const KEYS = ['id', 'uuid', 'name', 'login', 'slug', 'key', 'code', 'value', 'username']

function isAmong(value: unknown, wanted: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((each) => isAmong(each, wanted))
  if (isObject(value)) return KEYS.some((key) => Object.hasOwn(value, key) && isAmong(value[key], wanted))
  return value !== undefined && wanted.has(plainText(value))
}

function compares(field: string, operator: Compare, value: unknown): Test {
  const wanted = [value].flat()[0]
  return (item) => {
    const own = item[field]
    if (own === undefined || own === null) return operator === 'ne'
    if (operator === 'like') return holdsText(own, plainText(wanted).toLowerCase())
    const sign = signOf(own, wanted)
    if (operator === 'ne') return sign !== 0
    if (operator === 'gt') return sign > 0
    if (operator === 'gte') return sign >= 0
    if (operator === 'lt') return sign < 0
    return operator === 'lte' ? sign <= 0 : sign === 0
  }
}

// Not a number where they cannot be compared.
function signOf(own: unknown, wanted: unknown): number {
  if (typeof own === 'number') {
    const number = Number(wanted)
    if (Number.isFinite(number)) return own - number
    // Moments may be counted in seconds.
    return own - Date.parse(plainText(wanted)) / 1000
  }
  const [one, other] = [Date.parse(plainText(own)), Date.parse(plainText(wanted))]
  if (Number.isFinite(one) && Number.isFinite(other)) return one - other
  return orderValues(plainText(own), plainText(wanted))
}

interface Order {
  readonly field: string
  readonly isDescending: boolean
}

function ordersOf(value: unknown, direction: unknown, finder: FieldFinder): readonly Order[] {
  if (value === undefined || value === null) return []
  const isTurned = /^(desc|descending|-1|-|d)$/i.test(plainText(direction ?? ''))
  const orders: Order[] = []
  for (const token of [value].flat().flatMap((each) => plainText(each).split(','))) {
    const word = token.trim()
    const before = orders.at(-1)
    if (/^(asc|desc)(ending)?$/i.test(word)) {
      if (before !== undefined) orders[orders.length - 1] = { ...before, isDescending: /^desc/i.test(word) }
      continue
    }
    const [, sign, name = '', turn = ''] =
      /^([-+]?)(.*?)(?:[\s:._-]+(asc|desc)(?:ending)?)?$/i.exec(word) ?? []
    const field = finder.field(name) ?? finder.moment(name === '' ? '-' : name)
    const isOwn = sign === '-' || /^desc/i.test(turn)
    if (field !== undefined) orders.push({ field, isDescending: isOwn !== isTurned })
  }
  return orders
}

function compareBy(a: Item, b: Item, orders: readonly Order[]): number {
  for (const { field, isDescending } of orders) {
    const sign = orderValues(a[field], b[field])
    if (sign !== 0) return isDescending ? -sign : sign
  }
  return 0
}
