import { outputKind } from '../../engine/output.ts'
import type { Method, RouteDefinition } from '../../engine/route.ts'
import { addressOf, type Address } from '../../collections/address.ts'

/** What a stateful route does with one stored item. */
export interface StoreUse {
  readonly does: 'find' | 'create' | 'replace' | 'overlay' | 'remove'
  readonly address: Address
}

/** What a route does with a stored item in a stateful app; `undefined` for one that lists or knows none. */
export function storeUseOf(route: RouteDefinition, routes: readonly RouteDefinition[]): StoreUse | undefined {
  if (route.options.pageTable !== undefined) return undefined
  const address = addressOf(route, routes)
  const isItem = address.kind === 'item'
  if (route.method === 'DELETE') return isItem ? { does: 'remove', address } : undefined
  if (outputKind(route.options.output) !== 'single') return undefined
  if (route.method === 'POST') return { does: 'create', address }
  const does = BY_ID[route.method]
  return isItem && does !== undefined ? { does, address } : undefined
}

const BY_ID: Readonly<Partial<Record<Method, StoreUse['does']>>> = {
  GET: 'find',
  PUT: 'replace',
  PATCH: 'overlay',
}
