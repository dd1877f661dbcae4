import { isObject } from '../../engine/schema/schema.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import type { OpenApiDocument, PathItem } from './document.ts'

type Table = Record<string, unknown>

/**
 * A document that describes routes of an app, with what the app's other routes add to it.
 * @param own the document of the routes that are not described
 */
export function joinDocuments(described: OpenApiDocument, own: OpenApiDocument): OpenApiDocument {
  const paths: Record<string, PathItem> = { ...described.paths }
  for (const [path, item] of Object.entries(own.paths)) {
    const operations = Object.entries(item).map(([method, operation]) => [
      method,
      standingAlone(operation, described),
    ])
    paths[path] = { ...paths[path], ...(Object.fromEntries(operations) as PathItem) }
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
function standingAlone(operation: object, described: object): object {
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
  for (const { key, method, path, operation, options } of routes) {
    if (operation === undefined || !examples.has(key)) continue
    const described = path.slice(operation.basePath?.length ?? 0)
    const place = ['paths', described, method.toLowerCase(), 'responses', String(options.status), 'content']
    const content = place.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), copy)
    const media = isObject(content)
      ? Object.entries(content).find(([type]) => /json/i.test(type))?.[1]
      : undefined
    if (isObject(media) && !('example' in media || 'examples' in media)) media['example'] = examples.get(key)
  }
  return copy as unknown as OpenApiDocument
}

/** The operationIds of a document. */
export function operationIdsOf({ paths }: OpenApiDocument): string[] {
  return Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation: unknown) => {
      const id = isObject(operation) ? operation['operationId'] : undefined
      return typeof id === 'string' ? [id] : []
    })
}
