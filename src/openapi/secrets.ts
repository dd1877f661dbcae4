import { isObject } from '../engine/schema/schema.ts'
import type { RouteDefinition } from '../engine/route.ts'

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
  const literal = token.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return token.length < SHORT ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal
}

const SHORT = 8
