import { type PageField, pageFieldsOf } from '../../collections/paging/page-fields.ts'
import {
  isTotalName,
  type PageParameters,
  pageParametersOf,
  WHOLE,
} from '../../collections/paging/page-parameters.ts'
import type { PageTokenForm } from '../../engine/route-options.ts'
import { listShapeOf } from '../../engine/list-shape.ts'
import { canonicalText } from '../../engine/random.ts'
import { createFold } from '../../engine/schema/merge.ts'
import { createResolver, isObject, propertiesOf, type Schema } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import { factInHeaders, pageHeaders } from './page-headers.ts'
import { at, createWalk, endsNamed, type Facts, type Walk } from './page-walk.ts'
import { findTokenForm } from './page-tokens.ts'
import { pathOf, type Sample } from './sample.ts'
import { greatestOf } from '../../statistics.ts'

/** A list that is answered in pages. */
export interface Paging {
  readonly parameters: PageParameters
  /** The field of the answer that holds the list; `undefined` where the answer is the list. */
  readonly field: string | undefined
  readonly fields: readonly PageField[]
  /** Templates of headers that describe pages. */
  readonly headers: Readonly<Record<string, string>>
  /** What requests without other parameters saw of each list, by its concrete path. */
  readonly lists: ReadonlyMap<string, Walk>
  /** Whether requests with other parameters saw another list. */
  readonly varies: boolean
  /** Whether requests that do not ask for a page get the whole list. */
  readonly isWhole: boolean
  readonly exchanges: number
  /** How tokens are written; absent where none were given out. */
  readonly tokens: PageTokenForm | undefined
  /** The names of neighbours that are empty texts where there is none. */
  readonly empty: ReadonlySet<PageField>
  /** The ends of the list that every answer names, whether or not there are neighbours. */
  readonly ends: ReadonlySet<PageField>
  /** The parameter without which answers have no total. */
  readonly totalBy: string | undefined
  /** What those say that are called like the URL of the page, and are not. */
  readonly others: ReadonlyMap<PageField, readonly unknown[]>
}

/**
 * How a route answers in pages, from the names of its query parameters and fields, which are the engine's own, and from
 * whether the recorded pages are parts of one list; `undefined` where they are not.
 * @param input the model of the route's input
 * @param outputOf gives the model of the whole answer, which few need
 * @param idPath the names that lead to what names an item
 * @param isStored whether the list is known to be of items that are stored, so that it need not be in pages
 */
export function findPaging(
  samples: readonly Sample[],
  input: Schema | undefined,
  outputOf: () => Schema | undefined,
  { isStored, idPath }: { readonly isStored: boolean; readonly idPath?: readonly string[] | undefined },
): Paging | undefined {
  const requested = pageParametersOf({ parameters: parametersOf(input, samples) })
  const isUnpaged = requested === undefined || requested.style === 'limit'
  if (isUnpaged && !isStored) return undefined
  const output = outputOf()
  const shape = output && listShapeOf(output, '')
  if (output === undefined || shape === undefined || shape.path.length > 1) return undefined
  const [field] = shape.path
  const fold = createFold(createResolver(output))
  const envelope = fold(output)
  const fields = field === undefined || typeof envelope === 'boolean' ? [] : pageFieldsOf(envelope, fold)
  const pages = samples.filter(({ response }) => Array.isArray(listIn(response, field)))
  const named = requested ?? statedParameters(pages, fields, field) ?? WHOLE
  const facts: Facts = (sample, fact) => {
    const stated = fields.find((each) => each.fact === fact)
    return stated === undefined ? factInHeaders(sample, fact) : at(sample.response, stated.path)
  }
  const isToken = named.style === 'cursor' || named.style === 'after'
  const isStated =
    fields.some(({ fact }) => fact === 'next' || fact === 'hasNext') ||
    pages.some(
      (page) => page.responseHeaders['link'] !== undefined || factInHeaders(page, 'next') !== undefined,
    )
  if (isToken && !isStated && !isStored) return undefined
  const found = isToken && !isStated ? WHOLE : named
  const lengthOf = ({ response }: Sample): number => listIn(response, field)?.length ?? 0
  const asks = ({ query }: Sample): boolean =>
    Object.keys(query).some((name) => name === found.at || name === found.size || PART.test(name))
  const asking = pages.filter(asks)
  const bare = pages.filter((page) => !asks(page))
  const isWhole = areWhole(bare, pages, lengthOf, facts)
  const parameters = {
    ...found,
    firstPage: firstPageOf(pages, found, facts),
    firstOffset: firstOffsetOf(pages, found, facts),
    usualSize: usualSizeOf(isWhole ? asking : pages, found, field, facts),
  }
  const areLinked = bare.some(({ responseHeaders }) => responseHeaders['link'] !== undefined)
  const headers = pageHeaders(asking.length > 0 && !areLinked ? asking : pages)

  const own = new Set([found.at, found.size])
  const othersOf = ({ query }: Sample): string =>
    canonicalText(Object.fromEntries(Object.entries(query).filter(([name]) => !own.has(name))))
  const walks = [...groupBy(pages, (sample) => `${pathOf(sample)}?${othersOf(sample)}`).values()].map(
    (group) => ({
      path: pathOf(group[0] as Sample),
      hasOthers: othersOf(group[0] as Sample) !== '{}',
      walk: createWalk(group, parameters, {
        listOf: (sample) => listIn(sample.response, field) ?? [],
        factOf: facts,
        idPath,
        isAll: (sample) => isWhole && !asks(sample),
      }),
    }),
  )
  const agreed = walks.reduce((sum, { walk }) => sum + walk.agreed, 0)
  const broken = walks.reduce((sum, { walk }) => sum + walk.broken, 0)
  const isMoved = walks.some(({ walk }) => walk.positions > 1)
  if (isUnpaged && field === undefined && Object.keys(headers).length === 0) return undefined
  // What is stored may change between the pages of it.
  if (!isStored && (!isMoved || broken * 5 > agreed + broken)) return undefined
  return {
    parameters,
    field,
    fields,
    headers,
    lists: new Map(walks.filter(({ hasOthers }) => !hasOthers).map(({ path, walk }) => [path, walk])),
    varies: walks.some(({ hasOthers }) => hasOthers),
    isWhole,
    exchanges: pages.length,
    tokens: found.style === 'cursor' ? findTokenForm(walks.flatMap(({ walk }) => walk.given)) : undefined,
    empty: new Set(fields.filter(({ path }) => pages.some(({ response }) => at(response, path) === ''))),
    ends: endsNamed(fields, pages),
    totalBy: flagForTotal(pages, facts),
    others: new Map(
      fields
        .filter(
          (each) =>
            (each.fact === 'self' && !isOwnUrl(pages, each.path)) ||
            (each.fact === 'size' && found === WHOLE && isFixed(pages, each.path, lengthOf)),
        )
        .map((each) => [each, [...new Set(pages.map(({ response }) => at(response, each.path)))]]),
    ),
  }
}

// What pages are requested with that have a total, and others are not, such as `count=1`.
function flagForTotal(pages: readonly Sample[], facts: Facts): string | undefined {
  const hasTotal = (page: Sample): boolean => facts(page, 'total') !== undefined
  const counted = pages.find(hasTotal)
  if (counted === undefined || pages.every(hasTotal)) return undefined
  return Object.keys(counted.query).find(
    (name) =>
      isTotalName(name) &&
      pages.every((page) => hasTotal(page) === /^(1|true|yes|on)$/i.test(String(page.query[name]))),
  )
}

// Answers that say which part of the list they are, though none was requested, say by which names one is.
function statedParameters(
  pages: readonly Sample[],
  fields: readonly PageField[],
  list: string | undefined,
): PageParameters | undefined {
  const own = fields.filter(({ fact, path }) => path.length === 1 && (fact === 'size' || fact === 'offset'))
  const [size] = own.filter(({ fact }) => fact === 'size')
  const sizes = new Set(pages.map(({ response }) => size && at(response, size.path)))
  const [most, ...others] = sizes
  const isStated =
    own.length === 2 &&
    others.length === 0 &&
    typeof most === 'number' &&
    pages.every(({ response }) => (listIn(response, list)?.length ?? 0) <= most)
  if (!isStated) return undefined
  const parameters = own.map(({ path: [name = ''] }) => ({
    name,
    in: 'query' as const,
    model: { type: 'integer' },
  }))
  return pageParametersOf({ parameters })
}

// A size that is always the same, and no list is longer, though no request can ask for pages.
function isFixed(
  pages: readonly Sample[],
  path: readonly string[],
  lengthOf: (page: Sample) => number,
): boolean {
  const [size, ...others] = new Set(pages.map(({ response }) => at(response, path)))
  return typeof size === 'number' && others.length === 0 && pages.every((page) => lengthOf(page) < size)
}

// What is called so may be the URL of something else, such as that of the list without its parameters.
function isOwnUrl(pages: readonly Sample[], path: readonly string[]): boolean {
  return pages.every((page) => {
    const text = at(page.response, path)
    if (typeof text !== 'string' || !URL.canParse(text, page.origin)) return false
    const { pathname, searchParams } = new URL(text, page.origin)
    const query = Object.fromEntries(searchParams)
    const own = new URL(pathOf(page), page.origin)
    return own.pathname === pathname && canonicalText(query) === canonicalText(page.query)
  })
}

/** The list of an answer. */
function listIn(response: unknown, field: string | undefined): readonly unknown[] | undefined {
  const list = field === undefined ? response : isObject(response) ? response[field] : undefined
  return Array.isArray(list) ? (list as readonly unknown[]) : undefined
}

/** The query parameters as the engine's pages read them: those that hold tokens are texts, whatever they look like. */
function parametersOf(
  input: Schema | undefined,
  samples: readonly Sample[],
): { name: string; in: 'query'; model: Schema }[] {
  const requested = new Set(samples.flatMap(({ query }) => Object.keys(query)))
  return propertiesOf(input ?? {}).flatMap(([name, model]) => {
    const isToken = /cursor|token|marker|contin|after/i.test(name)
    if (!requested.has(name) || !isObject(model)) return []
    return [{ name, in: 'query' as const, model: isToken ? { type: 'string' } : model }]
  })
}

// Pages are counted from 0 where one was requested by that number, or an answer to no number says it has that.
function firstPageOf(pages: readonly Sample[], { style, at: name }: PageParameters, facts: Facts): number {
  if (style !== 'page' || name === undefined) return 1
  const isZero = pages.some((sample) => {
    const number = sample.query[name]
    return number === undefined ? facts(sample, 'page') === 0 : number === '0'
  })
  return isZero ? 0 : 1
}

// Items are counted from 1 where an answer to no offset says that it begins there.
function firstOffsetOf(
  pages: readonly Sample[],
  { style, at: name }: PageParameters,
  facts: Facts,
): PageParameters['firstOffset'] {
  if (style !== 'offset' || name === undefined) return 0
  const isOne = pages.some((sample) => sample.query[name] === undefined && facts(sample, 'offset') === 1)
  return isOne && !pages.some(({ query }) => query[name] === '0') ? 1 : 0
}

// What an answer says its size is, else the longest page of those that did not request one.
function usualSizeOf(
  pages: readonly Sample[],
  { size, usualSize }: PageParameters,
  field: string | undefined,
  facts: Facts,
): number {
  const unsized = pages.filter(({ query }) => size === undefined || query[size] === undefined)
  const stated = unsized.map((sample) => facts(sample, 'size')).find((value) => typeof value === 'number')
  if (typeof stated === 'number' && stated > 0) return stated
  const longest = Math.max(0, ...unsized.map(({ response }) => listIn(response, field)?.length ?? 0))
  return longest > 0 ? longest : usualSize
}

/** Parameters that ask for a part in another way than by pages. */
const PART = /^_?(start|end|offset|skip|range)$/i

/** Lengths that are more likely to be a page's than a whole list's. */
const ROUND = new Set([5, 10, 12, 15, 20, 24, 25, 30, 40, 50, 60, 64, 80, 100, 200, 250, 500, 1000])

// Where those that request no page got no next one, and the longest is not of a page's usual length.
function areWhole(
  bare: readonly Sample[],
  pages: readonly Sample[],
  lengthOf: (page: Sample) => number,
  facts: Facts,
): boolean {
  const hasMore = (page: Sample): boolean => {
    const [next, total] = [facts(page, 'next'), facts(page, 'total')]
    const isStated = typeof next === 'string' || typeof next === 'number' || facts(page, 'hasNext') === true
    return (
      isStated ||
      (typeof total === 'number' && total > lengthOf(page)) ||
      /rel="?next/.test(page.responseHeaders['link'] ?? '')
    )
  }
  // A list that is shorter than the page that it is said to be on.
  const isPage = (page: Sample): boolean => Number(facts(page, 'size')) > lengthOf(page)
  if (bare.length === 0 || bare.some((page) => hasMore(page) || isPage(page))) return false
  // An answer that says it has all need not be a page that happens to be full.
  const saysAll = (page: Sample): boolean =>
    facts(page, 'hasNext') === false ||
    facts(page, 'next') === null ||
    facts(page, 'total') === lengthOf(page)
  const longest = greatestOf(bare.map(lengthOf))
  return (!ROUND.has(longest) || bare.every(saysAll)) && pages.every((page) => lengthOf(page) <= longest)
}
