import type { HandlerOptions } from '../../../simulation/route-handler.ts'
import type { HttpRequest } from '../../../message.ts'
import type { Input } from '../../../engine/input.ts'
import { isStateful, type Match, type RouteDefinition } from '../../../engine/route.ts'
import { addressOfResource } from '../../../collections/address.ts'
import { createIdReader, createIds } from '../../../collections/ids.ts'
import {
  createItem,
  idText,
  listItems,
  overlayItem,
  overlayOrCreateItem,
  removeItem,
  replaceItem,
  showItem,
  type ItemContext,
  type ItemOperation,
  type Outcome,
} from '../../../collections/item-operations.ts'
import type { Store } from '../../../state/store.ts'
import type { DescribedRoute } from '../described-route.ts'
import type { ResponseForm } from '../response-form.ts'
import { createItemMaker } from './item-maker.ts'
import { createItemShower } from './item-shower.ts'
import { answerOf, resourceOf, type Resource } from './resource.ts'
import { bodyFieldsOf, suppliedFields } from './supplied.ts'

/** Answers the requests of one described route from the store, in the form that a request takes. */
export type DescribedStateful = (
  form: ResponseForm | undefined,
  call: HttpRequest,
  match: Match,
  input: Input,
  store: Store,
) => Outcome

/** The stateful way of a described route; `undefined` for one that is not to be stateful, or belongs to no resource. */
export function createDescribedStateful(
  route: DescribedRoute,
  routes: readonly RouteDefinition[],
  options: HandlerOptions,
): DescribedStateful | undefined {
  const { seed, maxItems, verboseErrors } = options
  if (!options.hasStore || !isStateful(route, options.stateful)) return undefined
  const resource = resourceOf(route, routes)
  const operation = resource && operationOf(route, resource)
  if (resource === undefined || operation === undefined) return undefined

  const address = addressOfResource(route, resource)
  const make = createItemMaker(route, resource, seed)
  const [assignId, readId] = [createIds(address.idSchema, seed), createIdReader(address)]
  const contexts = new WeakMap<object, ItemContext>()
  const contextOf = (form: ResponseForm | undefined): ItemContext => {
    const items = { ...make, ...createItemShower(route, resource, form, seed) }
    return { form: items, address, assignId, readId, maxItems, verboseErrors }
  }
  return (form, call, match, input, store) => {
    const context = contexts.get(form ?? NO_FORM) ?? contextOf(form)
    contexts.set(form ?? NO_FORM, context)
    const path = address.collection(match.params)
    return operation(context, { call, match, input, collection: store.collection(path), path })
  }
}

const NO_FORM = {}

const ITEM_OPERATIONS: Readonly<Record<string, ItemOperation>> = {
  GET: showItem,
  PUT: replaceItem,
  PATCH: overlayItem,
  DELETE: removeItem,
}

function operationOf(route: DescribedRoute, resource: Resource): ItemOperation | undefined {
  const isItem = route.path.endsWith('}') && route.path !== resource.template
  if (isItem && route.method === 'POST') return resource.isPostedTo ? overlayItem : overlayOrCreateItem
  if (isItem) return ITEM_OPERATIONS[route.method]
  if (route.method === 'GET') return resource.isListed ? listItems : undefined
  if (route.method === 'POST') return resource.isPostedTo ? createItem : undefined
  const { idField, evidence } = resource
  const isOfOne = answerOf(route, evidence).list === undefined
  const isNamed =
    idField !== undefined && bodyFieldsOf(route.operation, [evidence.singular]).includes(idField)
  if (route.method === 'DELETE' || !isOfOne || !isNamed) return undefined
  return byIdInBody(route, resource, idField)
}

// Some descriptions change an item at its collection's path, and name it in the body.
function byIdInBody(route: DescribedRoute, resource: Resource, idField: string): ItemOperation {
  const address = addressOfResource(
    { ...route, path: `${resource.template}/{${resource.parameter}}` },
    resource,
  )
  const isWhole = route.method === 'PUT'
  return (context, request) => {
    const id = suppliedFields(request, route.operation, [resource.evidence.singular])[idField]
    if (isWhole && (id === undefined || id === null || id === '')) return createItem(context, request)
    const params = { ...request.match.params, [resource.parameter]: idText(id ?? '') }
    const change = isWhole ? replaceItem : overlayItem
    return change({ ...context, address }, { ...request, match: { ...request.match, params } })
  }
}
