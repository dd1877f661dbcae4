import { isObject } from '../../engine/schema/schema.ts'
import type { Source } from './node.ts'
import { bodyFromForm, parameterOf, present, type Table } from './swagger-parameters.ts'

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
  const shared = isObject(parameters) ? Object.entries(parameters).filter(([, each]) => !isBody(each)) : []
  const components = present({
    schemas: definitions,
    parameters: parameters && mapValues(Object.fromEntries(shared), parameterOf),
    responses: mapValues(responses, (each) => responseOf(each, context.produces)),
    securitySchemes: mapValues(securityDefinitions, securitySchemeOf),
  })
  const converted = present({
    openapi: '3.0.4',
    ...others,
    servers: serversOf(host, basePath, schemes),
    paths: mapValues(paths, (each) => pathItemOf(each, context)),
    components,
  })
  return {
    ...source,
    value: withReferences(converted),
    placeInText: (path) => placeInSwagger(path, document),
    placeInValue: (path) => moved(path, MOVED),
  }
}

interface Context {
  readonly document: Table
  readonly consumes: readonly string[]
  readonly produces: readonly string[]
}

function serversOf(host: unknown, basePath: unknown, schemes: unknown): Table[] | undefined {
  const path = typeof basePath === 'string' ? basePath : ''
  if (typeof host !== 'string') return path === '' ? undefined : [{ url: path }]
  return (textsOf(schemes) ?? ['https']).map((scheme) => ({ url: `${scheme}://${host}${path}` }))
}

function pathItemOf(value: unknown, context: Context): unknown {
  if (!isObject(value)) return value
  const above = listOf(value['parameters'])
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    METHODS.includes(key) ? operationOf(each, above, context) : each,
  ])
  return present({ ...Object.fromEntries(entries), parameters: plainParameters(above, context) })
}

function operationOf(value: unknown, above: readonly unknown[], context: Context): unknown {
  if (!isObject(value)) return value
  const { parameters, consumes, produces, schemes: _schemes, responses, ...others } = value
  const own = listOf(parameters)
  const types = textsOf(produces) ?? context.produces
  return present({
    ...others,
    parameters: plainParameters(own, context),
    requestBody: bodyOf(own, context, consumes) ?? bodyOf(above, context, consumes),
    responses: mapValues(responses, (each) => responseOf(each, types)),
  })
}

/** The parameters that are not a part of the body. */
function plainParameters(parameters: readonly unknown[], context: Context): unknown[] | undefined {
  const plain = parameters.filter((each) => !isBody(followed(each, context)))
  return plain.length === 0 ? undefined : plain.map(parameterOf)
}

/** The request body that parameters in `body` or `formData` describe. */
function bodyOf(parameters: readonly unknown[], context: Context, consumes: unknown): Table | undefined {
  const types = textsOf(consumes) ?? context.consumes
  const bodies = parameters.map((each) => followed(each, context)).filter(isBody)
  const body = bodies.find((each) => each['in'] === 'body')
  if (body === undefined) return bodies.length === 0 ? undefined : bodyFromForm(bodies, types)
  const { in: _in, name: _name, schema, ...others } = body
  return { ...others, content: Object.fromEntries(types.map((type) => [type, present({ schema })])) }
}

function responseOf(value: unknown, types: readonly string[]): unknown {
  if (!isObject(value) || typeof value['$ref'] === 'string') return value
  const { schema: given, examples, headers, ...others } = value
  const isFile = isObject(given) && given['type'] === 'file'
  const schema = isFile ? { ...given, type: 'string', format: 'binary' } : given
  const shown = isObject(examples) ? examples : {}
  // An example for a range is one of each type in it that is produced, which says more than the range.
  const wide = Object.keys(shown).filter(
    (key) => !types.includes(key) && types.some((type) => isInRange(type, key)),
  )
  const all = new Set([...(schema === undefined && wide.length === 0 ? [] : types), ...Object.keys(shown)])
  const content = [...all]
    .filter((type) => !wide.includes(type))
    .map((type) => {
      const key = Object.hasOwn(shown, type) ? type : wide.find((each) => isInRange(type, each))
      return [type, present({ schema, example: key === undefined ? undefined : shown[key] })]
    })
  return present({
    ...others,
    headers: mapValues(headers, parameterOf),
    content: content.length === 0 ? undefined : (Object.fromEntries(content) as unknown),
  })
}

function isInRange(type: string, range: string): boolean {
  return range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))
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
  ...['properties', 'patternProperties', 'schemas', 'parameters', 'responses', 'headers', 'paths'],
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
  const { type, flow, authorizationUrl, tokenUrl, scopes = {}, ...others } = value
  if (type === 'basic') return { ...others, type: 'http', scheme: 'basic' }
  if (type !== 'oauth2') return value
  const name = FLOWS[String(flow)] ?? 'implicit'
  return { ...others, type, flows: { [name]: present({ authorizationUrl, tokenUrl, scopes }) } }
}

type Path = readonly string[]

const MOVED: readonly (readonly [from: Path, to: Path])[] = [
  [['definitions'], ['components', 'schemas']],
  [['parameters'], ['components', 'parameters']],
  [['responses'], ['components', 'responses']],
  [['securityDefinitions'], ['components', 'securitySchemes']],
]

/** Where a place of a conversion is in the Swagger description that it was made of. */
function placeInSwagger(path: Path, document: Table): Path {
  const back = moved(
    path,
    MOVED.map(([from, to]) => [to, from]),
  )
  // A schema below a content was beside it; what was made of form fields has no place but the parameters'.
  const content = back.indexOf('content')
  const [kept, below] = content < 0 ? [back, []] : [back.slice(0, content), back.slice(content + 2)]
  const body = kept.indexOf('requestBody')
  if (body >= 0)
    return [...kept.slice(0, body), 'parameters', ...bodyPlace(kept.slice(0, body), below, document)]
  const at = [...kept, ...below]
  const parameter = at.indexOf('parameters')
  return parameter >= 0 && at[parameter + 2] === 'schema'
    ? [...at.slice(0, parameter + 2), ...at.slice(parameter + 3)]
    : at
}

function bodyPlace(operation: Path, below: Path, document: Table): Path {
  const parameters = [...operation, 'parameters'].reduce<unknown>(
    (value, key) => (isObject(value) ? value[key] : undefined),
    document,
  )
  if (!Array.isArray(parameters)) return []
  const index = parameters.findIndex((each) => isObject(each) && each['in'] === 'body')
  return index < 0 ? [] : [String(index), ...below]
}

function moved(path: Path, moves: readonly (readonly [from: Path, to: Path])[]): Path {
  const move = moves.find(([from]) => from.every((key, index) => path[index] === key))
  return move === undefined ? path : [...move[1], ...path.slice(move[0].length)]
}
