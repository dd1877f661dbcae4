import type { HttpRequest } from '../../message.ts'
import { MAX_ITEMS } from '../../engine/list-range.ts'
import type { Input } from '../../engine/input.ts'
import { parseQuery } from '../../engine/query.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { copyValue } from '../../engine/schema/copy-value.ts'
import { memberAt, withMember } from '../../engine/schema/member.ts'
import { numberOf } from '../../engine/schema/keywords.ts'
import { createFold } from '../../engine/schema/merge.ts'
import { createResolver, isObject, setEntry, type Entries, type Schema } from '../../engine/schema/schema.ts'
import type { Need, StoredItem } from '../../state/store.ts'
import { listShapeOf, type ListShape } from '../../engine/list-shape.ts'
import { pick } from '../item-output.ts'
import { answeredParameters, repeatedParameters } from './answered-parameters.ts'
import type { Pager } from './page.ts'
import { isOfOther } from './other-ways.ts'
import { pageFieldsOf, type PageFacts, type PageField } from './page-fields.ts'
import { factsOf, linkHeader, type Listed } from './page-links.ts'
import { endOf, NO_ITEMS, offsetOf } from './page-bounds.ts'
import { namesItems } from './page-token.ts'
import { writePageFields } from './write-page-fields.ts'
import {
  numberIn,
  pageParametersOf,
  type QueryParameter,
  type PageParameters,
  WHOLE,
} from './page-parameters.ts'

/** The pager of an operation whose answer is a list or holds one; `undefined` for any other. */
export function createPager(
  operation: { readonly parameters: readonly QueryParameter[] },
  { headers }: { readonly headers: readonly { readonly name: string; readonly template?: string }[] },
  model: Schema,
  path: string,
  { example, ...form }: Pick<PageParameters, 'tokens' | 'idPath'> & { readonly example?: unknown } = {},
): Pager | undefined {
  const shape = listShapeOf(model, path)
  if (shape === undefined) return undefined
  const counted = pageParametersOf(operation)
  const fields = fieldsOf(model, shape, counted?.style === 'cursor' ? counted.at : counted?.token)
  const hasNext = fields.some(({ fact }) => fact === 'next')
  const described =
    hasNext && (counted?.style ?? 'limit') === 'limit' ? pageParametersOf(operation, true) : counted
  const parameters = described ?? repeatedParameters(fields, example)
  const declared = new Set(headers.map(({ name }) => name.toLowerCase()))
  const saysNext = headers.some(({ template = '' }) => template.includes('{next}'))
  const answers = { list: shape.list, fields, hasLink: declared.has('link'), saysNext }
  const tokens = exampleTokens(example, shape, fields)
  const isAboutList = mayBeShort(shape) && !path.endsWith('}')
  const { others = [] } = parameters ?? {}
  const ways = parameters === undefined ? [] : [parameters, ...others]
  const pagerFor = (requested: PageParameters | undefined): Pager => {
    const paging =
      requested && mayBeShort(shape)
        ? answeredParameters({ ...requested, ...(tokens && { tokens }), ...form }, answers)
        : undefined
    const own =
      requested === undefined ? fields : fields.filter((field) => !isOfOther(field, fields, requested, ways))
    const left = fields.filter((field) => !own.includes(field))
    return pagerOf(paging, shape, own, left, declared, model, isAboutList)
  }
  const pager = pagerFor(parameters)
  return others.length === 0 ? pager : pagerOfSeveral([pager, ...others.map(pagerFor)])
}

function mayBeShort({ list, leavesOut = false }: ListShape): boolean {
  const least = numberOf(list, 'minItems') ?? 0
  return list['uniqueItems'] !== true && !('contains' in list) && (least === 0 || leavesOut)
}

// The token that an example gives leads to what comes after the items of that example.
function exampleTokens(
  example: unknown,
  { path }: ListShape,
  fields: readonly PageField[],
): PageParameters['tokens'] {
  const items = memberAt(example, path)
  const given = fields.filter(({ fact }) => fact === 'next').map((field) => memberAt(example, field.path))
  const token = given.find((each): each is string => typeof each === 'string' && each !== '')
  return token === undefined || !Array.isArray(items) ? undefined : { known: { [token]: items.length } }
}

function fieldsOf(model: Schema, { path }: ListShape, token: string | undefined): readonly PageField[] {
  const fold = createFold(createResolver(model))
  const envelope = fold(model)
  return path.length === 0 || typeof envelope === 'boolean'
    ? []
    : pageFieldsOf(envelope, fold, path.slice(0, -1), token)
}

function pagerOf(
  paging: PageParameters | undefined,
  shape: ListShape,
  fields: readonly PageField[],
  left: readonly PageField[],
  declared: ReadonlySet<string>,
  model: Schema,
  isAboutList: boolean,
): Pager {
  const parameters = paging ?? WHOLE
  const checker = createChecker(model)
  const most = Math.min(MAX_ITEMS, numberOf(shape.list, 'maxItems') ?? Infinity)
  const { within, isOwn = false, token, before } = parameters
  const own = new Set(
    [parameters.at, parameters.size, token, within, before].filter((name) => name !== undefined),
  )
  // What requests say of pages, by the names of the parameters.
  const wanted = (input: Input, { search }: Pick<HttpRequest, 'search'>): Input => {
    if (within === undefined && !isOwn) return input
    const held = within === undefined ? undefined : input[within]
    const members = isObject(held) ? Object.entries(held) : []
    return {
      ...(isOwn && pick(parseQuery(search), (name) => own.has(name))),
      ...input,
      ...Object.fromEntries(
        members.map(([name, value]) => [own.has(name) ? name : `${within}[${name}]`, value]),
      ),
    }
  }
  const isCounted = parameters.style === 'page' || parameters.style === 'offset'
  const isFirst = (input: Input): boolean =>
    (token === undefined || (input[token] ?? '') === '') &&
    (before === undefined || (input[before] ?? '') === '') &&
    (isCounted
      ? offsetOf(parameters, input, 1, NO_ITEMS) === 0
      : parameters.at === undefined || (input[parameters.at] ?? '') === '')

  const sizeOf = (input: Input, total: number): number => {
    const usual = paging === undefined ? total : Math.min(parameters.usualSize, most)
    return Math.min(most, numberIn(input, parameters.size, usual, most))
  }
  const saysSize = (search: string): boolean =>
    parameters.size !== undefined && Object.hasOwn(parseQuery(search), parameters.size)
  // A size that only the parameter's default says gives way to that of the list.
  const sizeFor = ({ search }: HttpRequest, input: Input, { total, usualSize }: Listed): number => {
    const isDefault = usualSize !== undefined && !saysSize(search)
    return isDefault ? Math.min(most, usualSize) : sizeOf(input, total)
  }
  const headersOf = (facts: PageFacts): Record<string, string> => {
    const link = declared.has('link') ? linkHeader(facts) : undefined
    const totals = TOTAL_HEADERS.filter((name) => declared.has(name)).map((name) => [
      name,
      String(facts.total),
    ])
    return { ...Object.fromEntries(totals), ...(link !== undefined && { link }) }
  }
  return {
    shape,
    isPaged: paging !== undefined,
    isAboutList,
    saysHowMany: fields.length > 0 || TOTAL_HEADERS.some((name) => declared.has(name)),
    hasLink: declared.has('link'),
    usualSize: Math.min(parameters.usualSize, most),
    names: own,
    asks: ({ search }) => Object.keys(parseQuery(search)).some((name) => own.has(name)),
    isFirst: ({ search }, input) => isFirst(wanted(input, { search })) && !saysSize(search),
    need(given, call) {
      const input = wanted(given, call)
      const isNamed = parameters.style === 'cursor' && namesItems(parameters.tokens)
      if (parameters.style === 'after' || isNamed) return { kind: 'all' }
      const limit = sizeOf(input, most)
      return { kind: 'page', offset: offsetOf(parameters, input, limit, NO_ITEMS), limit }
    },
    withoutPage(input) {
      const others: Entries = {}
      for (const name of Object.keys(input)) if (!own.has(name)) setEntry(others, name, input[name])
      return others
    },
    page(call, given, listed, envelope) {
      const input = wanted(given, call)
      const wantedSize = listed.isAll === true ? listed.total : sizeFor(call, input, listed)
      const end = listed.isAll === true ? undefined : endOf(parameters, input, listed)
      const size = end === undefined ? wantedSize : Math.min(wantedSize, end)
      const offset =
        listed.isAll === true ? 0 : end === undefined ? offsetOf(parameters, input, size, listed) : end - size
      const items = listed.items(offset, size)
      const ownFacts = factsOf(parameters, call, listed, offset, size)
      // Who goes backwards is to know whether there is more in that direction.
      const facts = end === undefined ? ownFacts : { ...ownFacts, hasNext: ownFacts.hasPrevious }
      const headers = headersOf(facts)
      if (shape.path.length === 0) return { body: items, headers, facts }
      // The items are whole, and nothing of them is changed: only what is around them is a copy.
      const body = withMember(copyValue(withMember(envelope, shape.path, undefined)), shape.path, items)
      const hasTotal = parameters.total === undefined || input[parameters.total] === true
      for (const { path } of left) removeMember(body, path)
      if (shape.leavesOut === true && items.length === 0) removeMember(body, shape.path)
      writePageFields(body, fields, hasTotal ? facts : { ...facts, total: undefined }, checker)
      return { body, headers, facts }
    },
  }
}

function removeMember(body: Record<string, unknown>, path: readonly string[]): void {
  const holder = memberAt(body, path.slice(0, -1))
  if (isObject(holder)) delete holder[path.at(-1) ?? '']
}

/**
 * A list of which only the needed items are at hand.
 * @param options.show what is answered of items
 */
export function listedFrom(
  items: readonly StoredItem[],
  {
    total,
    counted,
    need,
    isAll = false,
    show = (some) => some,
  }: {
    readonly total: number
    readonly counted?: number | undefined
    readonly need: Need
    readonly isAll?: boolean
    readonly show?: (some: readonly StoredItem[]) => readonly StoredItem[]
  },
): Listed {
  const start = need.kind === 'page' ? need.offset : 0
  const part = (offset: number, limit: number): readonly StoredItem[] =>
    items.slice(Math.max(0, offset - start), Math.max(0, offset - start + limit))
  return {
    total,
    counted,
    isAll,
    items: (offset, limit) => show(part(offset, limit)).map(({ value }) => value),
  }
}

const TOTAL_HEADERS = ['x-total-count', 'x-total', 'total-count', 'x-total-items', 'x-pagination-total-count']

/**
 * The pager of an operation that describes several ways to ask for pages, as `page` with `page_size` beside `offset` with
 * `limit`: each request is answered in the one of which it names most parameters, or else in the first.
 */
function pagerOfSeveral(pagers: readonly [Pager, ...Pager[]]): Pager {
  const [first] = pagers
  const fittingFor = ({ search }: Pick<HttpRequest, 'search'>): Pager => {
    if (search === '') return first
    const named = Object.keys(parseQuery(search))
    const countOf = ({ names }: Pager): number => named.filter((name) => names.has(name)).length
    return pagers.reduce((best, pager) => (countOf(pager) > countOf(best) ? pager : best))
  }
  return {
    ...first,
    names: new Set(pagers.flatMap(({ names }) => [...names])),
    withoutPage: (input) => pagers.reduce((left, pager) => pager.withoutPage(left), input),
    asks: (call) => pagers.some((pager) => pager.asks(call)),
    isFirst: (call, input) => fittingFor(call).isFirst(call, input),
    need: (input, call) => fittingFor(call).need(input, call),
    page: (call, ...given) => fittingFor(call).page(call, ...given),
  }
}
