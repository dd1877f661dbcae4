import { isObject } from '../../engine/schema/schema.ts'
import { nameOf, type RouteDefinition } from '../../engine/route.ts'
import { createComponents } from './components.ts'
import {
  type OpenApiDocument,
  type Operation,
  operationsIn,
  type PathItem,
  placeOfMethod,
  withOperation,
} from './document.ts'
import { ERROR, VALIDATION_ERROR } from './failures.ts'
import { takeOperationId, BEARER, needsToken, operationOf, type OperationContext } from './operation.ts'
import { plain, createHide } from './plain.ts'

/** What a document says beyond its routes, and what the app they belong to does. */
export interface ApiInfo {
  /** Default: `Simulated API`. */
  readonly title?: string | undefined
  /** Default: `0.0.0`. */
  readonly version?: string | undefined
  readonly description?: string | undefined
  /** Base URLs. */
  readonly servers?: readonly string[] | undefined
  /** The document that describes those of the routes that have an operation. */
  readonly described?: OpenApiDocument | undefined
  /** Whether the app keeps items, and so may not find them. */
  readonly stateful?: boolean | undefined
  /** Whether a stateful 404 says what was looked for. */
  readonly verboseErrors?: boolean | undefined
}

/**
 * The OpenAPI 3.1 document of declared routes. Pure.
 * @param examples a sampled success answer per route key
 * @throws ModelInvalid when a model refers to something that is not there
 */
export function toOpenApi(
  routes: readonly RouteDefinition[],
  info: ApiInfo = {},
  examples: ReadonlyMap<string, unknown> = new Map(),
): OpenApiDocument {
  const { described } = info
  if (described === undefined) return documentOf(routes, info, examples)
  const shown = withExamples(described, routes, examples)
  const own = isObject(shown.info) ? shown.info : { title: 'Simulated API', version: '0.0.0' }
  const { title = own.title, version = own.version, servers } = info
  const named = {
    ...shown,
    info: { ...own, title, version },
    ...(servers !== undefined && servers.length > 0 && { servers: servers.map((url) => ({ url })) }),
  }
  const others = routes.filter(({ operation }) => operation === undefined)
  return others.length === 0 ? named : joinDocuments(named, documentOf(others, info, examples))
}

function documentOf(
  routes: readonly RouteDefinition[],
  info: ApiInfo,
  examples: ReadonlyMap<string, unknown>,
): OpenApiDocument {
  const { described } = info
  const models = createComponents(
    [ERROR, VALIDATION_ERROR],
    Object.keys(described?.components?.schemas ?? {}),
  )
  const paths = pathsOf({
    taken: described === undefined ? [] : operationIdsOf(described),
    routes,
    stateful: info.stateful === true,
    verboseErrors: info.verboseErrors === true,
    examples,
    components: models,
    hide: createHide(routes),
  })
  const tags = [...new Set(routes.flatMap(({ options }) => options.tags ?? []))]
  const schemas = models.schemas()
  const components = {
    ...(Object.keys(schemas).length > 0 && { schemas }),
    ...(routes.some(needsToken) && { securitySchemes: { [BEARER]: { type: 'http', scheme: 'bearer' } } }),
  }

  const isWithOthers = routes.some(({ method }) => method === 'QUERY' || placeOfMethod(method).length > 1)
  return plain({
    openapi: isWithOthers ? '3.2.0' : '3.1.0',
    info: {
      title: info.title ?? 'Simulated API',
      version: info.version ?? '0.0.0',
      description: info.description,
    },
    ...(info.servers !== undefined &&
      info.servers.length > 0 && { servers: info.servers.map((url) => ({ url })) }),
    ...(tags.length > 0 && { tags: tags.map((name) => ({ name })) }),
    paths,
    ...(Object.keys(components).length > 0 && { components }),
  }) as OpenApiDocument
}

/** Paths that differ in the names of parameters alone are one: the first route's names count for all. */
function pathsOf(
  context: OperationContext & { readonly taken: readonly string[] },
): Record<string, PathItem> {
  const first = new Map<string, RouteDefinition>()
  const operationIds = new Set<string>(context.taken)
  const paths = new Map<string, PathItem>()
  for (const route of context.routes) {
    const shape = route.path.replace(/\{[^{}]+\}/g, '{}')
    const { path: own, parameters } = first.get(shape) ?? route
    const name = route.when === undefined ? undefined : nameOf(route)
    // Operations that share a method and path are distinguished after a '#', as those of AWS are.
    const path = name === undefined ? own : `${own}#${name}`
    const item = paths.get(path) ?? {}
    // A document has one operation for a method and path, whatever the hosts: the first declared.
    if (operationsIn(item).some(([method]) => method === route.method)) continue
    first.set(shape, first.get(shape) ?? route)
    const operation = operationOf(route, takeOperationId(route, operationIds), parameters, context)
    paths.set(path, withOperation(item, route.method, operation))
  }
  return Object.fromEntries(paths)
}

type Table = Record<string, unknown>

/**
 * A document that describes routes of an app, with what the app's other routes add to it.
 * @param own the document of the routes that are not described
 */
export function joinDocuments(described: OpenApiDocument, own: OpenApiDocument): OpenApiDocument {
  const paths: Record<string, PathItem> = { ...described.paths }
  for (const [path, item] of Object.entries(own.paths)) {
    paths[path] = operationsIn(item).reduce(
      (joined, [method, operation]) => withOperation(joined, method, standingAlone(operation, described)),
      paths[path] ?? {},
    )
  }
  const tags = [...(described.tags ?? []), ...(own.tags ?? [])]
  return {
    ...described,
    ...(tags.length > 0 && {
      tags: [...new Map(tags.toReversed().map((tag) => [tag.name, tag])).values()].toReversed(),
    }),
    paths,
    components: joinComponents(described.components, own.components),
  }
}

// What a document says of all its operations, it does not say of those that come from elsewhere.
function standingAlone(operation: Operation, described: object): Operation {
  return {
    ...('servers' in described && { servers: [{ url: '/' }] }),
    ...('security' in described && { security: [] }),
    ...operation,
  }
}

function joinComponents(a: Table = {}, b: Table = {}): Table {
  const sections = new Set([...Object.keys(a), ...Object.keys(b)])
  const joined = [...sections].map((name) => [name, { ...(b[name] as Table), ...(a[name] as Table) }])
  return Object.fromEntries(joined) as Table
}

/** A described document with sampled answers as examples, where it has none of its own. */
export function withExamples(
  document: OpenApiDocument,
  routes: readonly RouteDefinition[],
  examples: ReadonlyMap<string, unknown>,
): OpenApiDocument {
  const copy = structuredClone(document) as unknown as Table
  for (const route of routes) {
    const { key, method, operation, options } = route
    if (operation === undefined || !examples.has(key)) continue
    const described = describedPath(document, route)
    const place = [
      'paths',
      described,
      ...placeOfMethod(method),
      'responses',
      String(options.status),
      'content',
    ]
    const content = place.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), copy)
    const media = isObject(content)
      ? Object.entries(content).find(([type]) => /json/i.test(type))?.[1]
      : undefined
    if (isObject(media) && !('example' in media || 'examples' in media)) media['example'] = examples.get(key)
  }
  return copy as unknown as OpenApiDocument
}

function describedPath({ paths }: OpenApiDocument, route: RouteDefinition): string {
  const path = route.path.slice(route.operation?.basePath?.length ?? 0)
  const name = route.when === undefined ? undefined : nameOf(route)
  const keys = name === undefined ? [path] : [`${path}#${name}`, `${path}?${name}`, path]
  return keys.find((each) => Object.hasOwn(paths, each)) ?? path
}

/** The operationIds of a document. */
export function operationIdsOf({ paths }: OpenApiDocument): string[] {
  return Object.values(paths)
    .flatMap(operationsIn)
    .flatMap(([, { operationId }]) => (typeof operationId === 'string' ? [operationId] : []))
}
