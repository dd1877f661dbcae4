import type { Route } from '../engine/route.ts'
import { createComponents } from './components.ts'
import type { OpenApiDocument, PathItem } from './document.ts'
import { ERROR, VALIDATION_ERROR } from './errors.ts'
import { takeOperationId } from './operation-name.ts'
import { BEARER, needsToken, operationOf, type OperationContext } from './operation.ts'
import { plain } from './plain.ts'
import { createHide } from './secrets.ts'

/** What a document says beyond its routes, and what the app they belong to does. */
export interface ApiInfo {
  /** Default: `Simulated API`. */
  readonly title?: string | undefined
  /** Default: `0.0.0`. */
  readonly version?: string | undefined
  readonly description?: string | undefined
  /** Base URLs. */
  readonly servers?: readonly string[] | undefined
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
  routes: readonly Route[],
  info: ApiInfo = {},
  examples: ReadonlyMap<string, unknown> = new Map(),
): OpenApiDocument {
  const models = createComponents([ERROR, VALIDATION_ERROR])
  const paths = pathsOf({
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
function pathsOf(context: OperationContext): Record<string, PathItem> {
  const first = new Map<string, Route>()
  const operationIds = new Set<string>()
  const paths = new Map<string, PathItem>()
  for (const route of context.routes) {
    const shape = route.path.replace(/\{[^{}]+\}/g, '{}')
    const { path, parameters } = first.get(shape) ?? route
    first.set(shape, first.get(shape) ?? route)
    const operation = operationOf(route, takeOperationId(route, operationIds), parameters, context)
    paths.set(path, { ...paths.get(path), [route.method.toLowerCase()]: operation })
  }
  return Object.fromEntries(paths)
}
