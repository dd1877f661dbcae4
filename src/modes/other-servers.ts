import type { RouteDefinition } from '../engine/route.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { AppEngine } from '../simulation/engine.ts'

/** Takes requests below another server of a description to its routes; says whether one was. */
export type TakeFromOtherServer = (exchange: Exchange) => boolean

/**
 * Makes what finds routes below the base paths of servers that their description names besides the first; `undefined`
 * where there are none. What a declared path answers is left to it.
 */
export function createOtherServers({ routes, allowed }: AppEngine): TakeFromOtherServer | undefined {
  const moves = movesOf(routes)
  if (moves.length === 0) return undefined
  return (exchange) => {
    const { path, host, scheme, headers, search } = exchange
    const request = { host, scheme, headers, search }
    for (const { from, to } of moves) {
      if (path !== from && !path.startsWith(`${from}/`)) continue
      const moved = `${to}${path.slice(from.length)}`
      if (allowed({ ...request, path: moved }).length === 0) continue
      exchange.requestedPath ??= path
      exchange.path = moved
      return true
    }
    return false
  }
}

interface Move {
  readonly from: string
  readonly to: string
}

// The longest first, since a server may be below another.
function movesOf(routes: readonly RouteDefinition[]): readonly Move[] {
  const moves = new Map<string, Move>()
  for (const { operation } of routes)
    for (const from of operation?.otherBasePaths ?? []) {
      const to = operation?.basePath ?? ''
      moves.set(`${from} ${to}`, { from, to })
    }
  return [...moves.values()].toSorted((a, b) => b.from.length - a.from.length)
}
