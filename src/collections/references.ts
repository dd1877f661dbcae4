import type { RouteDefinition } from '../engine/route.ts'
import { memberAt } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject } from '../engine/schema/schema.ts'
import type { HttpRequest } from '../message.ts'
import type { Item, Store } from '../state/store.ts'
import { createFinder } from './find-other.ts'
import type { ItemContext } from './item-operations.ts'

/**
 * Makes what finds the members that items get by ids which bodies have: what a member says of the stored item of that id,
 * or what is known under the id, or else what is known with another id; `undefined` where a route has no such members.
 */
export function createReferences(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  context: ItemContext,
): ((request: HttpRequest, store: Store) => Item) | undefined {
  const { refers, body = '' } = route.options.item ?? {}
  if (refers === undefined) return undefined
  const path = readPointer(body)
  const all = Object.entries(refers).map(([field, reference]) => ({
    ...{ field, reference },
    // Things may be stored at a path of their own.
    find: createFinder(reference.at, route, routes, context),
  }))
  return (request, store) => {
    const sent = memberAt(request.body, path)
    const members = all.flatMap(({ field, reference: { to, values }, find }): [string, unknown][] => {
      const id = isObject(sent) ? sent[field] : undefined
      const [first] = values
      if (first === undefined || (typeof id !== 'string' && typeof id !== 'number')) return []
      const found = find?.(String(id), request, store)
      const known = values.find((value) => String(value['id']) === String(id))
      return [[to, found === undefined ? (known ?? { ...first, id }) : shownOf(found, first)]]
    })
    return Object.fromEntries(members)
  }
}

// What other items show of it.
function shownOf(item: Item, example: Item): Item {
  return Object.fromEntries(Object.keys(example).map((name) => [name, item[name] ?? null]))
}
