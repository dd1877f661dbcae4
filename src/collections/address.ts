import { fieldsOf } from '../engine/schema/fields.ts'
import { createResolver, type Schema, type SchemaOrBoolean } from '../engine/schema/schema.ts'
import { resourceOf, type Resource } from '../openapi/serve/resource/resource.ts'
import { itemModelOf } from '../engine/output.ts'
import { pathShape } from '../routing/path-template.ts'
import type { RouteDefinition } from '../engine/route.ts'

/** Which part of the store a route speaks of. */
export interface Address {
  /** `item` where the path ends in the id, `collection` where it does not. */
  readonly kind: 'collection' | 'item'
  /** The field of the model that holds the id; `undefined` where the model has none. */
  readonly idField: string | undefined
  readonly idSchema: SchemaOrBoolean
  /** The path parameter that holds the id, as the route writes it; `undefined` for a collection's own route. */
  readonly parameter: string | undefined
  /** The model of an item. */
  readonly model: Schema | undefined
  /** The concrete path of the collection for one request's parameters, after the route's host if it has one. */
  collection(params: Readonly<Record<string, string>>): string
  /** The id in one request's path. */
  id(params: Readonly<Record<string, string>>): string
}

const LAST_PARAMETER = /\/\{([^{}]+)\}$/

/**
 * Where the items of a route are stored. The last path parameter is the id; it is matched to the model's field of
 * that name, or to `id`. A collection's own route takes its id's name from the route of its items.
 */
export function addressOf(route: RouteDefinition, all: readonly RouteDefinition[]): Address {
  const resource = route.operation === undefined ? undefined : resourceOf(route, all)
  if (resource !== undefined) return addressOfResource(route, resource)
  const { host = '' } = route.options
  const routes = all.filter(({ options }) => (options.host ?? '') === host)
  const [, ownId] = LAST_PARAMETER.exec(route.path) ?? []
  const template = route.path.replace(LAST_PARAMETER, '') || '/'
  const idName = ownId ?? idNameBelow(template, routes)
  const model = modelAt(route, template, routes)
  const properties = model === undefined ? new Map<string, never>() : fieldsOf(model, createResolver(model))
  const idField = [idName, 'id'].find((name) => name !== undefined && properties.has(name))

  return {
    kind: ownId === undefined ? 'collection' : 'item',
    idField,
    parameter: ownId,
    model,
    idSchema: (idField === undefined ? undefined : properties.get(idField)) ?? true,
    collection: pathFiller(host, template),
    id: (params) => params[ownId ?? ''] ?? '',
  }
}

/** Whether two routes speak of the same collection, or of its items. */
export function isOfCollection(one: RouteDefinition, other: RouteDefinition): boolean {
  const shapeOf = ({ path, options: { host = '' } }: RouteDefinition): string =>
    `${host} ${pathShape(path.replace(LAST_PARAMETER, ''))}`
  return shapeOf(one) === shapeOf(other)
}

/** Where the items of a described resource are stored, for the route of a path. */
export function addressOfResource(
  { path, options: { host = '' } }: Pick<RouteDefinition, 'path' | 'options'>,
  { template, idField, idSchema, shape }: Resource,
): Address {
  const ownId = path === template ? undefined : LAST_PARAMETER.exec(path)?.[1]
  return {
    kind: ownId === undefined ? 'collection' : 'item',
    idField,
    idSchema,
    parameter: ownId,
    model: shape.item,
    collection: pathFiller(host, template),
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

function idNameBelow(template: string, routes: readonly RouteDefinition[]): string | undefined {
  const below = routes.find(
    ({ path }) => path.replace(LAST_PARAMETER, '') === template && LAST_PARAMETER.test(path),
  )
  return below === undefined ? undefined : LAST_PARAMETER.exec(below.path)?.[1]
}

// A DELETE has no model of its own; its collection's other routes have.
function modelAt(
  route: RouteDefinition,
  template: string,
  routes: readonly RouteDefinition[],
): Schema | undefined {
  const own = route.options.output
  if (own !== undefined) return itemModelOf(own)
  const sibling = routes.find(
    ({ path, options }) => path.replace(LAST_PARAMETER, '') === template && options.output !== undefined,
  )
  return sibling?.options.output === undefined ? undefined : itemModelOf(sibling.options.output)
}
