import { addressOfResource, type Address } from '../../../collections/address.ts'
import type { ItemRequest, StoredOperation } from '../../../collections/item-operations.ts'
import type { Outcome } from '../../../collections/outcome.ts'
import type { Input } from '../../../engine/input.ts'
import { lazy, remembered } from '../../../engine/lazy.ts'
import { isStateful, type Match, type RouteDefinition } from '../../../engine/route.ts'
import { readsRequest } from '../../../engine/schema/linked.ts'
import type { HttpRequest } from '../../../message.ts'
import { splitItemPath } from '../../../routing/path-template.ts'
import type { HandlerOptions } from '../../../simulation/route-handler.ts'
import type { Store, StoredItem } from '../../../state/store.ts'
import type { OpenApiRoute } from '../choose-response.ts'
import type { ResponseForm } from '../response-form.ts'
import { attachItem } from './attach-item.ts'
import { createChooser } from './choose-one.ts'
import { examplesElsewhere } from './examples-elsewhere.ts'
import { createItemFactory, type Placing } from './item-factory.ts'
import { createLookAbove, NOTHING_YET } from './items-above.ts'
import { createItemResponse } from './item-response.ts'
import { createOrderOf, createSelectOf } from './list-select.ts'
import { createReadMe } from './me.ts'
import { createKeep, createRelate, within } from './relation.ts'
import { answerMediaOf, resourceOf } from './resource.ts'
import { createUpdate } from './stored-references.ts'
import { uniqueFieldsOf, withUnique } from './unique-fields.ts'
import { readVirtual, seen } from './read-virtual.ts'
import { countOf, pathOf, type VirtualCollection } from './virtual-collection.ts'
import { virtualItemsOf, type VirtualItems } from './virtual-items.ts'
import { isIdName } from './reference-words.ts'
import { isItemOf, roleOf, type Role } from './resource-role.ts'

/** Answers the requests of one OpenAPI route with items of its resource, in the form that a request takes. */
export type ResourceHandler = (
  form: ResponseForm | undefined,
  request: HttpRequest,
  match: Match,
  input: Input,
  store: Store | undefined,
) => Outcome | undefined

/**
 * What an OpenAPI route does with the items of a resource; `undefined` for one that belongs to none. Without a store,
 * what is read are the items that there are from the beginning, and nothing is written. The handler leaves to its
 * caller what an example answers as it is.
 */
export function compileResourceOperation(
  route: OpenApiRoute,
  routes: readonly RouteDefinition[],
  options: HandlerOptions,
): ResourceHandler | undefined {
  const { seed, dynamic } = options
  const hasStore = options.hasStore && isStateful(route, options.stateful)
  if (!hasStore && !isRead(route)) return undefined
  const model = answerMediaOf(route)?.media.model
  if (!hasStore && (model === undefined || readsRequest(model))) return undefined
  const virtual = virtualItemsOf(routes, { seed, dynamic })
  const role = roleOf(route, routes, virtual)
  if (role === undefined) return hasStore && isRead(route) ? compileAbove(route, virtual, options) : undefined
  const handle = compileRole(role, route, routes, { ...options, hasStore, virtual })
  const { instead } = role
  if (hasStore || instead === undefined) return handle
  const handleInstead = compileRole(instead, route, routes, { ...options, hasStore, virtual })
  return (...call) => handle(...call) ?? handleInstead(...call)
}

// What belongs to no resource may still lie below the items of one.
function compileAbove(
  { path }: OpenApiRoute,
  virtual: VirtualItems,
  { verboseErrors }: HandlerOptions,
): ResourceHandler | undefined {
  const above = virtual.map.above(`${path}/`)
  if (above.length === 0) return undefined
  const look = createLookAbove(above, [], virtual, verboseErrors)
  return (_form, _request, { params }, _input, store) => {
    if (store !== undefined) look(params, store)
    return undefined
  }
}

function compileRole(
  role: Role,
  route: OpenApiRoute,
  routes: readonly RouteDefinition[],
  options: HandlerOptions & { readonly virtual: VirtualItems },
): ResourceHandler {
  const { seed, dynamic, hasStore, maxItems, verboseErrors, observer, virtual } = options
  const { home, relation, compile } = role
  const keep = relation && createKeep(relation, home)
  const isBelow = hasStore && keep !== undefined && relation?.reference !== undefined && isItemOf(route, home)
  const compileBelow = isBelow ? within(keep, compile) : compile
  const unique = role.kind === 'lookup' ? [] : uniqueFieldsOf(route, home, virtual.map)
  const relate = relation && createRelate(relation, virtual)
  const isAdded = hasStore && relate !== undefined && role.kind === 'view' && route.method === 'POST'
  const compileNew = isAdded ? attachItem(route, home, compile, relate) : compileBelow
  const compileOwn = withUnique(unique, home, compileNew)
  const names = route.parameters.slice(0, home.parents.length)
  const valuesOf = ({ params }: Pick<ItemRequest, 'params'>): readonly string[] =>
    names.map((name) => params[name] ?? '')
  const placing: Placing = {
    virtual,
    valuesOf,
    place(request, item) {
      virtual.place(item, home, valuesOf(request))
      relate?.(request, item)
    },
  }
  const address: Address = {
    ...addressOfResource(route, home),
    ...((role.kind === 'own' || role.kind === 'lookup') && {
      parameter: splitItemPath(route.path)?.parameter,
    }),
    collection: (params) => pathOf(home, valuesOf({ params })),
  }
  const bringUp = createUpdate(home, virtual)
  const update = (item: StoredItem, store: Store, request: ItemRequest): StoredItem =>
    bringUp(item, store, valuesOf(request))
  const factory = createItemFactory(route, routes, home, placing)
  const { assignId, readId } = virtual.makerOf(home)
  const lowest = role.kind === 'lookup' ? route.path : `${route.path}/`
  const above = role.kind === 'one' ? [] : virtual.map.above(lowest)
  const parents = above.filter(({ resource }) => resource !== home || !isItemOf(route, home))
  const lookAbove = createLookAbove(parents, names, virtual, verboseErrors)
  const isHomeList = home.list?.route.key === route.key
  const isHomeItem = home.read?.route.key === route.key
  const resource = resourceOf(route, routes)
  const isElsewhere = role.kind === 'own' && !isHomeItem && isItemOf(route, home)
  const elsewhere =
    isElsewhere && !dynamic && resource !== undefined ? examplesElsewhere(resource) : undefined
  // `/pets/status/{status}`: what names no other item may name a field.
  const inPath = route.parameters.filter(
    (name) => !isIdName(name) && !above.some(({ parameter }) => parameter === name),
  )
  const selectOf = lazy(() =>
    createSelectOf(route, home, virtual.makerOf(home).references, role.kind === 'view' ? inPath : []),
  )
  const usualOrder = lazy(() => createOrderOf(route, home))
  const answersExample = (
    form: ResponseForm,
    { request, input, store, path, id }: ItemRequest,
    beginning: VirtualCollection,
  ): boolean => {
    if (isHomeList && store !== undefined && (countOf(home) === 0 || store.has(path))) return false
    if (isHomeList) {
      const { pager } = form
      const isAll = pager?.asks(request) !== true && selectOf()(input, request) === undefined
      return pager?.hasLink !== true && isAll
    }
    if (role.kind === 'lookup') return false
    return (
      role.kind === 'one' ||
      (!isHomeItem && store === undefined && elsewhere?.isOfOther(id, beginning) !== true)
    )
  }
  const chooseOne = role.kind === 'one' ? createChooser(role, virtual, verboseErrors) : undefined
  const compileFor = (form: ResponseForm | undefined): StoredOperation => {
    const items = {
      ...factory,
      ...createItemResponse(route, home, form, {
        seed,
        dynamic,
        keep,
        ...{ selectOf, usualOrder },
        update,
        counts: role.counts,
      }),
    }
    return compileOwn({ form: items, address, assignId, readId, maxItems, verboseErrors })
  }
  const bodiless = lazy(() => compileFor(undefined))
  const compiled = remembered(compileFor, new WeakMap<ResponseForm, StoredOperation>())
  const operationFor = (form: ResponseForm | undefined): StoredOperation =>
    form === undefined ? bodiless() : compiled(form)
  const readMe = createReadMe(route, virtual)
  return (form, request, { params: given }, input, store) => {
    const operation = operationFor(form)
    const params = readMe(given, hasStore ? store : undefined)
    const values = valuesOf({ params })
    const path = pathOf(home, values)
    const isBelowMade = hasStore && store !== undefined && lookAbove(params, store)
    const collection = isBelowMade ? NOTHING_YET : virtual.collection(home, values)
    const items = hasStore ? store?.collection(path, collection) : undefined
    const own = { request, params, input, path, store: hasStore ? store : undefined, id: '' }
    const one = chooseOne?.(own, items ?? collection)
    own.id = one?.id ?? role.idOf(params)
    const isExample = form?.examples.usual !== undefined && !dynamic && one?.isNamed !== true && !isBelowMade
    if (isExample && answersExample(form, own, virtual.collection(home, values))) return undefined
    if (items === undefined || store === undefined) {
      const shown = elsewhere?.within(collection, home) ?? collection
      return readVirtual(observer === undefined ? shown : seen(shown, path, observer), operation, own)
    }
    return items.run(operation, own)
  }
}

function isRead({ method, options }: RouteDefinition): boolean {
  return method === 'GET' && options.seedFrom === undefined && typeof options.listCount !== 'string'
}
