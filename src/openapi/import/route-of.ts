import { lazy, withLazy } from '../../engine/lazy.ts'
import type {
  Content,
  Operation,
  Parameter,
  RequestBody,
  ResponseRule,
  SecurityRequirement,
  SecurityScheme,
} from '../../engine/operation.ts'
import type { RouteOptions } from '../../engine/route-options.ts'
import { keyOf, type Method, type RouteDefinition } from '../../engine/route.ts'
import { isObject, type Schema } from '../../engine/schema/schema.ts'
import { successOf } from '../serve/choose-response.ts'
import { mediaKindOf } from '../../media-type.ts'
import { contentOf } from './content.ts'
import { type Description, followed } from './models.ts'
import { childOf, entriesOf, flagAt, itemsOf, textAt, type Node } from './node.ts'
import { headersOf, parametersOf } from './parameters.ts'
import { placeOfOperation } from './problem.ts'
import { namesOf } from '../../routing/path-template.ts'

/** Where a route of a description comes from, and what is known of it from the start. */
export interface RouteSource {
  readonly method: Method
  /** The path template below the host. */
  readonly path: string
  readonly basePath: string
  readonly otherBasePaths: readonly string[]
  readonly origins: readonly string[]
  /** Among routes with this method and path. */
  readonly name: string | undefined
  readonly when: RouteDefinition['when']
  readonly operation: Node
  readonly pathItem: Node
  /** What the description says of the simulation. */
  readonly options: RouteOptions
  readonly stateful: boolean | undefined
}

/** A route of a description. All that its operation says is read when it is first needed. */
export function routeOf(source: RouteSource, description: Description): RouteDefinition {
  const { method, path, name, when } = source
  const parameters = namesOf(path)
  const operation = operationOf(source, parameters, description)
  return {
    method,
    path,
    key: keyOf(method, undefined, path, name),
    parameters,
    ...(when !== undefined && { when }),
    options: optionsOf(source, operation),
    operation,
  }
}

function operationOf(source: RouteSource, inPath: readonly string[], description: Description): Operation {
  const { operation, pathItem, basePath, otherBasePaths, origins, stateful, when = [] } = source
  return withLazy(
    { basePath, otherBasePaths, origins, stateful, deprecated: deprecationOf(operation) },
    {
      place: () => placeOfOperation(operation),
      description: () => textAt(operation, 'description'),
      parameters: () => parametersFor(when, parametersOf(operation, pathItem, inPath, description)),
      body: () => bodyFor(when, requestBodyOf(operation, description)),
      responses: () => responsesOf(operation, description),
      security: () => securityOf(operation, description),
    },
  )
}

const SINCE = ['x-deprecated-at', 'x-deprecated-since', 'x-deprecation-date', 'x-deprecation']
const SUNSET = ['x-sunset', 'x-sunset-date', 'x-sunset-at']

// Nothing in OpenAPI says since when: where no extension does, it has always been so.
function deprecationOf(operation: Node): Operation['deprecated'] {
  if (flagAt(operation, 'deprecated') !== true) return undefined
  const momentOf = (names: readonly string[]): number | undefined => {
    const [moment] = names.map((name) => Date.parse(textAt(operation, name) ?? '')).filter(Number.isFinite)
    return moment === undefined ? undefined : Math.floor(moment / 1000)
  }
  return { since: momentOf(SINCE) ?? 0, sunset: momentOf(SUNSET) }
}

const FORM = 'application/x-www-form-urlencoded'
const AWS_JSON = ['application/x-amz-json-1.0', 'application/x-amz-json-1.1']
type Conditions = NonNullable<RouteSource['when']>

/**
 * The body of an operation that its requests name by a field or by `X-Amz-Target`: clients of such protocols write the
 * fields as a form, or JSON with a type of their own, whatever type the description has.
 */
function bodyFor(when: Conditions, body: RequestBody | undefined): RequestBody | undefined {
  if (when.some(({ place }) => place === 'form') && body?.content.has(FORM) !== true)
    return {
      required: false,
      content: new Map([...(body?.content ?? []), [FORM, { model: undefined, examples: [] }]]),
    }
  const json = body?.content.get('application/json')
  if (body === undefined || json === undefined || !when.some(({ name }) => name === 'x-amz-target'))
    return body
  return { ...body, content: new Map([...AWS_JSON.map((type) => [type, json] as const), ...body.content]) }
}

// What is described as of the query may come in the form.
function parametersFor(when: Conditions, parameters: readonly Parameter[]): readonly Parameter[] {
  if (!when.some(({ place }) => place === 'form')) return parameters
  return parameters.map((each) =>
    each.in === 'query' && each.required ? { ...each, required: false } : each,
  )
}

function optionsOf({ operation: node, options }: RouteSource, operation: Operation): RouteOptions<Schema> {
  const success = lazy(() => successOf(operation, options.status))
  const [summary, description] = [textAt(node, 'summary'), textAt(node, 'description')]
  const tags = itemsOf(childOf(node, 'tags')).map(({ value }) => String(value))
  const known: RouteOptions<Schema> = {
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(tags.length > 0 && { tags }),
    ...(options as RouteOptions<Schema>),
  }
  return withLazy(known, {
    output: () => modelOf(success().rule.content) as Schema,
    status: () => options.status ?? success().status,
  })
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
    .map(({ value }) =>
      Object.entries(value as object).flatMap(([name, scopes]: [string, unknown]) => {
        const scheme = schemeOf(name, description)
        if (scheme?.kind !== 'bearer' || !Array.isArray(scopes) || scopes.length === 0) return scheme ?? []
        return { ...scheme, scopes: scopes.map(String) }
      }),
    )
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

/** The body of an operation's requests, if it describes one. */
export function requestBodyOf(operation: Node, description: Description): RequestBody | undefined {
  const node = followed(description, childOf(operation, 'requestBody'))
  if (node === undefined || !isObject(node.value)) return undefined
  const content = contentOf(childOf(node, 'content'), 'request', description)
  return { required: flagAt(node, 'required') === true, content }
}

/** The responses of an operation, in the description's order. */
export function responsesOf(operation: Node, description: Description): readonly ResponseRule[] {
  return entriesOf(childOf(operation, 'responses')).flatMap((each): ResponseRule[] => {
    const status = statusOf(each.key)
    const node = followed(description, each) ?? each
    if (status === undefined || !isObject(node.value)) return []
    return [
      {
        status,
        content: contentOf(childOf(node, 'content'), 'response', description),
        headers: headersOf(node, description),
        description: textAt(node, 'description'),
      },
    ]
  })
}

/** A status, or a class of them, as a response's key says it; `undefined` for a key that is none. */
export function statusOf(key: string): ResponseRule['status'] | undefined {
  if (key === 'default') return key
  const wanted = key.toUpperCase()
  if (/^[1-5]XX$/.test(wanted)) return wanted as ResponseRule['status']
  return /^[1-5]\d\d$/.test(wanted) ? Number(wanted) : undefined
}
