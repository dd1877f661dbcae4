import type { HttpRequest } from '../../message.ts'
import { parseQuery } from '../../engine/query.ts'
import type { Pager } from './pager.ts'

/**
 * The pager of an operation that describes several ways to ask for pages, as `page` with `page_size` beside `offset` with
 * `limit`: each request is answered in the one of which it names most parameters, or else in the first.
 */
export function eitherWay(ways: readonly [Pager, ...Pager[]]): Pager {
  const [first] = ways
  const wayOf = ({ search }: Pick<HttpRequest, 'search'>): Pager => {
    if (search === '') return first
    const named = Object.keys(parseQuery(search))
    const countOf = ({ names }: Pager): number => named.filter((name) => names.has(name)).length
    return ways.reduce((best, way) => (countOf(way) > countOf(best) ? way : best))
  }
  return {
    ...first,
    names: new Set(ways.flatMap(({ names }) => [...names])),
    withoutPage: (input) => ways.reduce((left, way) => way.withoutPage(left), input),
    asks: (call) => ways.some((way) => way.asks(call)),
    isFirst: (call, input) => wayOf(call).isFirst(call, input),
    need: (input, call) => wayOf(call).need(input, call),
    page: (call, ...given) => wayOf(call).page(call, ...given),
  }
}
