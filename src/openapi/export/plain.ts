import type { RouteDefinition } from '../../engine/route.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { literalPattern } from '../../routing/path-template.ts'

/** A value as JSON carries it, unchanged by a round trip; what JSON lacks, such as a function, is left out. */
export function plain(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined
  if (typeof value === 'bigint') return plain(Number(value))
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (value === null || typeof value !== 'object') return value
  if ('toJSON' in value && typeof value.toJSON === 'function') return plain(value.toJSON())
  if (Array.isArray(value)) return value.map(plain).filter(isThere)
  return plainEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}

/** An object of those entries that have a value. */
export function plainEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([, value]) => isThere(value)))
}

/** The data of a link. One that had only functions for arguments keeps its name, with no arguments. */
export function plainLink(link: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(link).map(([name, data]) => [name, plain(data) ?? []]))
}

function isThere(value: unknown): boolean {
  return value !== undefined
}

/** A copy of a value in which no route's bearer token is readable. */
export type Hide = (value: unknown) => unknown

/** Hides the bearer tokens of routes: a sampled answer may echo the header that came with its request. */
export function createHide(routes: readonly RouteDefinition[]): Hide {
  const tokens = new Set(routes.flatMap(({ options }) => options.bearerTokens ?? []))
  const longestFirst = [...tokens].toSorted((a, b) => b.length - a.length)
  if (longestFirst.length === 0) return (value) => value
  const expression = new RegExp(longestFirst.map(expressionOf).join('|'), 'gu')
  const hide: Hide = (value) => {
    if (typeof value === 'string') return value.replace(expression, '***')
    if (Array.isArray(value)) return value.map(hide)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [hide(key), hide(each)]))
  }
  return hide
}

// A short token is hidden where it stands alone, so that one such as `t` leaves words whole.
function expressionOf(token: string): string {
  const literal = literalPattern(token)
  return token.length < SHORT ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal
}

const SHORT = 8
