import type { Input } from '../engine/input.ts'
import type { Operation } from '../engine/operation.ts'
import { parseQuery } from '../engine/query.ts'
import { isObject } from '../engine/schema/schema.ts'
import type { HttpRequest } from '../message.ts'
import type { Item } from '../state/store.ts'
import { operatorOf, readComparison, type Compare } from './comparison-name.ts'
import { readExpression } from './filter-expression.ts'
import { createFieldFinder, type FieldFinder, type ItemFields } from './find-field.ts'
import { fieldOf, holdsText } from './list-query.ts'
import { orderValues, plainText } from './order-values.ts'
import { pageParametersOf, plainName } from './paging/page-parameters.ts'
import type { Select } from './select-items.ts'
import { readSelector } from './selector.ts'

type Test = (item: Item) => boolean

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

function testsOf(name: string, value: unknown, finder: FieldFinder): readonly Test[] {
  if (value === undefined || value === null || value === '') return []
  if (isObject(value))
    return Object.entries(value).flatMap(([key, part]) => testsOfMember(name, key, part, finder))
  const field = finder.field(name)
  if (field !== undefined) return equals(field, [value].flat(), finder)
  const [, holder, key = ''] = /^(.+)\[([\w.-]+)\]$/.exec(name) ?? []
  if (holder !== undefined) return testsOfMember(holder, key, value, finder)
  const [, kind] = /^(label|field)selector$/.exec(plainName(name)) ?? []
  if (kind !== undefined)
    return [readSelector(plainText([value].flat()[0]), kind === 'label' ? 'labels' : 'fields')]
  if (/^(filters?|where)$/.test(plainName(name))) return expressionTests(plainText([value].flat()[0]), finder)
  const comparison = readComparison(name)
  if (comparison === undefined) return []
  const { operator, base } = comparison
  const compared = base === undefined ? finder.moment('') : finder.field(base)
  if (operator === 'eq') return compared === undefined ? [] : equals(compared, [value].flat(), finder)
  const moment = compared ?? (base === undefined ? undefined : finder.moment(base))
  return moment === undefined ? [] : [compares(moment, operator, value)]
}

// `price[gte]` and `filter[price][gte]` compare the price, `filter[price]` names it.
function testsOfMember(name: string, key: string, value: unknown, finder: FieldFinder): readonly Test[] {
  const operator = isObject(value) ? undefined : operatorOf(key)
  const held = /\[([\w.-]+)\]$/.exec(name)?.[1] ?? name
  const field = [name, held].map((each) => finder.field(each) ?? finder.moment(each)).find(isKnown)
  if (operator === undefined || field === undefined) return testsOf(key, value, finder)
  return operator === 'eq' ? equals(field, [value].flat(), finder) : [compares(field, operator, value)]
}

function isKnown(name: string | undefined): name is string {
  return name !== undefined
}

// What is written in another way than that of OData, or speaks of what items have not, is left to who understands it.
function expressionTests(text: string, finder: FieldFinder): readonly Test[] {
  const expression = readExpression(text)
  const isOfItems = expression?.fields.every(
    (path) => finder.field(path.split(/[./]/)[0] ?? '') !== undefined,
  )
  if (expression === undefined || isOfItems !== true) return []
  return [(item) => expression.passes((field) => fieldOf(item, field))]
}

function equals(field: string, values: readonly unknown[], finder: FieldFinder): readonly Test[] {
  const texts = values.map(plainText)
  const parts = texts.flatMap((text) => [text, ...text.split(',')]).map((text) => text.trim())
  const wanted = new Set(parts.filter((text) => finder.takes(field, text)))
  if (wanted.size === 0) return []
  return [(item) => isAmong(fieldOf(item, field), wanted)]
}

const KEYS = ['id', 'uuid', 'name', 'login', 'slug', 'key', 'code', 'value', 'username', 'data']

function isAmong(value: unknown, wanted: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((each) => isAmong(each, wanted))
  if (isObject(value)) return KEYS.some((key) => Object.hasOwn(value, key) && isAmong(value[key], wanted))
  if (value === undefined) return false
  const text = plainText(value)
  return wanted.has(text) || (MOMENT.test(text) && wanted.has(text.slice(0, DAY_LENGTH)))
}

/** A moment, which is of the day that it begins with. */
const MOMENT = /^\d{4}-\d\d-\d\dT/
const DAY_LENGTH = 10

function compares(field: string, operator: Compare, value: unknown): Test {
  const all = [value].flat()
  const [wanted] = all
  const text = plainText(wanted).toLowerCase()
  const others = new Set(all.flatMap((each) => [plainText(each), ...plainText(each).split(',')]))
  return (item) => {
    const own = fieldOf(item, field)
    if (operator === 'ne') return own === undefined || !isAmong(own, others)
    if (own === undefined || own === null) return false
    if (operator === 'like') return holdsText(own, text)
    if (operator === 'starts') return plainText(own).toLowerCase().startsWith(text)
    const sign = signOf(own, wanted)
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
    const sign = orderValues(fieldOf(a, field), fieldOf(b, field))
    if (sign !== 0) return isDescending ? -sign : sign
  }
  return 0
}
