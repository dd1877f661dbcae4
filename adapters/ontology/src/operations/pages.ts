import {
  oldestFirst,
  Ordered,
  pageAfter,
  type PagePlace,
  type PageTokens,
  type ReadPage,
  type Slice,
  type VirtualClock,
} from 'sim-gateway/adapter'
import TinyQueue from 'tinyqueue'
import { ApiError } from '../errors.ts'
import type { ObjectSet } from '../object-set/object-set.ts'
import type { OntologyObject } from '../ontology/model.ts'
import type { Call, OntologyContext } from './define.ts'
import { createComparison, createRanker, type Order } from './order.ts'

/** How many there are on a page when the request does not say, and at most. Asking for more is not an error. */
interface PageLimits {
  readonly usual: number
  readonly most: number
}

export const OBJECT_PAGES: PageLimits = { usual: 1000, most: 10_000 }
export const TYPE_PAGES: PageLimits = { usual: 500, most: 1000 }
export const QUERY_PAGES: PageLimits = { usual: 100, most: 1000 }

/** The size of a page as it was requested. */
const pageSizeOf = (given: unknown, { usual, most }: PageLimits): number => {
  if (given === undefined || given === null) return usual
  const size = typeof given === 'string' && /^-?\d+$/.test(given) ? Number(given) : given
  if (typeof size !== 'number' || !Number.isInteger(size) || size <= 0) {
    throw new ApiError('InvalidPageSize', { pageSize: size }, 'a page size is a whole number above 0')
  }
  return Math.min(size, most)
}

type Compare<Item> = (left: Item, right: Item) => number

const FEW = 4

/** The first items in an order, sorted. A few of many are found without sorting the rest. */
export const firstOf = <Item>(items: readonly Item[], count: number, compare: Compare<Item>): Item[] => {
  if (count * FEW >= items.length) return items.toSorted(compare).slice(0, count)
  const greatest = new TinyQueue<Item>([], (left, right) => compare(right, left))
  for (const item of items) {
    if (greatest.length === count && compare(item, greatest.peek() as Item) >= 0) continue
    if (greatest.length === count) greatest.pop()
    if (greatest.length < count) greatest.push(item)
  }
  return greatest.data.toSorted(compare)
}

/**
 * The page that follows an object in an order, or the first one. The place of a page is an object and no number,
 * so what is added meanwhile neither repeats nor skips any object.
 */
const sliceAfter = (
  objects: readonly OntologyObject[],
  orders: readonly Order[],
  last: OntologyObject | undefined,
  size: number,
): Slice<OntologyObject> => {
  if (orders.length === 0) return pageAfter(oldestFirst(new Ordered(objects)), last?.sequence, size)
  const rank = createRanker(orders)
  const compare = createComparison(orders)
  const ranked = objects.map(rank)
  const from = last === undefined ? undefined : rank(last)
  const rest = from === undefined ? ranked : ranked.filter((each) => compare(each, from) > 0)
  const first = firstOf(rest, size + 1, compare)
  return { items: first.slice(0, size).map(({ object }) => object), hasMore: first.length > size }
}

const DAY_MS = 86_400_000

/** The refusal of a page token. */
const tokenRefused = (pageToken: unknown, reason: string): ApiError =>
  new ApiError('InvalidPageToken', { pageToken }, reason)

/** Reads a page token; one that was altered, or made for anything else, is refused. */
const readToken = (pages: PageTokens, token: unknown, parameters: unknown): ReadPage => {
  try {
    return pages.decode(token, { parameters })
  } catch (error) {
    if (!(error instanceof Error) || error.message !== 'page-token') throw error
    throw tokenRefused(token, 'it was not made by this operation for these parameters, or its time is over')
  }
}

/** Writes a page token, which is good for a day of the virtual clock. */
const writeToken = (
  { pages, clock }: { readonly pages: PageTokens; readonly clock: VirtualClock },
  place: Omit<PagePlace, 'expiresAt'>,
): string => pages.encode({ ...place, expiresAt: clock.now() + DAY_MS })

/** A page of objects as it was requested. */
export interface PageRequest {
  readonly token: unknown
  readonly pageSize: unknown
  readonly isSnapshot: boolean
  /** All that must stay the same from page to page. */
  readonly parameters: unknown
  readonly limits: PageLimits
}

/** A page that is about to be read. */
interface OpenPage {
  /** The moment at which the ontology is to be looked at. */
  readonly moment: number
  close(set: ObjectSet, orders: readonly Order[]): ClosedPage
}

interface ClosedPage {
  readonly objects: readonly OntologyObject[]
  readonly nextPageToken: string | undefined
}

const STALE = 'what it pages through has changed since; begin again, or configure `consistency: continue`'

interface Position {
  /** The last object of the page before. */
  readonly last: number
  readonly moment: number
}

const readPosition = (position: unknown): Position => {
  const [last, moment] = position as readonly [number, number]
  return { last, moment }
}

/**
 * Reads where a page of objects begins. A page of a snapshot looks at the ontology as it was on the first page;
 * any other is refused when what it pages through has changed, unless the configuration says to go on.
 */
export const openPage = ({ context, ontology }: Call, request: PageRequest): OpenPage => {
  const { pages, config } = context
  const { token, isSnapshot, parameters } = request
  const size = pageSizeOf(request.pageSize, request.limits)
  const read = token === undefined || token === null ? undefined : readToken(pages, token, parameters)
  const place = read && readPosition(read.position)
  if (place !== undefined && isSnapshot && place.moment > ontology.moment)
    throw new ApiError('ConsistentSnapshotError')
  const moment = isSnapshot ? (place?.moment ?? ontology.moment) : ontology.moment
  return {
    moment,
    close(set, orders) {
      const isStale = read !== undefined && !isSnapshot && read.revision !== set.revision
      const last = place && ontology.objects[place.last]
      if (place !== undefined && last === undefined) throw tokenRefused(token, STALE)
      if (isStale && (config.consistency ?? 'reject') === 'reject') throw tokenRefused(token, STALE)
      const { items: objects, hasMore } = sliceAfter(set.objects, orders, last, size)
      const end = objects.at(-1)
      const nextPageToken =
        hasMore && end !== undefined
          ? writeToken(context, { position: [end.sequence, moment], parameters, revision: set.revision })
          : undefined
      return { objects, nextPageToken }
    },
  }
}

/** All of a query but what names the page. */
export const queryParameters = ({ query, params }: OntologyContext): unknown => ({
  params,
  query: [...query].filter(([name]) => name !== 'pageToken'),
})

/** All of a body but what names the page. */
export const bodyParameters = (
  { params }: OntologyContext,
  body: Readonly<Record<string, unknown>>,
): unknown => ({
  params,
  body: Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'pageToken')),
})

/** A page of descriptions, which change only when the adapter is made anew. */
export const pageOfTypes = <Item>(
  context: OntologyContext,
  items: readonly Item[],
  limits: PageLimits,
  describe: (item: Item) => unknown,
): { readonly data: readonly unknown[]; readonly nextPageToken?: string } => {
  const { query, pages } = context
  const size = pageSizeOf(query.get('pageSize'), limits)
  const expected = { parameters: queryParameters(context), revision: items.length }
  const token = query.get('pageToken')
  const start = token === null ? 0 : Number(readToken(pages, token, expected.parameters).position)
  const end = start + size
  return {
    data: items.slice(start, end).map(describe),
    ...(end < items.length && { nextPageToken: writeToken(context, { ...expected, position: end }) }),
  }
}
