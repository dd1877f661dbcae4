import { isObject } from '../../engine/schema/schema.ts'
import type { Source } from './node.ts'
import { bodyFromForm, parameterOf, type Table } from './swagger-parameters.ts'
import { placeInSwagger, placeInOpenApi } from './swagger-places.ts'

const JSON_TYPES = ['application/json']
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']

/** A Swagger 2.0 description as OpenAPI 3.0 says it. Schemas are taken as they are, and so are `x-…` keys. */
export function convertSwagger(source: Source): Source {
  const document = source.value as Table
  const { swagger: _swagger, host, basePath, schemes, consumes, produces, ...rest } = document
  const { definitions, parameters, responses, securityDefinitions, paths, ...others } = rest
  const context: Context = {
    document,
    consumes: textsOf(consumes) ?? JSON_TYPES,
    produces: textsOf(produces) ?? JSON_TYPES,
  }
  const shared = entriesOf(parameters).filter(([, each]) => !isBody(each))
  const components = {
    ...(definitions !== undefined && { schemas: definitions }),
    ...(parameters !== undefined && {
      parameters: Object.fromEntries(shared.map(([name, each]) => [name, parameterOf(each)])),
    }),
    ...(responses !== undefined && {
      responses: mapValues(responses, (each) => responseOf(each, context.produces)),
    }),
    ...(securityDefinitions !== undefined && {
      securitySchemes: mapValues(securityDefinitions, securitySchemeOf),
    }),
  }
  const converted = {
    openapi: '3.0.4',
    ...others,
    ...serversOf(host, basePath, schemes),
    ...(paths !== undefined && { paths: mapValues(paths, (each) => pathItemOf(each, context)) }),
    components,
  }
  return {
    ...source,
    value: withReferences(converted),
    placeInText: (path) => placeInSwagger(path, document),
    placeInValue: placeInOpenApi,
  }
}

interface Context {
  readonly document: Table
  readonly consumes: readonly string[]
  readonly produces: readonly string[]
}

function serversOf(host: unknown, basePath: unknown, schemes: unknown): Table {
  const path = typeof basePath === 'string' ? basePath : ''
  if (typeof host !== 'string') return path === '' ? {} : { servers: [{ url: path }] }
  return { servers: (textsOf(schemes) ?? ['https']).map((scheme) => ({ url: `${scheme}://${host}${path}` })) }
}

function pathItemOf(value: unknown, context: Context): unknown {
  if (!isObject(value)) return value
  const { parameters, ...others } = value
  const above = listOf(parameters)
  const entries = Object.entries(others).map(([key, each]) => [
    key,
    METHODS.includes(key) ? operationOf(each, above, context) : each,
  ])
  const plain = above.filter((each) => !isBody(followed(each, context)))
  return {
    ...Object.fromEntries(entries),
    ...(plain.length > 0 && { parameters: plain.map(parameterOf) }),
  }
}

function operationOf(value: unknown, above: readonly unknown[], context: Context): unknown {
  if (!isObject(value)) return value
  const { parameters, consumes, produces, schemes: _schemes, responses, ...others } = value
  const own = listOf(parameters)
  const plain = own.filter((each) => !isBody(followed(each, context)))
  const requestBody = bodyOf(own, context, consumes) ?? bodyOf(above, context, consumes)
  const types = textsOf(produces) ?? context.produces
  return {
    ...others,
    ...(plain.length > 0 && { parameters: plain.map(parameterOf) }),
    ...(requestBody !== undefined && { requestBody }),
    ...(responses !== undefined && { responses: mapValues(responses, (each) => responseOf(each, types)) }),
  }
}

/** The request body that parameters in `body` or `formData` describe. */
function bodyOf(parameters: readonly unknown[], context: Context, consumes: unknown): Table | undefined {
  const bodies = parameters.map((each) => followed(each, context)).filter(isBody)
  const [body] = bodies.filter((each) => each['in'] === 'body')
  if (body !== undefined) {
    const { in: _in, name: _name, schema, required, description, ...extensions } = body
    const types = textsOf(consumes) ?? context.consumes
    return {
      ...extensions,
      ...(description !== undefined && { description }),
      ...(required !== undefined && { required }),
      content: Object.fromEntries(types.map((type) => [type, schema === undefined ? {} : { schema }])),
    }
  }
  return bodies.length === 0 ? undefined : bodyFromForm(bodies, textsOf(consumes) ?? context.consumes)
}

function responseOf(value: unknown, types: readonly string[]): unknown {
  if (!isObject(value) || typeof value['$ref'] === 'string') return value
  const { schema: given, examples, headers, ...others } = value
  const schema =
    isObject(given) && given['type'] === 'file' ? { ...given, type: 'string', format: 'binary' } : given
  const shown = isObject(examples) ? examples : {}
  const all = schema === undefined ? Object.keys(shown) : [...new Set([...types, ...Object.keys(shown)])]
  const content = all.map((type) => [
    type,
    { ...(schema !== undefined && { schema }), ...(Object.hasOwn(shown, type) && { example: shown[type] }) },
  ])
  return {
    ...others,
    ...(headers !== undefined && { headers: mapValues(headers, parameterOf) }),
    ...(content.length > 0 && { content: Object.fromEntries(content) as unknown }),
  }
}

// References say where a thing was before it was moved. What is data and no part of the description is left alone.
function withReferences(value: unknown, key = ''): unknown {
  if (DATA.has(key) || value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((each) => withReferences(each))
  const entries = Object.entries(value).map(([name, each]: [string, unknown]) => {
    // The names of properties and of definitions are not keywords.
    if (NAMED.has(key)) return [name, withReferences(each)]
    const change = CHANGES.get(name)
    return change === undefined ? [name, withReferences(each, name)] : change(each)
  })
  return Object.fromEntries(entries) as unknown
}

const CHANGES: ReadonlyMap<string, (value: unknown) => [string, unknown]> = new Map([
  ['$ref', (value) => ['$ref', typeof value === 'string' ? movedReference(value) : value]],
  [
    'discriminator',
    (value) => ['discriminator', typeof value === 'string' ? { propertyName: value } : value],
  ],
  ['x-nullable', (value) => ['nullable', value]],
])

const DATA = new Set(['example', 'examples', 'default', 'enum', 'const'])

const NAMED = new Set([
  'properties',
  'patternProperties',
  'schemas',
  'parameters',
  'responses',
  'headers',
  'paths',
])

function movedReference(reference: string): string {
  return reference
    .replace(/^#\/definitions\//, '#/components/schemas/')
    .replace(/^#\/(parameters|responses)\//, '#/components/$1/')
}

function followed(value: unknown, { document }: Context): Table {
  const reference = isObject(value) ? value['$ref'] : undefined
  if (typeof reference !== 'string') return isObject(value) ? value : {}
  const [, name = ''] = /^#\/parameters\/(.+)$/.exec(reference) ?? []
  const target = isObject(document['parameters']) ? document['parameters'][name] : undefined
  return isObject(target) ? target : {}
}

function isBody(value: unknown): value is Table {
  return isObject(value) && (value['in'] === 'body' || value['in'] === 'formData')
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : []
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
    ? value
    : undefined
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : []
}

function mapValues(value: unknown, change: (each: unknown) => unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, key.startsWith('x-') ? each : change(each)]),
  )
}

const FLOWS: Readonly<Record<string, string>> = {
  implicit: 'implicit',
  password: 'password',
  application: 'clientCredentials',
  accessCode: 'authorizationCode',
}

/** A security definition of Swagger 2.0 as OpenAPI 3.0 says it. */
export function securitySchemeOf(value: unknown): unknown {
  if (!isObject(value)) return value
  const { type, flow, authorizationUrl, tokenUrl, scopes, ...others } = value
  if (type === 'basic') return { ...others, type: 'http', scheme: 'basic' }
  if (type !== 'oauth2') return value
  const name = FLOWS[String(flow)] ?? 'implicit'
  return {
    ...others,
    type,
    flows: {
      [name]: {
        ...(authorizationUrl !== undefined && { authorizationUrl }),
        ...(tokenUrl !== undefined && { tokenUrl }),
        scopes: scopes ?? {},
      },
    },
  }
}
