import type { HttpRequest } from '../message.ts'
import { hostOfCall, readHostPattern, type HostPattern } from './host.ts'
import { createRouteTable, type Match, type RouteTable } from './route-table.ts'
import type { RouteDefinition } from '../engine/route.ts'

/** What of a call decides which route answers it. */
export type Asked = Pick<HttpRequest, 'method' | 'path'> & Partial<Pick<HttpRequest, 'host' | 'scheme'>>

/** Finds routes by host, method and path. */
export interface HostTable {
  match(call: Asked): Match | undefined
  /** The methods that a path is declared with on a host; empty for an unknown path. */
  allowed(call: Omit<Asked, 'method'>): readonly string[]
}

/** A route of the most specific host wins, and one without a host comes last; among equals the path decides. */
export function createHostTable(routes: readonly RouteDefinition[]): HostTable {
  const hosts = [...new Set(routes.map(({ options }) => options.host))]
  const tables = hosts
    .map((host) => ({
      pattern: host === undefined ? undefined : readHostPattern(host),
      table: createRouteTable(routes.filter(({ options }) => options.host === host)),
    }))
    .toSorted((a, b) => (b.pattern?.weight ?? -1) - (a.pattern?.weight ?? -1))
  const isPlain = tables.every(({ pattern }) => pattern === undefined)
  const every = tables.map(({ table }) => table)

  const tablesOf = (call: Omit<Asked, 'method'>): readonly RouteTable[] => {
    if (isPlain) return every
    const host = hostOfCall(call)
    const fits = (pattern?: HostPattern): boolean =>
      pattern === undefined || (host && pattern.matches(host)) === true
    return tables.filter(({ pattern }) => fits(pattern)).map(({ table }) => table)
  }

  return {
    match(call) {
      for (const table of tablesOf(call)) {
        const match = table.match(call.method, call.path)
        if (match !== undefined) return match
      }
      return undefined
    },
    allowed(call) {
      const methods = tablesOf(call).flatMap((table) => table.allowed(call.path))
      return [...new Set(methods)]
    },
  }
}
