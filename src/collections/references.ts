import type { FieldCopy, ItemReference } from '../engine/route-options.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { memberAt } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject } from '../engine/schema/schema.ts'
import type { HttpRequest } from '../message.ts'
import type { Item, Store } from '../state/store.ts'
import { ItemExists } from '../errors.ts'
import { pick } from './item-output.ts'
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
): ((request: HttpRequest, params: Readonly<Record<string, string>>, store: Store) => Item) | undefined {
  const { refers, body = '' } = route.options.item ?? {}
  if (refers === undefined) return undefined
  const path = readPointer(body)
  const all = Object.entries(refers).map(([field, reference]) => ({
    ...{ field, reference },
    // Things may be stored at a path of their own.
    find: createFinder(reference.at, route, routes, context),
  }))
  return (request, params, store) => {
    const sent = memberAt(request.body, path)
    const members = all.flatMap(({ field, reference, find }): [string, unknown][] => {
      const { to = field, values = [], copies } = reference
      const id = isObject(sent) && Object.hasOwn(sent, field) ? sent[field] : params[field]
      if (typeof id !== 'string' && typeof id !== 'number') return []
      const found = find?.(String(id), request, store)
      if (found !== undefined) refuseMore(sent, String(id), found, reference)
      if (copies !== undefined) return Object.entries(copiedFrom(found ?? {}, copies))
      const [first] = values
      if (first === undefined) return []
      const known = values.find((value) => String(value['id']) === String(id))
      return [[to, found === undefined ? (known ?? { ...first, id }) : shownOf(found, first)]]
    })
    return Object.fromEntries(members)
  }
}

/** What copies have of an item. */
export function copiedFrom(item: Item, copies: Readonly<Record<string, FieldCopy>>): Item {
  return Object.fromEntries(
    Object.entries(copies).flatMap(([name, copy]): [string, unknown][] => {
      const { from, without } = typeof copy === 'string' ? { from: copy, without: [] } : copy
      if (!Object.hasOwn(item, from)) return []
      const value = item[from]
      const entries = Array.isArray(value) && without.length > 0 ? value : undefined
      const shown = entries?.map((entry: unknown) =>
        isObject(entry) ? pick(entry, (each) => !without.includes(each)) : entry,
      )
      return [[name, shown ?? value]]
    }),
  )
}

// @throws ItemExists where a body wants more than there is
function refuseMore(sent: unknown, id: string, item: Item, { at = '', atMost = {} }: ItemReference): void {
  for (const [name, field] of Object.entries(atMost)) {
    const [wanted, there] = [isObject(sent) ? sent[name] : undefined, item[field]]
    if (typeof wanted === 'number' && typeof there === 'number' && wanted > there)
      throw new ItemExists(at, id, undefined, { item, reason: 'amount' })
  }
}

// What other items show of it.
function shownOf(item: Item, example: Item): Item {
  return Object.fromEntries(Object.keys(example).map((name) => [name, item[name] ?? null]))
}
