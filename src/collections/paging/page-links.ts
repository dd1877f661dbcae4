import { lazy } from '../../engine/lazy.ts'
import { parseQuery } from '../../engine/query.ts'
import { WrittenValue } from '../../engine/schema/written-value.ts'
import { memberAt } from '../../engine/schema/member.ts'
import type { HttpRequest } from '../../message.ts'
import type { Neighbour, PageFacts } from './page-fields.ts'
import type { PageParameters } from './page-parameters.ts'
import { namesItems, pageToken } from './page-token.ts'

/** The list that pages are taken from. */
export interface Listed {
  readonly total: number
  /** How many answers say that there are. Default: those. */
  readonly counted?: number | undefined
  /** Whether the request is answered with all items that are at hand. */
  readonly isAll?: boolean
  /** How many are on a page whose request does not say. Default: that of the operation. */
  readonly usualSize?: number
  /** Its items from `offset`, `limit` at most. */
  items(offset: number, limit: number): readonly unknown[]
}

/** What is true of the page at an offset, and how a request would ask for its neighbours. */
export function factsOf(
  parameters: PageParameters,
  call: HttpRequest,
  { total, counted = total, items }: Listed,
  offset: number,
  size: number,
): PageFacts {
  const { style, firstPage, firstOffset, idPath, tokens, isOwn = false, token } = parameters
  const lastOffset = size === 0 ? 0 : Math.max(0, Math.ceil(total / size) - 1) * size
  const before = (at: number): string => idOf(items(at - 1, 1)[0], idPath)
  const pageAt = (at: number): number => (at === 0 ? 0 : at / size) + firstPage
  const tokenAt = (at: number): string =>
    style === 'after'
      ? before(at)
      : pageToken({ offset: at, page: pageAt(at), ...(namesItems(tokens) && { id: before(at) }) }, tokens)
  const own = new LazyNeighbour(undefined, NO_TOKEN, () => urlWithSearch(call, call.search))
  const neighbour = (at: number): Neighbour => {
    // No request gets another part of such a list.
    if (style === 'limit') return at === 0 ? own : NONE
    if (style !== 'page' && style !== 'offset')
      return new LazyNeighbour(undefined, isOwn ? NO_TOKEN : lazy(() => tokenAt(at)), (given = tokenAt(at)) =>
        urlWith(call, parameters.at, at === 0 ? '' : given),
      )
    const number = style === 'page' ? pageAt(at) : at + firstOffset
    const isBare =
      at === 0 && style !== 'page' && !Object.hasOwn(parseQuery(call.search), parameters.at ?? '')
    const text = isBare ? '' : String(number)
    if (token === undefined)
      return new LazyNeighbour(number, NO_TOKEN, () => urlWith(call, parameters.at, text))
    const isByToken = Object.hasOwn(parseQuery(call.search), token)
    return new LazyNeighbour(
      number,
      lazy(() => tokenAt(at)),
      (given) => (isByToken ? urlWith(call, token, given ?? '') : urlWith(call, parameters.at, text)),
    )
  }
  const hasNext = size > 0 && offset + size < total && style !== 'limit'
  const hasPrevious = size > 0 && offset > 0
  const hasEnds = size > 0 || total === 0
  return {
    total: counted,
    shown: Math.max(0, Math.min(size, total - offset)),
    totalPages: size === 0 ? 0 : Math.ceil(total / size),
    page: (size === 0 ? 0 : Math.floor(offset / size)) + firstPage,
    size,
    offset: offset + firstOffset,
    hasNext: size > 0 && offset + size < total,
    hasPrevious,
    isFirst: !hasPrevious,
    isLast: size === 0 || offset + size >= total,
    next: hasNext ? neighbour(offset + size) : {},
    previous: hasPrevious ? neighbour(Math.min(lastOffset, Math.max(0, offset - size))) : {},
    first: hasEnds ? neighbour(0) : {},
    last: hasEnds ? neighbour(lastOffset) : {},
    self: own,
    get firstItem() {
      return itemNamed(items(offset, Math.min(1, size))[0], idPath)
    },
    get lastItem() {
      return itemNamed(items(offset, size).at(-1), idPath)
    },
  }
}

function itemNamed(item: unknown, path: readonly string[] | undefined): Neighbour {
  const id = item === undefined ? undefined : idValueOf(item, path)
  return typeof id === 'number' ? { number: id } : { token: id }
}

const NONE: Neighbour = {}

const NO_TOKEN = (): undefined => undefined

/** A page whose token and URL are written for those alone who ask for them. */
class LazyNeighbour implements Neighbour {
  readonly number: number | undefined
  readonly #tokenOf: () => string | undefined
  readonly #urlOf: (token: string | undefined) => string

  constructor(
    number: number | undefined,
    tokenOf: () => string | undefined,
    urlOf: (token: string | undefined) => string,
  ) {
    this.number = number
    this.#tokenOf = tokenOf
    this.#urlOf = urlOf
  }

  get token(): string | undefined {
    return this.#tokenOf()
  }

  get url(): string {
    return this.#urlOf(this.token)
  }
}

/** What names an item. */
export function idOf(item: unknown, path?: readonly string[]): string {
  return String(idValueOf(item, path) ?? '')
}

function idValueOf(item: unknown, path: readonly string[] = ['id']): string | number | undefined {
  const id = memberAt(item instanceof WrittenValue ? item.toJSON() : item, path)
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

/** A call's own URL at the gateway's address. */
export function urlOfCall({
  scheme,
  host,
  prefix = '',
  path,
}: Pick<HttpRequest, 'scheme' | 'host' | 'prefix' | 'path'>): string {
  return `${scheme}://${host}${prefix}${path}`
}

function urlWith(call: HttpRequest, at: string | undefined, text: string): string {
  const query = new URLSearchParams(call.search)
  if (at !== undefined && text === '') query.delete(at)
  else if (at !== undefined) query.set(at, text)
  return urlWithSearch(call, query.toString())
}

function urlWithSearch(call: HttpRequest, search: string): string {
  return search === '' ? urlOfCall(call) : `${urlOfCall(call)}?${search}`
}

/** The relations of a `Link` header, in their order; `?` after one leaves it out where it is the page itself. */
const RELATIONS = 'prev next last? first?'

/**
 * A `Link` header (RFC 8288) to other pages of the same list; `undefined` where there are none.
 * @param relations names of relations with spaces between them; a `?` leaves out that of the page itself
 */
export function linkHeader(facts: PageFacts, relations = RELATIONS): string | undefined {
  const { next, previous, first, last, hasNext, hasPrevious } = facts
  const isOnly = !hasNext && !hasPrevious
  const pages: Readonly<Record<string, Neighbour>> = {
    prev: hasPrevious ? previous : {},
    next: hasNext ? next : {},
    'last?': hasNext ? last : {},
    'first?': hasPrevious ? first : {},
    last: isOnly ? {} : last,
    first: isOnly ? {} : first,
  }
  const links = relations.split(' ').flatMap((relation) => {
    const url = pages[relation]?.url
    return url === undefined ? [] : [`<${url}>; rel="${relation.replace('?', '')}"`]
  })
  return links.length === 0 ? undefined : links.join(', ')
}
