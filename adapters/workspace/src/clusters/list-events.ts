import { invalid } from '../errors.ts'
import { bodyOf, optionalInteger, optionalList, optionalText, requiredText, type Body } from '../fields.ts'
import { type Listing, pageOf, sortedBy } from 'sim-gateway/adapter'
import type { ClusterEvent } from './cluster.ts'
import { permittedCluster, type ClusterVisit } from './slice.ts'

const USUAL_PAGE = 50
const LARGEST_PAGE = 500

/** The events of a cluster; clients ask for the next page by sending `next_page` as it is. */
export function listEvents(visit: ClusterVisit): unknown {
  const body = bodyOf(visit)
  const id = requiredText(body, 'cluster_id')
  const { events } = permittedCluster(visit, id, 'CAN_ATTACH_TO')
  const order = optionalText(body, 'order') ?? 'DESC'
  if (order !== 'ASC' && order !== 'DESC') throw invalid(`order must be ASC or DESC, not '${order}'.`)
  const matches = matcherOf(body)
  const listing = sortedBy(events, ({ sequence }) => [sequence], { descending: order === 'DESC' })
  const isByOffset = body['limit'] !== undefined || body['offset'] !== undefined
  const page = isByOffset ? pageByOffset(body, listing, matches) : pageByToken(visit, body, listing, matches)
  const isFirst = !optionalText(body, 'page_token')
  return {
    events: page.items.map(({ timestamp, type, details }) => ({ cluster_id: id, timestamp, type, details })),
    ...page.rest,
    total_count: isFirst ? events.filter(matches).length : 0,
  }
}

interface EventsPage {
  readonly items: readonly ClusterEvent[]
  readonly rest: Body
}

type Matches = (event: ClusterEvent) => boolean

function matcherOf(body: Body): Matches {
  const types = optionalList(body, 'event_types') ?? []
  const [from, to] = [optionalInteger(body, 'start_time') ?? 0, optionalInteger(body, 'end_time') ?? 0]
  return ({ type, timestamp }) =>
    (types.length === 0 || types.includes(type)) && timestamp >= from && (to === 0 || timestamp <= to)
}

function pageByToken(
  visit: ClusterVisit,
  body: Body,
  listing: Listing<ClusterEvent>,
  matches: Matches,
): EventsPage {
  const { page_token, page_size: _size, ...parameters } = body
  const size = Math.min(optionalInteger(body, 'page_size') ?? 0, LARGEST_PAGE)
  const token = page_token as string | undefined
  const limit = size <= 0 ? USUAL_PAGE : size
  const { items, ...tokens } = pageOf(visit, { listing, limit, token, parameters, matches })
  const { next_page_token: next } = tokens
  return {
    items,
    rest: { ...(next !== undefined && { next_page: { ...body, page_token: next } }), ...tokens },
  }
}

function pageByOffset(body: Body, listing: Listing<ClusterEvent>, matches: Matches): EventsPage {
  const offset = Math.max(0, optionalInteger(body, 'offset') ?? 0)
  const limit = Math.min(Math.max(1, optionalInteger(body, 'limit') ?? USUAL_PAGE), LARGEST_PAGE)
  const all = [...listing.after(undefined)].filter(matches)
  const hasMore = offset + limit < all.length
  return {
    items: all.slice(offset, offset + limit),
    rest: hasMore ? { next_page: { ...body, offset: offset + limit, limit } } : {},
  }
}
