import type { RouteDefinition } from '../engine/route.ts'
import { isObject } from '../engine/schema/schema.ts'
import { ItemNotFound } from '../errors.ts'
import type { HttpRequest } from '../message.ts'
import { namesOf } from '../routing/path-template.ts'
import type { Item, Store } from '../state/store.ts'
import { addressOf } from './address.ts'
import { type CompileOperation, findItem, type ItemContext, readItem } from './item-operations.ts'
import type { Outcome } from './outcome.ts'

/** Answers nothing where an item is there. @throws ItemNotFound */
export const findItemFirst: CompileOperation = (context) => ({
  maxItems: context.maxItems,
  need: ({ id }) => ({ kind: 'item', id }),
  decide(request, found) {
    findItem(context, request, found)
    return { body: undefined }
  },
})

/** Looks at an item by the parameters of its path. @throws ItemNotFound where it is not there */
export type FindOther = (
  request: HttpRequest,
  params: Readonly<Record<string, string>>,
  store: Store,
) => Outcome

/**
 * Makes what looks at items of another path, such as those that the items of a route are below, or which its requests
 * put among them; `undefined` where there is no such path.
 * @param at the path of an item, such as `/projects/{id}`
 */
export function finderAt(
  at: string | undefined,
  compile: CompileOperation,
  { options: { host }, ...route }: RouteDefinition,
  routes: readonly RouteDefinition[],
  context: ItemContext,
): FindOther | undefined {
  if (at === undefined) return undefined
  const address = addressOf({ ...route, options: { host, item: { at } } }, routes)
  // What nobody has written is there at its own path alone.
  const find = compile({ ...context, address, form: { ...context.form, otherwise: undefined } })
  return (request, params, store) => {
    const path = address.collection(params)
    return store.collection(path).run(find, { request, params, input: {}, path, id: address.id(params) })
  }
}

/** Makes what finds items by their ids. @param at their path, such as `/teams/{id}`; `undefined` gives `undefined` */
export function createFinder(
  at: string | undefined,
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
  context: ItemContext,
): ((id: string, request: HttpRequest, store: Store) => Item | undefined) | undefined {
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
