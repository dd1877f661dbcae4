import type { Item } from '../state/store.ts'
import { operatorOf, readComparison, type Compare } from './comparison-name.ts'
import { readExpression } from './filter-expression.ts'
import type { FieldFinder } from './find-field.ts'
import { fieldOf, holdsText } from './list-query.ts'
import { orderValues, plainText } from './order-values.ts'
import { plainName } from './paging/page-parameters.ts'
import { readSelector } from './selector.ts'
import { isObject } from '../engine/schema/schema.ts'

/** Whether an item is one of those that a parameter chooses. */
export type Test = (item: Item) => boolean

/**
 * The search for a text. Words may be anywhere in an item; signs such as those of `is:open` are left to who understands
 * them.
 */
export function searchFor(text: string): Test {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && !/^[\w-]+:./.test(word))
  return (item) => words.every((word) => holdsText(item, word))
}

/** What a parameter asks of a list's items by its name and value: nothing where it names no field, and compares none. */
export function testsOf(name: string, value: unknown, finder: FieldFinder): readonly Test[] {
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

/** Whether a parameter could ask anything of a list's items. */
export function mayTest(name: string, finder: FieldFinder): boolean {
  const isKnownForm = /[[\]]|^(filters?|where|(label|field)_?selector)$/i.test(name)
  return isKnownForm || finder.field(name) !== undefined || readComparison(name) !== undefined
}

// `price[gte]` and `filter[price][gte]` compare the price, `filter[price]` names it.
function testsOfMember(name: string, key: string, value: unknown, finder: FieldFinder): readonly Test[] {
  const operator = isObject(value) ? undefined : operatorOf(key)
  const held = /\[([\w.-]+)\]$/.exec(name)?.[1] ?? name
  const field = [name, held].map((each) => finder.field(each) ?? finder.moment(each)).find(isKnown)
  if (operator === undefined || field === undefined) {
    const tests = testsOf(key, value, finder)
    const isHeld = tests.length === 0 && field !== undefined && finder.hasMembers(field)
    return isHeld ? [holds(field, key, [value].flat())] : tests
  }
  return operator === 'eq' ? equals(field, [value].flat(), finder) : [compares(field, operator, value)]
}

// `metadata[team]` names a member of an object that items have.
function holds(field: string, key: string, values: readonly unknown[]): Test {
  const wanted = new Set(values.map(plainText))
  return (item) => {
    const own = fieldOf(item, field)
    return isObject(own) && Object.hasOwn(own, key) && isAmong(own[key], wanted)
  }
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

const KEYS = [
  ...['id', '_id', 'gid', 'sid', 'uuid', 'guid', 'name'],
  ...['login', 'slug', 'key', 'code', 'value', 'username', 'data'],
]

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
