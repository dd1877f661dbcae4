import type { Visit } from 'sim-gateway/adapter'
import type { Listing, Place } from './listing.ts'

/** What one page is of. */
export interface PageRequest<Item> {
  readonly listing: Listing<Item>
  readonly limit: number
  readonly token: string | null | undefined
  /** What must be the same on every page, such as the filters. */
  readonly parameters: unknown
  readonly matches?: (item: Item) => boolean
  /** How many to leave out before the first page. */
  readonly offset?: number
}

/** One page; tokens are there only where another page is. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next_page_token?: string
  readonly prev_page_token?: string
}

// A place stays true whatever comes and goes, so that no token is ever stale.
const REVISION = 0

interface Position {
  readonly place: Place
  readonly isBackward: boolean
}

/** The page that a token names, or the first. Items that come and go between pages neither repeat nor hide others. */
export function pageOf<Item>(visit: Pick<Visit<unknown>, 'pages'>, request: PageRequest<Item>): Page<Item> {
  const { listing, limit, parameters, matches = () => true, offset = 0 } = request
  const from = request.token ? readPosition(visit, request.token, parameters) : undefined
  const walk = from?.isBackward === true ? listing.before(from.place) : listing.after(from?.place)
  const found = takeFrom(walk, matches, from ? 0 : offset, limit + 1)
  const hasMore = found.length > limit
  const items = found.slice(0, limit)
  if (from?.isBackward === true) items.reverse()
  const [first, last] = [items[0], items.at(-1)]
  if (first === undefined || last === undefined) return { items }

  const tokenOf = (item: Item, isBackward: boolean): string =>
    visit.pages.encode({
      position: { place: listing.placeOf(item), isBackward },
      parameters,
      revision: REVISION,
    })
  const isAfterStart = (from !== undefined && !from.isBackward) || offset > 0
  const hasNext = from?.isBackward === true || hasMore
  const hasPrevious =
    from?.isBackward === true
      ? hasMore
      : isAfterStart && hasAny(listing.before(listing.placeOf(first)), matches)
  return {
    items,
    ...(hasNext && { next_page_token: tokenOf(last, false) }),
    ...(hasPrevious && { prev_page_token: tokenOf(first, true) }),
  }
}

function readPosition(
  { pages }: Pick<Visit<unknown>, 'pages'>,
  token: string,
  parameters: unknown,
): Position {
  return pages.decode(token, { parameters }).position as Position
}

function takeFrom<Item>(
  walk: Iterable<Item>,
  matches: (item: Item) => boolean,
  skip: number,
  count: number,
): Item[] {
  const found: Item[] = []
  let skipped = 0
  for (const item of walk) {
    if (!matches(item)) continue
    if (skipped < skip) skipped += 1
    else if (found.push(item) >= count) break
  }
  return found
}

function hasAny<Item>(walk: Iterable<Item>, matches: (item: Item) => boolean): boolean {
  for (const item of walk) if (matches(item)) return true
  return false
}
