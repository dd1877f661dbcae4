import type { ItemReference } from '../engine/route-options.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { memberAt } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { isObject } from '../engine/schema/schema.ts'
import { ItemNotFound } from '../errors.ts'
import type { HttpRequest } from '../message.ts'
import { namesOf } from '../routing/path-template.ts'
import type { Item, Store } from '../state/store.ts'
import { addressOf } from './address.ts'
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
  { options: { host }, ...route }: RouteDefinition,
  routes: readonly RouteDefinition[],
  context: ItemContext,
): FindItem | undefined {
  const [name] = namesOf(at ?? '')
  if (at === undefined || name === undefined) return undefined
  const address = addressOf({ ...route, options: { host, item: { at } } }, routes)
  const find = readItem({ ...context, address })
  return (id, request, store) => {
    const params = { [name]: id }
    const path = address.collection(params)
    try {
      const { body } = store.collection(path).run(find, { request, params, input: {}, path, id })
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
