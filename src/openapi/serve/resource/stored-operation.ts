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
  type CompileOperation,
  type ItemRequest,
  type Outcome,
  type StoredOperation,
} from '../../../collections/item-operations.ts'
import type { Input } from '../../../engine/input.ts'
import { isStateful, type RouteDefinition } from '../../../engine/route.ts'
import type { HttpRequest } from '../../../message.ts'
import type { Match } from '../../../engine/route.ts'
import type { HandlerOptions } from '../../../simulation/route-handler.ts'
import type { Store } from '../../../state/store.ts'
import type { OpenApiRoute } from '../choose-response.ts'
import type { ResponseForm } from '../response-form.ts'
import { bodyFieldsOf, createItemFactory, createSuppliedReader } from './item-factory.ts'
import { createItemResponse } from './item-response.ts'
import { answerOf, resourceOf, type Resource } from './resource.ts'

/** Answers the requests of one OpenAPI route from the store, in the form that a request takes. */
export type StoredOperationHandler = (
  form: ResponseForm | undefined,
  request: HttpRequest,
  match: Match,
  input: Input,
  store: Store,
) => Outcome

/** What an OpenAPI route does with stored items; `undefined` for one that is not stateful, or belongs to no resource. */
export function compileStoredOperation(
  route: OpenApiRoute,
  routes: readonly RouteDefinition[],
  options: HandlerOptions,
): StoredOperationHandler | undefined {
  const { seed, maxItems, verboseErrors } = options
  if (!options.hasStore || !isStateful(route, options.stateful)) return undefined
  const resource = resourceOf(route, routes)
  const compile = resource && operationOf(route, resource)
  if (resource === undefined || compile === undefined) return undefined

  const address = addressOfResource(route, resource)
  const factory = createItemFactory(route, resource, seed)
  const [assignId, readId] = [createIds(address.idSchema, seed), createIdReader(address)]
  const compiled = new WeakMap<object, StoredOperation>()
  const compileFor = (form: ResponseForm | undefined): StoredOperation => {
    const items = { ...factory, ...createItemResponse(route, resource, form, seed) }
    return compile({ form: items, address, assignId, readId, maxItems, verboseErrors })
  }
  return (form, request, { params }, input, store) => {
    const operation = compiled.get(form ?? NO_FORM) ?? compileFor(form)
    compiled.set(form ?? NO_FORM, operation)
    const path = address.collection(params)
    return store.collection(path).run(operation, { request, params, input, path, id: address.id(params) })
  }
}

const NO_FORM = {}

const ITEM_OPERATIONS: Readonly<Record<string, CompileOperation>> = {
  GET: showItem,
  PUT: replaceItem,
  PATCH: overlayItem,
  DELETE: removeItem,
}

function operationOf(route: OpenApiRoute, resource: Resource): CompileOperation | undefined {
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
function byIdInBody(route: OpenApiRoute, resource: Resource, idField: string): CompileOperation {
  const { template, parameter, evidence } = resource
  const address = addressOfResource({ ...route, path: `${template}/{${parameter}}` }, resource)
  const supplied = createSuppliedReader(route, [evidence.singular])
  const isWhole = route.method === 'PUT'
  return (context) => {
    const create = createItem(context)
    const change = (isWhole ? replaceItem : overlayItem)({ ...context, address })
    const chosen = (request: ItemRequest): readonly [StoredOperation, ItemRequest] => {
      const id = supplied.fields(request)[idField]
      if (isWhole && (id === undefined || id === null || id === '')) return [create, request]
      const text = idText(id ?? '')
      return [change, { ...request, params: { ...request.params, [parameter]: text }, id: text }]
    }
    return {
      maxItems: context.maxItems,
      need(request) {
        const [operation, own] = chosen(request)
        return operation.need(own)
      },
      decide(request, found) {
        const [operation, own] = chosen(request)
        return operation.decide(own, found)
      },
    }
  }
}
