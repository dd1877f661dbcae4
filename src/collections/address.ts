import { remembered } from '../engine/lazy.ts'
import { entryOf } from '../grouping.ts'
import { fieldsOf } from '../engine/schema/fields.ts'
import { partAt } from '../engine/list-shape.ts'
import { createResolver, isObject, type Schema, type SchemaOrBoolean } from '../engine/schema/schema.ts'
import { resourceOf, type Resource } from '../openapi/serve/resource/resource.ts'
import { itemModelOf, outputKind } from '../engine/output.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { collectionPath, pathShape, splitItemPath, withoutLastSlash } from '../routing/path-template.ts'
import type { RouteDefinition } from '../engine/route.ts'

/** Which part of the store a route speaks of. */
export interface Address {
  /** `item` where the path ends in the id, `collection` where it does not. */
  readonly kind: 'collection' | 'item'
  /** The field of the model that holds the id; `undefined` where the model has none, or has it deeper. */
  readonly idField: string | undefined
  /** The names that lead to the id within an item; `undefined` where it has none. */
  readonly idPath: readonly string[] | undefined
  readonly idSchema: SchemaOrBoolean
  /** The path parameter that holds the id, as the route writes it; `undefined` for a collection's own route. */
  readonly parameter: string | undefined
  /** Whether it is the path of an item that is the only one of its kind. */
  readonly isOnly?: boolean
  /** The model of an item. */
  readonly model: Schema | undefined
  /** The concrete path of the collection for one request's parameters, after the route's host if it has one. */
  collection(params: Readonly<Record<string, string>>): string
  /** The id in one request's path. */
  id(params: Readonly<Record<string, string>>): string
}

/**
 * Where the items of a route are stored. The last path parameter is the id; it is matched to the model's field of
 * that name, or to `id`. A collection's own route takes its id's name from the route of its items; so does a list that
 * ends in a parameter, where another route is of the items right below.
 */
export function addressOf(route: RouteDefinition, all: readonly RouteDefinition[]): Address {
  const resource = route.operation === undefined ? undefined : resourceOf(route, all)
  if (resource !== undefined) return addressOfResource(route, resource)
  const { host = '' } = route.options
  const path = pathAbout(route)
  const isAbove = isAboveItems(route, all)
  const ownId = isAbove ? undefined : splitItemPath(path)?.parameter
  const template = isAbove ? withoutLastSlash(path) : collectionPath(path)
  if (route.options.item?.only === true) return addressOfOnly(host, path, modelAt(route, template, all))
  const [first, ...others] = [...(ownId === undefined ? [] : [ownId]), ...idNamesBelow(host, template, all)]
  const model = modelAt(route, template, all)
  const properties = model === undefined ? new Map<string, never>() : fieldsOf(model, createResolver(model))
  const given = route.options.item?.id
  const usual = [first, 'id', ...others].find((name) => name !== undefined && properties.has(name))
  const names = given === undefined ? [usual ?? []].flat() : readPointer(given)
  const idPath = names.length === 0 ? undefined : names
  const idField = idPath?.length === 1 ? idPath[0] : undefined

  return {
    kind: ownId === undefined ? 'collection' : 'item',
    idField,
    idPath,
    parameter: ownId,
    model,
    idSchema:
      (idField === undefined ? idPath && partAt(model ?? {}, idPath) : properties.get(idField)) ?? true,
    collection: pathFiller(host, template),
    id: (params) => params[ownId ?? ''] ?? '',
  }
}

// A list that ends in a parameter is of the items right below, and what is posted there is one of them.
function isAboveItems(route: RouteDefinition, all: readonly RouteDefinition[]): boolean {
  const { method, options } = route
  const path = pathAbout(route)
  if (!/^(GET|POST)$/.test(method) || splitItemPath(path) === undefined) return false
  const place = `${options.host ?? ''} ${pathShape(path)}`
  const { idNames, lists } = collectionsOf(all)
  return idNames.has(place) && (method === 'GET' ? isList(route) : lists.has(place))
}

function isList({ options: { output } }: RouteDefinition): boolean {
  return !/^(none|single)$/.test(outputKind(output))
}

/** The id of an item that is the only one of its kind. */
export const ONLY_ID = 'only'

function addressOfOnly(host: string, path: string, model: Schema | undefined): Address {
  return {
    ...{
      kind: 'item',
      isOnly: true,
      idField: undefined,
      idPath: undefined,
      idSchema: true,
      parameter: undefined,
    },
    ...{ model, collection: pathFiller(host, path), id: () => ONLY_ID },
  }
}

/** Whether two routes speak of the same collection, or of its items. */
export function isOfCollection(
  one: RouteDefinition,
  other: RouteDefinition,
  all: readonly RouteDefinition[],
): boolean {
  const shapeOf = (route: RouteDefinition): string => {
    const path = pathAbout(route)
    return `${route.options.host ?? ''} ${pathShape(isAboveItems(route, all) ? path : collectionPath(path))}`
  }
  return shapeOf(one) === shapeOf(other)
}

/** The path of the collection or item that a route speaks of. */
export function pathAbout({ path, options: { item } }: RouteDefinition): string {
  return item?.at ?? path
}

/** Where the items of a described resource are stored, for the route of a path. */
export function addressOfResource(
  { path, options: { host = '' } }: Pick<RouteDefinition, 'path' | 'options'>,
  { template, idField, idPath, idSchema, shape }: Resource,
): Address {
  const isItem = pathShape(path) !== pathShape(template)
  const ownId = isItem ? splitItemPath(path)?.parameter : undefined
  // Its parameters may have other names than those of other routes.
  const ownTemplate = isItem ? collectionPath(path) : path
  return {
    kind: ownId === undefined ? 'collection' : 'item',
    idField,
    idPath,
    idSchema,
    parameter: ownId,
    model: shape.item,
    collection: pathFiller(host, ownTemplate),
    id: (params) => params[ownId ?? ''] ?? '',
  }
}

/** Makes what fills a path template, below a host, with its parameters' values. */
function pathFiller(host: string, template: string): Address['collection'] {
  const [first = '', ...rest] = template.split(/\{([^{}]+)\}/)
  const start = host + first
  if (rest.length === 0) return () => start
  return (params) => {
    let path = start
    for (let index = 0; index < rest.length; index += 2)
      path += encodeURIComponent(params[rest[index] ?? ''] ?? '') + (rest[index + 1] ?? '')
    return path
  }
}

// Paths below that of an item may call its id something else.
function idNamesBelow(host: string, template: string, all: readonly RouteDefinition[]): readonly string[] {
  return collectionsOf(all).idNames.get(`${host} ${pathShape(template)}`) ?? []
}

// A DELETE has no model of its own; its collection's other routes have.
function modelAt(
  route: RouteDefinition,
  template: string,
  all: readonly RouteDefinition[],
): Schema | undefined {
  if (showsItem(route)) return storedModelOf(route)
  const sibling = collectionsOf(all).shown.get(`${route.options.host ?? ''} ${template}`)
  return sibling && storedModelOf(sibling)
}

function showsItem({ options: { output, item } }: RouteDefinition): boolean {
  return (
    output !== undefined && item?.shown !== false && item?.counts === undefined && item?.part === undefined
  )
}

/** What routes say of the collections of each other, by host and path. */
interface Collections {
  /** What the ids of items are called. */
  readonly idNames: ReadonlyMap<string, readonly string[]>
  /** The first route that shows what an item is like. */
  readonly shown: ReadonlyMap<string, RouteDefinition>
  /** Where there are lists. */
  readonly lists: ReadonlySet<string>
}

// Read once, since each route of an app asks about all of them.
const collectionsOf = remembered((all: readonly RouteDefinition[]): Collections => {
  const idNames = new Map<string, string[]>()
  const shown = new Map<string, RouteDefinition>()
  const lists = new Set<string>()
  for (const route of all) {
    const { host = '' } = route.options
    const path = pathAbout(route)
    const split = splitItemPath(path)
    if (route.method === 'GET' && isList(route)) lists.add(`${host} ${pathShape(path)}`)
    if (split !== undefined) {
      const place = `${host} ${pathShape(split.collection)}`
      entryOf(idNames, place, (): string[] => []).push(split.parameter)
    }
    const place = `${host} ${collectionPath(path)}`
    if (showsItem(route) && !shown.has(place)) shown.set(place, route)
  }
  return { idNames, shown, lists }
}, new WeakMap())

/** The model of the items that a route stores, which its answers may have an envelope around. */
export function storedModelOf({ options: { output = {}, item } }: RouteDefinition): Schema {
  if (item?.stores !== undefined) return item.stores
  const model = itemModelOf(output)
  const own = item?.answer === undefined ? undefined : partAt(output, readPointer(item.answer))
  return isObject(own) ? own : model
}
