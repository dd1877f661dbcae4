import type { ItemReference } from '../engine/route-options.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { memberAt } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject } from '../engine/schema/schema.ts'
import { ItemNotFound } from '../errors.ts'
import type { HttpRequest } from '../message.ts'
import { namesOf } from '../routing/path-template.ts'
import type { Item, Store } from '../state/store.ts'
import { finderAt } from './find-other.ts'
import { type ItemContext, readItem } from './item-operations.ts'

type FindItem = (id: string, request: HttpRequest, store: Store) => Item | undefined

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
    find: finderOf(reference, route, routes, context),
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

// Things may be stored at a path of their own.
function finderOf(
  { at }: ItemReference,
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  context: ItemContext,
): FindItem | undefined {
  const [name] = namesOf(at ?? '')
  const find = name === undefined ? undefined : finderAt(at, readItem, route, routes, context)
  if (name === undefined || find === undefined) return undefined
  return (id, request, store) => {
    try {
      const { body } = find(request, { [name]: id }, store)
      return isObject(body) ? body : undefined
    } catch (error) {
      if (ItemNotFound.is(error)) return undefined
      throw error
    }
  }
}

// What other items show of it.
function shownOf(item: Item, example: Item): Item {
  return Object.fromEntries(Object.keys(example).map((name) => [name, item[name] ?? null]))
}
