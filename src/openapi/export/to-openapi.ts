import type { RouteDefinition } from '../../engine/route.ts'
import { createComponents } from './components.ts'
import { joinDocuments, operationIdsOf, withExamples } from './described.ts'
import type { OpenApiDocument, PathItem } from './document.ts'
import { ERROR, VALIDATION_ERROR } from './errors.ts'
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
  const { title = shown.info.title, version = shown.info.version, servers } = info
  const named = {
    ...shown,
    info: { ...shown.info, title, version },
    ...(servers !== undefined && servers.length > 0 && { servers: servers.map((url) => ({ url })) }),
  }
  const own = routes.filter(({ operation }) => operation === undefined)
  return own.length === 0 ? named : joinDocuments(named, documentOf(own, info, examples))
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

  return plain({
    openapi: '3.1.0',
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
    const { path, parameters } = first.get(shape) ?? route
    const method = route.method.toLowerCase()
    // A document has one operation for a method and path, whatever the hosts: the first declared.
    if (Object.hasOwn(paths.get(path) ?? {}, method)) continue
    first.set(shape, first.get(shape) ?? route)
    const operation = operationOf(route, takeOperationId(route, operationIds), parameters, context)
    paths.set(path, { ...paths.get(path), [method]: operation })
  }
  return Object.fromEntries(paths)
}
