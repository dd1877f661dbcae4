import type { Input } from './input.ts'
import { outputKind } from './output.ts'
import type { RouteDefinition } from './route.ts'

/** The most items a request can ask for in one list. */
export const MAX_ITEMS = 10_000
const DEFAULT_ITEMS = 5
const DEFAULT_TOTAL = 100
const DEFAULT_LIMIT = 10

/** What of a list an input asks for by its `limit` and `offset`. */
export interface ListRange {
  readonly limit: number
  readonly offset: number
  /** How many items there are from `offset` on, up to `limit`. */
  readonly count: number
}

/** The range of a list of `total` items that an input asks for. */
export function rangeOf(input: Input, total: number): ListRange {
  const limit = bounded(input['limit'], DEFAULT_LIMIT, MAX_ITEMS)
  const offset = bounded(input['offset'], 0, Number.MAX_SAFE_INTEGER)
  return { limit, offset, count: Math.max(0, Math.min(limit, total - offset)) }
}

/** How many items a route's list has, all of its pages together; a count that the request names is bounded. */
export function countOf(route: RouteDefinition, input: Input): number {
  const { listCount, output } = route.options
  const usual = outputKind(output) === 'page' ? DEFAULT_TOTAL : DEFAULT_ITEMS
  const requested = typeof listCount === 'string' ? input[listCount] : listCount
  const count = typeof listCount === 'string' ? bounded(requested, usual, MAX_ITEMS) : (listCount ?? usual)
  const least = leastOf(route)
  const most = typeof output?.['maxItems'] === 'number' ? output['maxItems'] : Infinity
  return Math.max(least, Math.min(most, count))
}

function leastOf({ options: { output } }: RouteDefinition): number {
  return typeof output?.['minItems'] === 'number' ? output['minItems'] : 0
}

/** How many items an answer has whose request does not say, an item itself being one. */
export function usualCountOf(route: RouteDefinition): number {
  const kind = outputKind(route.options.output)
  if (kind === 'single' || kind === 'none') return 1
  const items = Math.min(countOf(route, {}), kind === 'page' ? DEFAULT_LIMIT : Infinity)
  return Math.max(1, Math.min(items, Math.max(DEFAULT_LIMIT, leastOf(route))))
}

/** A whole number of an input, within bounds; `usual` where there is none. */
export function bounded(value: unknown, usual: number, most: number): number {
  const number = value === undefined || value === null || value === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? Math.min(most, Math.max(0, Math.trunc(number))) : usual
}
