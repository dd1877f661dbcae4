import type { Input } from '../engine/input.ts'
import type { Operation } from '../engine/operation.ts'
import { foldOf } from '../engine/schema/merge.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { parseQuery } from '../engine/query.ts'
import type { HttpRequest } from '../message.ts'
import type { Item, StoredItem } from '../state/store.ts'
import { createFieldFinder, type FieldFinder, type ItemFields } from './find-field.ts'
import { describedOrder } from './described-order.ts'
import { isDirection, type Order } from './list-orders.ts'
import { fieldOf } from './list-query.ts'
import { orderValues, plainText } from './order-values.ts'
import { pageParameterNames, plainName } from './paging/page-parameters.ts'
import { mayTest, searchFor, testsOf, type Test } from './parameter-tests.ts'
import type { Select, Selected } from './select-items.ts'

const SEARCH = /^(q|query|search|searchquery|searchterm|searchtext|keywords?|term|text|fulltext)$/
const SORT = /^(sort|sortby|orderby|ordering|sorting|sortfield|sortkey|sortcolumn|sortorderby)$/
const DIRECTION = /^(order|direction|dir|sortorder|sortdirection|sortdir|orderdirection|orderdir|ascdesc)$/

/** What a request leaves of a list. */
export type Choice = (found: Parameters<Select>[0]) => Selected

/** Reads what requests choose from a list. */
export interface Chooser {
  /** The parameters that may choose, and say nothing else of the list. */
  readonly names: ReadonlySet<string>
  choice(input: Input, request: HttpRequest): Choice | undefined
}

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
  const { read } = createReader(operation, items, inPath)
  return (input, request) => {
    const wanted = read(input, request)
    return wanted && (({ items: all }) => selected(passing(all, wanted.tests), wanted.order))
  }
}

/**
 * The order of lists whose requests say none, by the defaults of the parameters that order them, or else by what the
 * description of the operation says; `undefined` where nothing does.
 */
export function createUsualOrder(operation: Operation, items: ItemFields): Select | undefined {
  const { usualOrder: byDefault } = createReader(operation, items, [])
  const described =
    byDefault.length > 0 || operation.description === undefined
      ? undefined
      : describedOrder(operation.description, createFieldFinder(items))
  const usualOrder = described === undefined ? byDefault : [described]
  return usualOrder.length === 0 ? undefined : ({ items: all }) => selected(all, usualOrder)
}

/**
 * As `createParameterSelect`, for lists of which nothing is known but what one answer shows. A parameter that requests
 * have to give says which list they mean, and is passed over where it would leave nothing.
 */
export function createChooser(operation: Operation, items: ItemFields): Chooser {
  const { read, names } = createReader(operation, items, [])
  const required = new Set(operation.parameters.filter((each) => each.required).map(({ name }) => name))
  return {
    names: new Set(names.filter((name) => !required.has(name))),
    choice(input, request) {
      const wanted = read(input, request)
      if (wanted === undefined) return undefined
      const must = wanted.tests.filter(({ name }) => required.has(name))
      const may = wanted.tests.filter(({ name }) => !required.has(name))
      return ({ items: all }) => {
        const kept = passing(all, may)
        const narrowed = passing(kept, must)
        return selected(narrowed.length === 0 ? kept : narrowed, wanted.order)
      }
    },
  }
}

interface NamedTest {
  readonly name: string
  readonly test: Test
}

interface Wanted {
  readonly tests: readonly NamedTest[]
  readonly order: readonly Order[]
}

interface Reader {
  /** The parameters of the query that may act. */
  readonly names: readonly string[]
  /** What orders the list where a request does not. */
  readonly usualOrder: readonly Order[]
  read(this: void, input: Input, request: HttpRequest): Wanted | undefined
}

function passing(items: readonly StoredItem[], tests: readonly NamedTest[]): readonly StoredItem[] {
  return items.filter(({ value }) => tests.every(({ test }) => test(value)))
}

function selected(kept: readonly StoredItem[], order: readonly Order[]): Selected {
  const sorted = order.length === 0 ? kept : kept.toSorted((a, b) => compareBy(a.value, b.value, order))
  return { items: sorted, total: kept.length, isPart: false }
}

function createReader(operation: Operation, items: ItemFields, inPath: readonly string[]): Reader {
  const own = pageParameterNames(operation)
  const declared = operation.parameters
    .filter((each) => each.in === 'query' && !own.has(each.name))
    .map(({ name }) => name)
  const finder = createFieldFinder(items)
  const search = declared.filter((name) => SEARCH.test(plainName(name)) && finder.field(name) === undefined)
  const directions = declared.filter((name) => DIRECTION.test(plainName(name)))
  const sorts = declared.filter((name) => SORT.test(plainName(name)) && finder.field(name) === undefined)
  const [sort] = sorts.length > 0 ? sorts : directions.filter((name) => finder.field(name) === undefined)
  const direction = directions.find((name) => name !== sort && finder.field(name) === undefined)
  const others = declared.filter((name) => ![...search, sort, direction].includes(name))
  const names = declared.filter((name) => !others.includes(name) || mayTest(name, finder))
  const usualOf = (name: string | undefined): unknown =>
    operation.parameters.flatMap((each) => (each.name === name ? [usualValueOf(each.model)] : []))[0]
  const usualOrder = ordersOf(usualOf(sort), usualOf(direction), finder)
  if (declared.length === 0 && inPath.length === 0) return { names, usualOrder, read: () => undefined }

  const read: Reader['read'] = (input, { search: query }) => {
    if (query === '' && inPath.length === 0) return undefined
    const given = Object.keys(parseQuery(query))
    const isGiven = (name: string): boolean =>
      given.some((each) => each === name || (each.startsWith(name) && each[name.length] === '['))
    const valueOf = (name: string | undefined): unknown =>
      name !== undefined && isGiven(name) ? input[name] : undefined
    const named = (name: string, found: readonly Test[]): NamedTest[] => found.map((test) => ({ name, test }))
    const tests = [
      ...search.flatMap((name) => {
        const text = valueOf(name)
        return typeof text === 'string' && text !== '' ? named(name, [searchFor(text)]) : []
      }),
      ...others.flatMap((name) => named(name, testsOf(name, valueOf(name), finder))),
      ...inPath.flatMap((name) => named(name, testsOf(name, input[name], finder))),
    ]
    const order = ordersOf(valueOf(sort), valueOf(direction), finder)
    if (tests.length === 0 && order.length === 0) return undefined
    return { tests, order }
  }
  return { names, usualOrder, read }
}

function usualValueOf(model: Schema): unknown {
  const folded = foldOf(model)(model)
  return typeof folded === 'boolean' ? undefined : folded['default']
}

function ordersOf(value: unknown, direction: unknown, finder: FieldFinder): readonly Order[] {
  if (value === undefined || value === null) return []
  const isTurned = /^(desc|descending|-1|-|d)$/i.test(plainText(direction ?? ''))
  const orders: Order[] = []
  for (const token of [value].flat().flatMap((each) => plainText(each).split(','))) {
    const word = token.trim()
    const before = orders.at(-1)
    // One without a field goes by when items were made.
    if (isDirection(word)) {
      const field = before?.field ?? finder.moment('')
      if (field !== undefined) orders.splice(-1, 1, { field, isDescending: /^desc/i.test(word) })
      continue
    }
    const [, sign, name = '', turn = ''] =
      /^([-+]?)(.*?)(?:(?<![\s:._-])[\s:._-]+(asc|desc)(?:ending)?)?$/i.exec(word) ?? []
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
