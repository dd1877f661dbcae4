import type { Scope } from '../../../engine/schema/generate.ts'
import { contentStream, type Seed, type Stream } from '../../../engine/random.ts'
import type { ItemRequest } from '../../../collections/item-operations.ts'
import type { RouteDefinition } from '../../../engine/route.ts'

/** The draws for what is generated of an item: the same in each answer about it. */
export function itemStream(seed: Seed, { path }: ItemRequest, id: string): Stream {
  return contentStream(seed, `items of ${path}`).childOf(id)
}

/** What the values of an answer about an item have in common. */
export function itemScope(route: RouteDefinition, { call, input }: ItemRequest): Scope {
  return { route: route.key, input, headers: call.headers, depth: 0 }
}
