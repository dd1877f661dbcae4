import { MethodNotAllowed, RouteNotFound } from '../errors.ts'
import { basePathHint } from './base-path-hint.ts'
import { forwardTo, targetOf } from './forward.ts'
import type { Mode } from './mode.ts'

/** What neither a declared route nor an adapter takes is for an upstream; the rest is not found. */
export const simulate: Mode = (exchange, parts) => {
  const { engine, describe } = parts
  const target = targetOf(exchange, parts)
  if (target !== undefined) return forwardTo(target, exchange, parts)
  const described = describe?.(exchange)
  if (described !== undefined) return described

  const { method, path } = exchange
  const allowed = engine.allowed(exchange)
  if (allowed.length === 0) throw new RouteNotFound(method, path, basePathHint(engine, exchange))
  if (method === 'OPTIONS') return { status: 204, headers: ['allow', allowed.join(', ')] }
  throw new MethodNotAllowed(method, path, allowed)
}
