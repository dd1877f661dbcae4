import { isObject, type Entries } from '../engine/schema/schema.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import type { Item } from '../state/store.ts'

/** What a formula makes of an item; `undefined` where something that it names is not there, or no number. */
export type Formula = (item: Item) => number | undefined

/**
 * Reads a formula of members: `price * quantity`, `subtotal + tax - discount`, `sum(lines.amount)` of the entries of a
 * list, `count(lines)`, and `round(…, 2)` of any of those.
 * @returns `undefined` for what is none
 */
export function readFormula(text: string): Formula | undefined {
  const [, inner, digits] = /^round\((.*), (\d)\)$/.exec(text) ?? []
  if (inner !== undefined) {
    const formula = readFormula(inner)
    return formula && ((item) => rounded(formula(item), Number(digits)))
  }
  const [, counted] = /^count\(([^\s().]+)\)$/.exec(text) ?? []
  if (counted !== undefined) return (item) => entriesIn(item, counted)?.length
  const [, list, summed] = /^sum\(([^\s().]+)\.([^().]+)\)$/.exec(text) ?? []
  if (list !== undefined && summed !== undefined) {
    const ofEntry = readTerms(summed)
    return ofEntry && ((item) => sumOf(entriesIn(item, list)?.map((entry) => ofEntry(entryOf(entry)))))
  }
  return readTerms(text)
}

/** Makes what gives members of items the values of formulas, one after the other. @param computes formulas by pointers */
export function createComputed(computes: Readonly<Record<string, string>>): (item: Item) => Entries {
  const all = Object.entries(computes).map(([pointer, text]) => {
    const [name = '', ...deeper] = readPointer(pointer)
    return { name, ofEntry: deeper[0] === '-' ? deeper[1] : undefined, formula: readFormula(text) }
  })
  return (item) =>
    all.reduce<Entries>(
      (whole, { name, ofEntry, formula }) => {
        if (ofEntry === undefined) return computed(whole, name, formula)
        const entries = entriesIn(whole, name)
        if (entries === undefined) return whole
        const made = entries.map((entry) => (isObject(entry) ? computed(entry, ofEntry, formula) : entry))
        return { ...whole, [name]: made }
      },
      { ...item },
    )
}

function computed(item: Item, name: string, formula: Formula | undefined): Entries {
  const value = formula?.(item)
  return value === undefined ? { ...item } : { ...item, [name]: value }
}

/** What a number is with so many digits after its point. */
export function rounded(value: number | undefined, digits: number): number | undefined {
  return value === undefined ? undefined : Number(value.toFixed(digits))
}

// Names and what is done between them, such as `a * b` and `a + b - c`.
function readTerms(text: string): Formula | undefined {
  const [first = '', ...rest] = text.split(' ')
  const pairs = rest.flatMap((sign, at) => (at % 2 === 0 ? [{ sign, name: rest[at + 1] ?? '' }] : []))
  if (![first, ...pairs.map(({ name }) => name)].every((name) => NAME.test(name))) return undefined
  if (!pairs.every(({ sign }) => sign === '*') && !pairs.every(({ sign }) => /^[+-]$/.test(sign)))
    return undefined
  return (item) =>
    pairs.reduce(
      (value, { sign, name }) => {
        const other = numberIn(item, name)
        if (value === undefined || other === undefined) return undefined
        if (sign === '*') return value * other
        return sign === '+' ? value + other : value - other
      },
      numberIn(item, first),
    )
}

const NAME = /^[^\s().*]+$/

function sumOf(values: readonly (number | undefined)[] | undefined): number | undefined {
  return values?.reduce<number | undefined>(
    (sum, value) => (sum === undefined || value === undefined ? undefined : sum + value),
    0,
  )
}

function numberIn(item: Item, name: string): number | undefined {
  const value = Object.hasOwn(item, name) ? item[name] : undefined
  return typeof value === 'number' ? value : undefined
}

function entriesIn(item: Item, name: string): readonly unknown[] | undefined {
  const value = Object.hasOwn(item, name) ? item[name] : undefined
  return Array.isArray(value) ? value : undefined
}

function entryOf(entry: unknown): Item {
  return isObject(entry) ? entry : {}
}
