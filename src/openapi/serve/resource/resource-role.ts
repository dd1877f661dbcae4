import { addressOfResource } from '../../../collections/address.ts'
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
  type StoredOperation,
} from '../../../collections/item-operations.ts'
import { plainName } from '../../../collections/paging/page-parameters.ts'
import { remembered } from '../../../engine/lazy.ts'
import { listShapeOf } from '../../../engine/list-shape.ts'
import type { RouteDefinition } from '../../../engine/route.ts'
import { fieldsOf } from '../../../engine/schema/fields.ts'
import { kindOf } from '../../../engine/schema/keywords.ts'
import { createResolver, isObject, type Schema } from '../../../engine/schema/schema.ts'
import { groupBy } from '../../../grouping.ts'
import { pathShape, splitItemPath } from '../../../routing/path-template.ts'
import type { OpenApiRoute } from '../choose-response.ts'
import { bodyFieldsOf } from './body-fields.ts'
import { createSuppliedReader } from './item-factory.ts'
import { componentOf, fieldModelsOf, idPathOf, itemShapeOf } from './item-shape.ts'
import { singularOf } from './path-words.ts'
import { sharesParents } from './find-home.ts'
import { byEither, lookUp, lookupKeysOf, type LookupKey } from './look-up.ts'
import { referenceTo } from './parent-fields.ts'
import { createKeep, idReaderOf, relationOf, type Relation } from './relation.ts'
import { eitherFieldsOf } from './resource-ids.ts'
import type { Above } from './resource-map.ts'
import { answerMediaOf, answerOf, resourceOf, type Resource } from './resource.ts'
import type { VirtualItems } from './virtual-items.ts'

/** What a route has to do with a resource. */
export interface Role {
  /** Whether it is one of the resource's own paths, shows its items at another, one of them, or looks one up. */
  readonly kind: 'own' | 'view' | 'one' | 'lookup'
  readonly home: Resource
  readonly relation: Relation | undefined
  readonly compile: CompileOperation
  idOf(params: Readonly<Record<string, string>>): string
  /** What it has to do with a resource of its own, where what it looks up need not be there. */
  readonly instead?: Role | undefined
  /** The parameters that say which one it shows, if any do. */
  readonly keys?: readonly LookupKey[] | undefined
  /** The field of its answer that says how many there are, where it shows none of them; empty where the answer says it. */
  readonly counts?: string | undefined
  /** The item above it that says which one it shows, if one does. */
  readonly reads?: { readonly above: Above; readonly read: (item: unknown) => unknown } | undefined
}

/** What a route has to do with a resource; `undefined` where that is nothing. */
export function roleOf(
  route: OpenApiRoute,
  routes: readonly RouteDefinition[],
  virtual: VirtualItems,
): Role | undefined {
  const resource = resourceOf(route, routes)
  const compile = resource && operationOf(route, resource)
  if (resource !== undefined && compile !== undefined) {
    const { map } = virtual
    const home = map.homeOf(resource)
    const relation = home === resource ? undefined : relationOf(route.path, home, virtual, map)
    const parameter = isItemOf(route, resource) ? (splitItemPath(route.path)?.parameter ?? '') : ''
    const idOf = (params: Readonly<Record<string, string>>): string => params[parameter] ?? ''
    const own: Role = { kind: 'own', home, relation, compile, idOf }
    const lookup = map.lookupOf(resource)
    if (lookup === undefined) {
      const field = isItemOf(route, resource) ? otherIdOf(resource, home) : undefined
      const others = isItemOf(route, resource) ? eitherFieldsOf(resource) : []
      if (field === undefined && others.length > 0)
        return { ...own, compile: byEither(others, home, compile), instead: own }
      if (field === undefined) return own
      const keep = relation && createKeep(relation, home)
      const instead: Role = { ...own, home: resource, relation: undefined }
      return { ...own, kind: 'lookup', compile: lookUp({ home, field, others: [] }, compile, keep), instead }
    }
    return { ...own, kind: 'lookup', home: lookup.home, compile: lookUp(lookup, compile), instead: own }
  }
  return roleElsewhere(route, routes, virtual)
}

// What lies below another may be called by another field there: `/shops/{shop}/items/{code}` beside `/items/{id}`.
function otherIdOf({ idField }: Resource, home: Resource): string | undefined {
  const isOther = idField !== undefined && home.idField !== undefined && idField !== home.idField
  return isOther && home.shape.fields.has(idField) ? idField : undefined
}

// Items are shown at other paths than their own, and made there.
function roleElsewhere(
  route: OpenApiRoute,
  routes: readonly RouteDefinition[],
  virtual: VirtualItems,
): Role | undefined {
  const { method, path } = route
  const counting = method === 'GET' ? countRoleOf(route, routes, virtual) : undefined
  if (counting !== undefined) return counting
  const model = method === 'GET' || method === 'POST' ? answerMediaOf(route)?.media.model : undefined
  if (model === undefined) return undefined
  const homeOf = (item: Schema | undefined): Resource | undefined => {
    const names = item === undefined ? [] : [componentOf(item), wrappedIn(item)]
    const homes = names.map((name) => (name === undefined ? undefined : virtual.map.ofComponent(name, path)))
    return homes.find((each) => each !== undefined)
  }
  const listHomeOf = (item: Schema | undefined): Resource | undefined =>
    item && (homeOf(item) ?? namedHomeOf(item, path, virtual))
  // An item may well hold a list.
  const one = homeOf(model)
  const list = one === undefined ? listShapeOf(model, path) : undefined
  const home = one ?? listHomeOf(list?.item)
  // Which of the resources above it would have to be drawn is not known, unless the path says it.
  if (home === undefined || !sharesParents(home, { template: path })) return undefined
  const relation = relationOf(path, home, virtual, virtual.map)
  if (list !== undefined)
    return method === 'GET' ? { kind: 'view', home, relation, compile: listItems, idOf: () => '' } : undefined
  if (method === 'POST') {
    const isViewed = (readersOf(routes).get(path) ?? []).some((each) => {
      const shown = answerMediaOf(each)?.media.model
      return listHomeOf(shown && listShapeOf(shown, path)?.item) === home
    })
    return isViewed ? { kind: 'view', home, relation, compile: createItem, idOf: () => '' } : undefined
  }
  const allAbove = virtual.map.above(path)
  const [above] = allAbove
  const last = path.split('/').at(-1) ?? ''
  const held = above && referenceTo(home, last, virtual.makerOf(above.resource).references)
  const reads = held && above && { above, read: idReaderOf(held) }
  const taken = allAbove.map(({ parameter }) => parameter)
  const keys = lookupKeysOf(route, home, taken)
  return { kind: 'one', home, relation: undefined, compile: showItem, idOf: () => '', reads, keys }
}

// What the only field of `{ product: {…} }` holds is called.
function wrappedIn(item: Schema): string | undefined {
  const [inner, ...others] = fieldsOf(item, createResolver(item)).values()
  return isObject(inner) && others.length === 0 ? componentOf(inner) : undefined
}

const readersOf = remembered(
  (routes: readonly RouteDefinition[]) =>
    groupBy(
      routes.filter(({ method }) => method === 'GET'),
      ({ path }) => path,
    ),
  new WeakMap(),
)

// `/products/count` says how many there are in the list `/products`, as far as its own parameters choose from it.
function countRoleOf(
  route: OpenApiRoute,
  routes: readonly RouteDefinition[],
  virtual: VirtualItems,
): Role | undefined {
  const [, above, suffix = ''] = /^(.+)\/(?:count|total)(\.\w+)?$/i.exec(route.path) ?? []
  if (above === undefined) return undefined
  const [list] = readersOf(routes).get(`${above}${suffix}`) ?? []
  const model = answerMediaOf(route)?.media.model
  const counts = model && countFieldOf(model)
  if (list?.operation === undefined || counts === undefined) return undefined
  const role = roleOf({ ...list, operation: list.operation }, routes, virtual)
  return role?.compile === listItems ? { ...role, kind: 'view', counts, instead: undefined } : undefined
}

function countFieldOf(model: Schema): string | undefined {
  if (kindOf(model) === 'integer') return ''
  const { fields, modelOf } = fieldModelsOf(model)
  return [...fields.keys()].find(
    (name) => /count$|^total/i.test(name) && ['integer', 'number'].includes(kindOf(modelOf(name))),
  )
}

// `/projects/{id}/sections` lists what `/sections/{id}` shows, be it by a model that says less of each.
function namedHomeOf(item: Schema, path: string, { map }: VirtualItems): Resource | undefined {
  const [noun = ''] = /[^/]+$/.exec(path) ?? []
  const [home] = splitItemPath(path) === undefined ? map.ofNoun(plainName(singularOf(noun)), path) : []
  const shape = home && itemShapeOf(item, home.evidence)
  if (home?.idField === undefined || shape === undefined || shape.path.length > 0) return undefined
  const names = [...shape.fields.keys()]
  const isLess = names.every((name) => home.shape.fields.has(name))
  const idPath = idPathOf(shape, home.evidence)
  return isLess && idPath?.length === 1 && idPath[0] === home.idField ? home : undefined
}

/** Whether a route is of a resource's items, and not of their collection. */
export function isItemOf({ path }: RouteDefinition, { template }: Resource): boolean {
  return pathShape(path) !== pathShape(template) && splitItemPath(path) !== undefined
}

const ITEM_OPERATIONS: Readonly<Record<string, CompileOperation>> = {
  GET: showItem,
  PUT: replaceItem,
  PATCH: overlayItem,
  DELETE: removeItem,
}

// Some describe a PUT that is a change: what it does not send stays.
function leavesUnsent({ method, operation: { description = '' } }: OpenApiRoute): boolean {
  return method === 'PUT' && (ONLY_SENT.test(description) || UNSENT_STAY.test(description))
}

const ONLY_SENT =
  /\bonly (the )?((provided|specified|supplied|sent|given) )?(fields|properties|attributes|values)\b[^.;]{0,60}\b(updated|changed|modified)\b/i
const UNSENT_STAY =
  /\b(unspecified|omitted|missing|other) (fields|properties|attributes|values)\b[^.;]{0,60}\b(unchanged|untouched|as they (are|were))\b/i

function operationOf(route: OpenApiRoute, resource: Resource): CompileOperation | undefined {
  const isItem = isItemOf(route, resource)
  if (isItem && route.method === 'POST') return resource.isPostedTo ? overlayItem : overlayOrCreateItem
  if (isItem && leavesUnsent(route)) return overlayItem
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
