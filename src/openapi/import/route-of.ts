import { lazy } from '../../engine/lazy.ts'
import type { Content, Operation, SecurityRequirement, SecurityScheme } from '../../engine/operation.ts'
import type { RouteOptions } from '../../engine/route-options.ts'
import type { Method, RouteDefinition } from '../../engine/route.ts'
import { isObject, type Schema } from '../../engine/schema/schema.ts'
import { successOf } from '../serve/choose-response.ts'
import { mediaKindOf } from '../../media-type.ts'
import { type Description, followed } from './description.ts'
import { childOf, itemsOf, textAt, type Node } from './node.ts'
import { parametersOf } from './parameters.ts'
import { placeOf } from './problem.ts'
import { requestBodyOf, responsesOf } from './responses.ts'

/** Where a route of a description comes from, and what is known of it from the start. */
export interface RouteSource {
  readonly method: Method
  /** The path template below the host. */
  readonly path: string
  readonly basePath: string
  readonly operation: Node
  readonly pathItem: Node
  /** What the description says of the simulation. */
  readonly options: RouteOptions
  readonly stateful: boolean | undefined
}

/** A route of a description. All that its operation says is read when it is first needed. */
export function routeOf(source: RouteSource, description: Description): RouteDefinition {
  const { method, path } = source
  const parameters = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? '')
  const operation = operationOf(source, parameters, description)
  return {
    method,
    path,
    key: `${method} ${path}`,
    parameters,
    options: optionsOf(source, operation),
    operation,
  }
}

function operationOf(source: RouteSource, inPath: readonly string[], description: Description): Operation {
  const { operation, pathItem, basePath, stateful } = source
  const place = lazy(() => placeOf(operation))
  const parameters = lazy(() => parametersOf(operation, pathItem, inPath, description))
  const body = lazy(() => requestBodyOf(operation, description))
  const responses = lazy(() => responsesOf(operation, description))
  const security = lazy(() => securityOf(operation, description))
  return {
    basePath,
    stateful,
    get place() {
      return place()
    },
    get parameters() {
      return parameters()
    },
    get body() {
      return body()
    },
    get responses() {
      return responses()
    },
    get security() {
      return security()
    },
  }
}

function optionsOf({ operation: node, options }: RouteSource, operation: Operation): RouteOptions<Schema> {
  const success = lazy(() => successOf(operation, options.status))
  const [summary, description] = [textAt(node, 'summary'), textAt(node, 'description')]
  const tags = itemsOf(childOf(node, 'tags')).map(({ value }) => String(value))
  return {
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(tags.length > 0 && { tags }),
    ...(options as RouteOptions<Schema>),
    // A getter gives what a spread would have made of every route at once.
    get output() {
      return modelOf(success().rule.content) as Schema
    },
    get status() {
      return options.status ?? success().status
    },
  }
}

/** The model of a body: the JSON one where there are several. */
function modelOf(content: Content): Schema | undefined {
  const types = [...content]
  const [, media] = types.find(([type]) => mediaKindOf(type) === 'json') ?? types[0] ?? []
  return isObject(media?.model) ? media.model : undefined
}

/** The credentials that an operation asks for: its own requirements, or those of the whole description. */
export function securityOf(operation: Node, description: Description): readonly SecurityRequirement[] {
  const { root } = description.library
  const requirements = itemsOf(childOf(operation, 'security') ?? childOf(root, 'security'))
  return requirements
    .filter(({ value }) => isObject(value))
    .map(({ value }) => Object.keys(value as object).flatMap((name) => schemeOf(name, description) ?? []))
}

/** How a scheme of a description is checked; `undefined` for one that is not there, or not checked. */
export function schemeOf(name: string, description: Description): SecurityScheme | undefined {
  const schemes = childOf(description.library.root, 'components')
  const given = schemes && childOf(schemes, 'securitySchemes')
  const node = followed(description, given && childOf(given, name))
  return node === undefined ? undefined : readScheme(name, node)
}

function readScheme(name: string, node: Node): SecurityScheme | undefined {
  const type = textAt(node, 'type')
  // The token of either flow comes as a bearer token.
  if (type === 'oauth2' || type === 'openIdConnect') return { name, kind: 'bearer' }
  const scheme = textAt(node, 'scheme')?.toLowerCase()
  if (type === 'http') return scheme === 'bearer' || scheme === 'basic' ? { name, kind: scheme } : undefined
  const [place, field] = [textAt(node, 'in'), textAt(node, 'name')]
  if (type !== 'apiKey' || field === undefined) return undefined
  return place === 'header' || place === 'query' || place === 'cookie'
    ? { name, kind: 'apiKey', in: place, field }
    : undefined
}
