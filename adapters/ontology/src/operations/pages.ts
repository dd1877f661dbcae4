import { ApiError } from '../errors.ts'
import type { ObjectSet } from '../object-set/object-set.ts'
import type { OntologyObject } from '../ontology/model.ts'
import type { Call, OntologyVisit } from './call.ts'
import { readToken, tokenRefused, writeToken } from './page-token.ts'
import type { Order } from '../page/order.ts'
import { type PageLimits, pageSizeOf } from '../page/page-size.ts'
import { sliceAfter } from '../page/slice.ts'

/** A page of objects as it was asked for. */
export interface PageRequest {
  readonly token: unknown
  readonly pageSize: unknown
  readonly isSnapshot: boolean
  /** All that must stay the same from page to page. */
  readonly parameters: unknown
  readonly limits: PageLimits
}

/** A page that is about to be read. */
export interface OpenPage {
  /** The moment at which the ontology is to be looked at. */
  readonly moment: number
  close(set: ObjectSet, orders: readonly Order[]): ClosedPage
}

export interface ClosedPage {
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
export const openPage = ({ visit, ontology }: Call, request: PageRequest): OpenPage => {
  const { pages, config } = visit
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
      const { objects, hasMore } = sliceAfter(set.objects, orders, last, size)
      const end = objects.at(-1)
      const nextPageToken =
        hasMore && end !== undefined
          ? writeToken(visit, { position: [end.ordinal, moment], parameters, revision: set.revision })
          : undefined
      return { objects, nextPageToken }
    },
  }
}

/** All of a query but what names the page. */
export const queryParameters = ({ query, params }: OntologyVisit): unknown => ({
  params,
  query: [...query].filter(([name]) => name !== 'pageToken'),
})

/** All of a body but what names the page. */
export const bodyParameters = (
  { params }: OntologyVisit,
  body: Readonly<Record<string, unknown>>,
): unknown => ({
  params,
  body: Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'pageToken')),
})

/** A page of descriptions, which change only when the adapter is made anew. */
export const pageOfTypes = <Item>(
  visit: OntologyVisit,
  items: readonly Item[],
  limits: PageLimits,
  describe: (item: Item) => unknown,
): { readonly data: readonly unknown[]; readonly nextPageToken?: string } => {
  const { query, pages } = visit
  const size = pageSizeOf(query.get('pageSize'), limits)
  const expected = { parameters: queryParameters(visit), revision: items.length }
  const token = query.get('pageToken')
  const start = token === null ? 0 : Number(readToken(pages, token, expected.parameters).position)
  const end = start + size
  return {
    data: items.slice(start, end).map(describe),
    ...(end < items.length && { nextPageToken: writeToken(visit, { ...expected, position: end }) }),
  }
}
