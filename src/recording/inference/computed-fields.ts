import { readFormula } from '../../collections/computed-members.ts'
import { spreadOf } from '../../grouping.ts'
import { pointerTo } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { Item } from './item-place.ts'

/** Formulas by pointers, each behind those that it needs. */
export type Computes = Readonly<Record<string, string>>

type Computed = readonly [name: string, formula: string]

/** More items, or more numbers of one, say nothing else and take long. */
const MAX_ITEMS = 200
const MAX_NUMBERS = 12
/** Digits that are the same in all numbers by chance with so few formulas, and with many. */
const MIN_DIGITS = { count: 2, product: 4, sum: 6 }

/**
 * Finds numbers that follow from others in all items: products of two fields in the entries of lists, sums over those, and
 * sums and differences of fields, such as `total` of `subtotal` and `discount`.
 * @param items as answers showed them
 * @param sent the names of what requests send of items, and `list.name` for entries of lists
 */
export function findComputedFields(items: readonly Item[], sent: ReadonlySet<string>): Computes {
  const some = spreadOf(items, MAX_ITEMS)
  const lists = [
    ...new Set(some.flatMap((item) => Object.keys(item).filter((name) => hasEntries(item[name])))),
  ]
  const ofEntries = lists.flatMap((list) =>
    productsIn(entriesOf(some, list), (name) => sent.has(`${list}.${name}`)).map(([name, text]): Computed => [
      pointerTo([list, '-', name]),
      text,
    ]),
  )
  const free = numbersIn(some).filter((name) => !sent.has(name))
  const ofLists = free.flatMap((name): Computed[] => {
    const text = lists
      .flatMap((list) => sumsOver(list, some))
      .map((each) => asGiven(each, name, some, MIN_DIGITS.count))
      .find((each) => each !== undefined)
    return text === undefined ? [] : [[name, text]]
  })
  const products = productsIn(some, (name) => sent.has(name) || ofLists.some(([each]) => each === name))
  const known = new Set([...ofLists, ...products].map(([name]) => name))
  const sums = sumsIn(
    some,
    free.filter((name) => !known.has(name)),
  )
  const own = [...ofLists, ...products, ...sums]
  return Object.fromEntries([...ofEntries, ...own.map(([name, text]): Computed => [pointerTo([name]), text])])
}

function hasEntries(value: unknown): value is readonly Item[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject)
}

function entriesOf(items: readonly Item[], list: string): readonly Item[] {
  return items.flatMap((item) => (hasEntries(item[list]) ? item[list] : []))
}

// The names of fields that are numbers wherever they are anything, and not always the same.
function numbersIn(items: readonly Item[]): readonly string[] {
  const names = [...new Set(items.flatMap(Object.keys))].filter((name) => /^[^\s().*]+$/.test(name))
  const isNumber = (name: string): boolean =>
    items.every((item) => item[name] == null || typeof item[name] === 'number')
  const isOther = (name: string): boolean => new Set(items.map((item) => item[name] ?? undefined)).size > 1
  return names.filter((name) => isNumber(name) && isOther(name)).slice(0, MAX_NUMBERS)
}

function productsIn(items: readonly Item[], isSent: (name: string) => boolean): readonly Computed[] {
  const names = numbersIn(items)
  return names.flatMap((name): Computed[] => {
    const others = isSent(name) ? [] : names.filter((each) => each !== name)
    const text = others
      .flatMap((one, at) => others.slice(at + 1).map((other) => `${one} * ${other}`))
      // A product of one, or of nothing, may be anything.
      .map((each) => asGiven(each, name, items, MIN_DIGITS.product, (value) => Math.abs(value) !== 1))
      .find((each) => each !== undefined)
    return text === undefined ? [] : [[name, text]]
  })
}

function sumsOver(list: string, items: readonly Item[]): readonly string[] {
  const names = numbersIn(entriesOf(items, list))
  const products = names.flatMap((one, at) =>
    names.slice(at + 1).map((other) => `sum(${list}.${one} * ${other})`),
  )
  return [`count(${list})`, ...names.map((name) => `sum(${list}.${name})`), ...products]
}

// The most different first: what is added or taken away varies less than what that gives.
function sumsIn(items: readonly Item[], free: readonly string[]): readonly Computed[] {
  const valuesOf = (name: string): number => new Set(items.map((item) => item[name])).size
  const names = numbersIn(items)
  const needs = new Map<string, readonly string[]>()
  const leadsTo = (name: string, target: string): boolean =>
    name === target || (needs.get(name) ?? []).some((each) => leadsTo(each, target))
  const found = new Map<string, string>()
  for (const target of free.toSorted((a, b) => valuesOf(b) - valuesOf(a))) {
    const text = sumsOf(names.filter((name) => !leadsTo(name, target)))
      .map((each) => asGiven(each, target, items, MIN_DIGITS.sum))
      .find((each) => each !== undefined)
    if (text === undefined) continue
    needs.set(target, operandsOf(text))
    found.set(target, text)
  }
  const depth = (name: string): number => 1 + Math.max(0, ...(needs.get(name) ?? []).map(depth))
  return [...found].toSorted(([a], [b]) => depth(a) - depth(b))
}

function sumsOf(names: readonly string[]): readonly string[] {
  const pairs = names.flatMap((one, at) =>
    names.flatMap((other, place) =>
      place === at ? [] : [...(at < place ? [`${one} + ${other}`] : []), `${one} - ${other}`],
    ),
  )
  const triples = pairs.flatMap((pair) => {
    const own = operandsOf(pair)
    const others = names.slice(names.indexOf(own[1] ?? '') + 1).filter((each) => !own.includes(each))
    return others.flatMap((each) => [`${pair} + ${each}`, `${pair} - ${each}`])
  })
  return [...pairs, ...triples]
}

function operandsOf(text: string): readonly string[] {
  return text.split(' ').filter((_, at) => at % 2 === 0)
}

/**
 * A formula as items show its numbers, whole or rounded; `undefined` where some item has another number, or they are too
 * few to know.
 * @param counts whether a number that a formula names says something, besides those that are nothing
 */
function asGiven(
  text: string,
  name: string,
  items: readonly Item[],
  digits: number,
  counts: (value: number) => boolean = () => true,
): string | undefined {
  const formula = readFormula(text)
  if (formula === undefined) return undefined
  const rows = items.filter((item) => typeof item[name] === 'number')
  const isNear = (item: Item): boolean => Math.abs((formula(item) ?? NaN) - (item[name] as number)) < NEAR
  if (rows.length < 2 || !rows.every(isNear)) return undefined
  const operands = /[(]/.test(text) ? [] : operandsOf(text)
  const saying = rows.filter((item) =>
    operands.every((each) => item[each] !== 0 && counts(item[each] as number)),
  )
  const values = new Set(saying.map((item) => item[name] as number).filter((value) => value !== 0))
  const known = [...values].reduce((sum, value) => sum + digitsOf(value), 0)
  if (values.size < 2 || known < digits) return undefined
  return [text, `round(${text}, 2)`].find((each) => {
    const given = readFormula(each)
    return rows.every((item) => given?.(item) === item[name])
  })
}

const NEAR = 0.006

// Without the noughts at both ends, which round numbers have.
function digitsOf(value: number): number {
  let digits = Number(String(Math.abs(value)).replace(/[.]|e.*/g, ''))
  while (digits >= 10 && digits % 10 === 0) digits /= 10
  return String(digits).length
}
